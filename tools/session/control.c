// SPDX-License-Identifier: MIT
/* Ioctls of /dev/evntrace used by the tools */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/control/device_list.h"
#include "tools/evnt.h"
#include "lib/base/internal.h"
#include "tools/session/control.h"

#define DEVICE	"/dev/evntrace"

static int do_ioctl(int device, unsigned long command, void *argument)
{
	return ioctl(device, command, argument) ? errno : 0;
}

const char *dev_error(int error)
{
	switch (error) {
	case ENOTTY:
	case E2BIG:
		return "the module is older than this program, and cannot do it:"
		       " upgrade the module; 'evnt doctor' shows both versions";
	case EINVAL:
		return "the module does not accept this program's request, as"
		       " their versions differ: install both from one release;"
		       " 'evnt doctor' shows both versions";
	case EACCES:
		return "permission denied: 'evnt access list' shows the rights";
	case ESRCH:
		return "it has already ended";
	case EALREADY:
		return "another process is stopping it";
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
		return "a participating process does not answer; it will when"
		       " it continues";
	}
	return strerror(error);
}

static void explain_open(int error)
{
	struct group *group = NULL;
	struct stat st;

	if (error == ENOENT || error == ENXIO || error == ENODEV) {
		failed("the kernel module is not loaded (no " DEVICE "): run"
		       " 'modprobe evntprov' as root, or 'insmod evntprov.ko'"
		       " from its build folder; 'evnt doctor' finds what is in"
		       " the way, and 'evnt record --in-process' needs no"
		       " module");
		return;
	}
	if (error != EACCES && error != EPERM) {
		failed("cannot open " DEVICE ": %s", strerror(error));
		return;
	}
	if (!stat(DEVICE, &st) && st.st_gid && st.st_mode & S_IWGRP)
		group = getgrgid(st.st_gid);
	if (group)
		failed("no permission to open " DEVICE ": become root, or a"
		       " member of group '%s' ('usermod -aG %s USER', then log"
		       " in again)", group->gr_name, group->gr_name);
	else
		failed("no permission to open " DEVICE ": become root; a udev"
		       " rule may give it to a group, as that of the packages"
		       " gives it to evntprov");
}

/* Check that it is the module's device, as another would fail strangely */
static int check_device(int device)
{
	struct evntprov_version version = { .size = sizeof(version) };
	int error = do_ioctl(device, EVNTPROV_IOC_VERSION, &version);

	if (error)
		failed(DEVICE " does not answer: %s; is it evntprov's?",
		       strerror(error));
	return error;
}

int dev_open(void)
{
	int device = open(DEVICE, O_RDWR | O_CLOEXEC);

	if (device < 0) {
		explain_open(errno);
		return -1;
	}
	if (check_device(device)) {
		close(device);
		return -1;
	}
	return device;
}

int dev_list(int device, __u32 kind, size_t element_size, void **elements,
	     size_t *count)
{
	return evnt_device_list(device, kind, element_size, elements, count);
}

int dev_open_session(int device, __u64 handle, int *session)
{
	struct evntrace_open arg = {
		.size = sizeof(arg),
		.flags = EVNTRACE_OPEN_MAXIMUM,
		.handle = handle,
	};

	*session = ioctl(device, EVNTRACE_IOC_OPEN, &arg);
	return *session < 0 ? errno : 0;
}

/* Call an ioctl of a session */
static int session_ioctl(int device, __u64 handle, unsigned long command,
			 void *argument)
{
	int session, error = dev_open_session(device, handle, &session);

	if (error)
		return error;
	error = do_ioctl(session, command, argument);
	close(session);
	return error;
}

int dev_list_of(int device, __u64 handle, struct evntrace_list *list,
		void **elements, size_t *count)
{
	int session, error = dev_open_session(device, handle, &session);

	*elements = NULL;
	*count = 0;
	if (error)
		return error;
	error = evnt_device_list_once(session, list, elements, count);
	close(session);
	return error;
}

void dev_list_cpus(int device, __u64 handle, struct evntrace_cpu **cpus,
		   size_t *count)
{
	struct evntrace_list arg = {
		.size = sizeof(arg),
		.kind = EVNTRACE_LIST_CPUS,
		.element_size = sizeof(**cpus),
	};
	void *elements;

	dev_list_of(device, handle, &arg, &elements, count);
	*cpus = elements;
}

/* Find the session that has caused losses of @session */
static void find_blocker(int device, struct dev_session *session)
{
	__u16 name[EVNTRACE_MAX_NAME];
	struct evntrace_session info = {
		.size = sizeof(info),
		.name = (uintptr_t)name,
		.name_len = EVNTRACE_MAX_NAME,
	};

	session->blocker[0] = '\0';
	if (!session->info.blocker ||
	    session_ioctl(device, session->info.blocker, EVNTRACE_IOC_QUERY,
			  &info))
		return;
	format_utf16(name, info.name_len, session->blocker,
		     sizeof(session->blocker));
	session->blocking = info;
}

static int control(int device, __u32 operation, __u64 handle,
		   struct dev_session *session)
{
	__u16 name[EVNTRACE_MAX_NAME], log_name[EVNTRACE_MAX_NAME];
	struct evntrace_session info = {
		.size = sizeof(info),
		.name = (uintptr_t)name,
		.log_name = (uintptr_t)log_name,
		.name_len = EVNTRACE_MAX_NAME,
		.log_name_len = EVNTRACE_MAX_NAME,
		.control = operation,
	};
	int error = session_ioctl(device, handle,
				  operation ? EVNTRACE_IOC_CONTROL :
					      EVNTRACE_IOC_QUERY, &info);

	if (error)
		return error;
	session->info = info;
	format_utf16(name, info.name_len, session->name,
		     sizeof(session->name));
	format_utf16(log_name, info.log_name_len, session->log_name,
		     sizeof(session->log_name));
	find_blocker(device, session);
	return 0;
}

int dev_query(int device, __u64 handle, struct dev_session *session)
{
	return control(device, 0, handle, session);
}

int dev_stop(int device, __u64 handle, struct dev_session *session)
{
	return control(device, EVNTRACE_CONTROL_STOP, handle, session);
}

int dev_increment(int device, __u64 handle, struct dev_session *session)
{
	return control(device, EVNTRACE_CONTROL_INCREMENT, handle, session);
}

int dev_flush(int device, __u64 handle, struct dev_session *session)
{
	return control(device, EVNTRACE_CONTROL_FLUSH, handle, session);
}

int dev_snapshot(int device, __u64 handle, struct evntrace_snapshot *arg)
{
	return session_ioctl(device, handle, EVNTRACE_IOC_SNAPSHOT, arg);
}

int dev_update_logger(int device, __u64 handle, const char *log_name,
		      __u32 flush_ms)
{
	struct evntrace_update arg = {
		.size = sizeof(arg),
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
	error = session_ioctl(device, handle, EVNTRACE_IOC_UPDATE, &arg);
	free(wide);
	return error;
}
