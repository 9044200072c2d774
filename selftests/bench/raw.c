// SPDX-License-Identifier: MIT
/* Sessions by bare ioctls: a benchmark leaves nothing to defaults. */
#include <string.h>
#include <sys/ioctl.h>

#include "raw.h"

#define MAX_NAME	64u

int raw_start(int device, const char *path, int log,
	      struct evntrace_start *arg)
{
	__u16 name[MAX_NAME];

	for (arg->name_len = 0; path[arg->name_len]; arg->name_len++) {
		if (arg->name_len == MAX_NAME)
			return -1;
		name[arg->name_len] = path[arg->name_len];
	}
	arg->size = sizeof(*arg);
	arg->flags = EVNTRACE_START_BOUND;
	arg->name = (uintptr_t)name;
	arg->log_fd = log;
	return ioctl(device, EVNTRACE_IOC_START, arg);
}

bool raw_enable(int session, const GUID *provider,
		const struct evntrace_enable *ext_item)
{
	struct evntrace_enable arg = *ext_item;

	arg.size = sizeof(arg);
	arg.control = EVNTPROV_CONTROL_ENABLE;
	memcpy(&arg.provider, provider, sizeof(arg.provider));
	return !ioctl(session, EVNTRACE_IOC_ENABLE, &arg);
}

bool raw_control(int session, __u32 control, struct evntrace_session *info)
{
	*info = (struct evntrace_session) {
		.size = sizeof(*info), .control = control,
	};
	return !ioctl(session, control ? EVNTRACE_IOC_CONTROL :
					 EVNTRACE_IOC_QUERY, info);
}
