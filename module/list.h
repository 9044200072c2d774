/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of what there is, for controllers. */
#ifndef EVNT_LIST_H
#define EVNT_LIST_H

#include "module.h"

int evnt_list(struct evntrace_list *arg);

#endif /* EVNT_LIST_H */
