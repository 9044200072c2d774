/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of sessions, registrations, enablements and other objects. */
#ifndef EVNT_LIST_H
#define EVNT_LIST_H

#include "module/common/ioctl.h"

int evnt_list(struct evntrace_list *arg);

#endif /* EVNT_LIST_H */
