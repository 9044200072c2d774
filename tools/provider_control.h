/* SPDX-License-Identifier: MIT */
/* What enable, disable and capture-state have in common. */
#ifndef EVNT_PROVIDER_CONTROL_H
#define EVNT_PROVIDER_CONTROL_H

#include <evntrace.h>

#include "evnt.h"

/* For the verb's help */
#define PROVIDER_CONTROL_HELP						\
"  --match-all MASK  events need all of these keywords, too\n"		\
"  --timeout MS      wait so long for the providers' callbacks, or infinite;\n" \
"                    default: do not wait\n"				\
"  --source-id GUID  is told to the providers' callbacks\n"		\
"  -h, --help        print this\n\n"

/* The verb that does @code, an EVENT_CONTROL_CODE_; returns an exit code */
int provider_control(const struct verb *verb, int argc, char **argv,
		     ULONG code);

#endif /* EVNT_PROVIDER_CONTROL_H */
