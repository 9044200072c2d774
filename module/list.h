/* SPDX-License-Identifier: GPL-2.0 */
/* Lists of what there is, for controllers. */
#ifndef EVNT_LIST_H
#define EVNT_LIST_H

#include "module.h"

/* Nothing that is listed will ever be longer, in bytes */
#define EVNT_MAX_ELEMENT	4096u

int evnt_list(struct evntrace_list *arg);
int evnt_copy_elements(void __user *to, u32 to_size, const void *from, u32 size,
		       u32 count);

#endif /* EVNT_LIST_H */
