/* SPDX-License-Identifier: GPL-2.0 */
/* A TraceLogging provider in the kernel. */
#ifndef CALLS_TYPED_H
#define CALLS_TYPED_H

#include <linux/types.h>

int typed_register(void);
void typed_unregister(void);
void typed_write(u32 number, const char *text);
bool typed_enabled(u8 level, u64 keyword);

#endif /* CALLS_TYPED_H */
