// SPDX-License-Identifier: MIT
/* The ioctls of /dev/evntrace that the tools use. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/door_list.h"
#include "evnt.h"
#include "internal.h"
#include "trace_door.h"

#define DOOR	"/dev/evntrace"

static int do_ioctl(int door, unsigned long command, void *argument)
{
	return ioctl(door, command, argument) ? errno : 0;
}

const char *door_error(int error)
{
	switch (error) {
	case ENOTTY:
	case E2BIG:
		return "the module is older than this program, and cannot do it:"
		       " upgrade the module; 'evnt doctor' shows both versions";
	case EINVAL:
		return "the module does not take what this program asks, as one"
		       " of another version: install both from one release;"
		       " 'evnt doctor' shows both versions";
	case EACCES:
		return "there is no right to: 'evnt access list' shows who has";
	case ESRCH:
		return "it has ended meanwhile";
	case EALREADY:
		return "somebody else is stopping it";
	case ENOMEM:
		return "the kernel has no memory left for it, or a limit of"
		       " memory: 'evnt doctor' shows which";
	case EUSERS:
		return "there are as many as a limit of evntprov(4) allows:"
		       " 'evnt doctor' shows which";
	case ENOSPC:
	case EDQUOT:
		return "no space is left on the disk";
	case ETIMEDOUT:
		return "a process that takes part in it does not answer;"
		       " it does so when it goes on";
	}
	return strerror(error);
}

static void explain_denied(void)
{
	struct group *group = NULL;
	struct stat st;

	if (!stat(DOOR, &st) && st.st_gid && st.st_mode & S_IWGRP)
		group = getgrgid(st.st_gid);
	if (group)
		failed("no permission to open " DOOR ": become root, or a"
		       " member of group '%s' ('usermod -aG %s USER', then log"
		       " in again)", group->gr_name, group->gr_name);
	else
		failed("no permission to open " DOOR ": become root; a udev"
		       " rule may give it to a group, as that of the packages"
		       " gives it to evntprov");
}

static void explain_open(int error)
{
	if (error == EACCES || error == EPERM)
		explain_denied();
	else if (error == ENOENT || error == ENXIO || error == ENODEV)
		failed("the kernel module is not loaded (no " DOOR "): run"
		       " 'modprobe evntprov' as root, or 'insmod evntprov.ko'"
		       " from where it was built; 'evnt doctor' says what is in"
		       " the way");
	else
		failed("cannot open " DOOR ": %s", strerror(error));
}

/* A module of another version would refuse us with an EINVAL or worse */
static int check_version(int door)
{
	struct evntprov_version version = { .size = sizeof(version) };
	int error = do_ioctl(door, EVNTPROV_IOC_VERSION, &version);

	if (error)
		failed(DOOR " does not answer: %s; is it evntprov's?",
		       strerror(error));
	else if (version.abi_version != EVNTPROV_ABI_VERSION)
		error = failed("the module speaks version %u of its interface,"
			       " this program version %u: upgrade %s",
			       version.abi_version, EVNTPROV_ABI_VERSION,
			       version.abi_version < EVNTPROV_ABI_VERSION ?
			       "the module, and load it anew" :
			       "this program, or evntprov-tools");
	return error;
}

int door_open(void)
{
	int door = open(DOOR, O_RDWR | O_CLOEXEC);

	if (door < 0) {
		explain_open(errno);
		return -1;
	}
	if (check_version(door)) {
		close(door);
		return -1;
	}
	return door;
}

int door_list(int door, __u32 what, size_t element_size, void **elements,
	      size_t *count)
{
	return evnt_door_list(door, what, element_size, elements, count);
}

int door_filters(int door, const struct evntrace_enablement *enablement,
		 void *to, size_t room, struct evntrace_filters *arg)
{
	*arg = (struct evntrace_filters) {
		.size = sizeof(*arg),
		.flags = is_group(enablement) ? EVNTRACE_FILTERS_GROUP : 0,
		.handle = enablement->handle,
		.provider = enablement->provider,
		.buffer = (uintptr_t)to,
		.len = room,
	};
	return do_ioctl(door, EVNTRACE_IOC_FILTERS, arg);
}

#define LOGGER_FILTERS	2
/* Both, in units of what stands in front of each */
#define LOGGER_ROOM	(2 + (EVNTRACE_MAX_FILTER_SIZE +		\
			      EVNTRACE_MAX_FILTER_LIST_SIZE) /		\
			     sizeof(struct evntrace_filter_info))

/* The filters of a private logger, which it is controlled with */
struct logger_filters {
	struct evntrace_filter_info room[LOGGER_ROOM];
	struct evntrace_filter filter[LOGGER_FILTERS];
	__u32 count;
};

static int ask_filters(int door, __u64 handle, struct logger_filters *f)
{
	struct evntrace_filters arg = {
		.size = sizeof(arg),
		.handle = handle,
		.buffer = (uintptr_t)f->room,
		.len = sizeof(f->room),
	};
	const struct evntrace_filter_info *at = f->room;
	int error = do_ioctl(door, EVNTRACE_IOC_FILTERS, &arg);

	if (error)
		return error;
	if (arg.count > LOGGER_FILTERS || arg.len > sizeof(f->room))
		return EPROTO;
	for (f->count = 0; f->count < arg.count; f->count++) {
		f->filter[f->count] = (struct evntrace_filter) {
			.ptr = (uintptr_t)(at + 1),
			.len = at->len,
			.type = at->type,
		};
		at += 1 + (at->len + sizeof(*at) - 1) / sizeof(*at);
	}
	return 0;
}

/* A private logger is named by its filters, too: who may see it is told them */
static int call(int door, unsigned long command, struct evntrace_session *info)
{
	struct logger_filters f = { .count = 0 };
	int error;

	if (is_logger(info)) {
		error = ask_filters(door, info->handle, &f);
		if (error)
			return error;
		info->filters = (uintptr_t)f.filter;
		info->filter_count = f.count;
	}
	return do_ioctl(door, command, info);
}

static int session_ioctl(int door, unsigned long command, __u64 handle,
			 struct door_session *session)
{
	__u16 name[EVNTRACE_MAX_NAME], log_name[EVNTRACE_MAX_NAME];
	struct evntrace_session info = {
		.size = sizeof(info),
		.handle = handle,
		.name = (uintptr_t)name,
		.log_name = (uintptr_t)log_name,
		.name_len = EVNTRACE_MAX_NAME,
		.log_name_len = EVNTRACE_MAX_NAME,
	};
	int error = call(door, command, &info);

	if (error)
		return error;
	session->info = info;
	format_utf16(name, info.name_len, session->name,
		     sizeof(session->name));
	format_utf16(log_name, info.log_name_len, session->log_name,
		     sizeof(session->log_name));
	return 0;
}

int door_query(int door, __u64 handle, struct door_session *session)
{
	return session_ioctl(door, EVNTRACE_IOC_QUERY, handle, session);
}

int door_stop(int door, __u64 handle, struct door_session *session)
{
	return session_ioctl(door, EVNTRACE_IOC_STOP, handle, session);
}

int door_increment(int door, __u64 handle, struct door_session *session)
{
	return session_ioctl(door, EVNTRACE_IOC_INCREMENT, handle, session);
}

int door_flush(int door, __u64 handle, struct door_session *session)
{
	return session_ioctl(door, EVNTRACE_IOC_FLUSH, handle, session);
}

int door_update_logger(int door, __u64 handle, const char *log_name,
		       __u32 flush_ms)
{
	struct evntrace_update arg = {
		.size = sizeof(arg),
		.handle = handle,
		.flush_ms = flush_ms,
		.log_fd = -1,
	};
	WCHAR *wide = NULL;
	int error;

	if (log_name) {
		wide = evnt_utf16(log_name);
		if (!wide)
			return errno;
		arg.flags = EVNTRACE_UPDATE_LOG;
		arg.log_name = (uintptr_t)wide;
		arg.log_name_len = evnt_wcslen(wide);
	}
	error = do_ioctl(door, EVNTRACE_IOC_UPDATE, &arg);
	free(wide);
	return error;
}
