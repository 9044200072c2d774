/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The two devices, lists of objects, and sessions that start with the module.
 */
#ifndef EVNT_DEVICES_H
#define EVNT_DEVICES_H

#include <linux/miscdevice.h>
#include <linux/types.h>

struct evnt_session;
struct evntrace_list;

extern struct miscdevice evnt_dev_provider;
extern struct miscdevice evnt_dev_control;
void evnt_dev_provider_start(void);

int evnt_list_check(const struct evntrace_list *arg, bool is_of_session);
int evnt_list(struct evnt_session *s, u64 private, struct evntrace_list *arg);

void evnt_autologger_run(void);

#endif /* EVNT_DEVICES_H */
