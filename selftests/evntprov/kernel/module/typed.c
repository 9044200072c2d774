// SPDX-License-Identifier: GPL-2.0
/* A TraceLogging provider in the kernel. */
#include <linux/tracelogging.h>

#include "kernel_typed.h"
#include "typed.h"

TRACELOGGING_DEFINE_PROVIDER(typed_provider, TYPED_NAME, TYPED_ID(TYPED_KERNEL));

int typed_register(void)
{
	return TraceLoggingRegister(typed_provider);
}

void typed_unregister(void)
{
	TraceLoggingUnregister(typed_provider);
}

void typed_write(u32 number, const char *text)
{
	WRITE_TYPED(typed_provider, number, text);
}

bool typed_enabled(u8 level, u64 keyword)
{
	return TraceLoggingProviderEnabled(typed_provider, level, keyword);
}
