/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of sessions, registrations, enablements and other objects. */
#ifndef EVNT_LIST_H
#define EVNT_LIST_H

#include "module/common/ioctl.h"

struct evnt_session;

bool evnt_list_is_of_session(u32 kind);
int evnt_list_check(const struct evntrace_list *arg);
int evnt_list(struct evnt_session *s, u64 private, struct evntrace_list *arg);

#endif /* EVNT_LIST_H */
