/* SPDX-License-Identifier: MIT */
/*
 * --manifest: loads a manifest given by the user, for all verbs that use fields
 */
#ifndef EVNT_MANIFEST_OPTION_H
#define EVNT_MANIFEST_OPTION_H

#include "tools/common/options.h"

/* The option of verbs that print events */
extern const struct option_row manifest_rows[];
/* The option of verbs that record events */
extern const struct option_row record_manifest_rows[];

#endif /* EVNT_MANIFEST_OPTION_H */
