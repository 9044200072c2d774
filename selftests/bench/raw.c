// SPDX-License-Identifier: MIT
/* Sessions by bare ioctls: a benchmark leaves nothing to defaults. */
#include <string.h>
#include <sys/ioctl.h>

#include "raw.h"

#define MAX_NAME	64u

bool raw_start(int device, const char *path, int log,
	       struct evntrace_start *arg)
{
	__u16 name[MAX_NAME];

	for (arg->name_len = 0; path[arg->name_len]; arg->name_len++) {
		if (arg->name_len == MAX_NAME)
			return false;
		name[arg->name_len] = path[arg->name_len];
	}
	arg->size = sizeof(*arg);
	arg->flags = EVNTRACE_START_BOUND;
	arg->name = (uintptr_t)name;
	arg->log_fd = log;
	return ioctl(device, EVNTRACE_IOC_START, arg) >= 0;
}

bool raw_enable(int device, const GUID *provider,
		const struct evntrace_enable *ext_item)
{
	struct evntrace_enable arg = *ext_item;

	arg.size = sizeof(arg);
	arg.control = EVNTPROV_CONTROL_ENABLE;
	memcpy(&arg.provider, provider, sizeof(arg.provider));
	return !ioctl(device, EVNTRACE_IOC_ENABLE, &arg);
}

bool raw_control(int device, __u32 control, __u64 handle,
		 struct evntrace_session *info)
{
	*info = (struct evntrace_session) {
		.size = sizeof(*info), .handle = handle,
		.control = control,
	};
	return !ioctl(device, control ? EVNTRACE_IOC_CONTROL :
					EVNTRACE_IOC_QUERY, info);
}
