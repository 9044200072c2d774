// SPDX-License-Identifier: MIT
/*
 * EventWrite and related functions, from the call to the device: each rule for
 * an argument, each field of a request, and each way to lose the device.
 *
 * The device is /dev/zero, which can be mapped like the module's; requests go
 * to a fake module in this file.  A provider is enabled in the mapped area, as
 * by the kernel.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftests/unit/common/in_handler.h"
#include "selftests/unit/common/tap.h"

#define EVNT_FAST_IOCTL_H
static int evnt_ioctl(int fd, unsigned int request, const void *arg);
#include "lib/write/write.c"

#define DEVICE		"/dev/zero"
#define KEPT_ERRNO	12345

/* The fake module: requests received, and results to return */
static struct {
	bool locked;			/* open() of the device fails */
	bool interrupts;		/* a registration raises SIGUSR1 */
	unsigned int opened;
	unsigned int registered;
	unsigned int writes;
	struct evntprov_write last;
	struct evntprov_data block;	/* first block of the last write */
	WCHAR text[8];			/* the block as a string */
	int result;			/* of a write */
} module;

/* Replaces the C library's function */
int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list list;

	if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
		va_start(list, flags);
		mode = va_arg(list, mode_t);
		va_end(list);
	}
	if (!strncmp(path, "/dev/evnt", 9)) {
		if (module.locked || strcmp(path, "/dev/evntprov") != 0) {
			errno = ENOENT;
			return -1;
		}
		module.opened++;
		path = DEVICE;
	}
	return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static bool is_device(int fd)
{
	struct stat device, st;

	return !fstat(fd, &st) && !stat(DEVICE, &device) &&
	       S_ISCHR(st.st_mode) && st.st_rdev == device.st_rdev;
}

static void take_write(const struct evntprov_write *w)
{
	const struct evntprov_data *data = (const void *)(uintptr_t)w->data;

	module.writes++;
	module.last = *w;
	if (!w->data_count)
		return;
	if (w->flags & EVNTPROV_WRITE_ONE_BLOCK)
		module.block = (struct evntprov_data) {
			.ptr = w->data, .len = w->data_count,
		};
	else
		module.block = *data;
	if (w->flags & EVNTPROV_WRITE_STRING &&
	    module.block.len <= sizeof(module.text))
		memcpy(module.text, (const void *)(uintptr_t)module.block.ptr,
		       module.block.len);
}

static int answer(unsigned long request, void *arg)
{
	switch (request) {
	case EVNTPROV_IOC_VERSION:
		((struct evntprov_version *)arg)->max_sessions =
			EVNTRACE_MAX_SESSIONS;
		return 0;
	case EVNTPROV_IOC_WRITE:
		take_write(arg);
		return module.result;
	case EVNTPROV_IOC_REGISTER:
		module.registered++;
		if (module.interrupts) {
			module.interrupts = false;
			raise(SIGUSR1);
		}
		return 0;
	case EVNTPROV_IOC_UNREGISTER:
	case EVNTPROV_IOC_SET_INFORMATION:
	case EVNTPROV_IOC_PRIVATE:
		return 0;
	}
	return ENOTTY;
}

/* The module's ioctls; returns 0 or an errno */
static int evnt_ioctl(int fd, unsigned int request, const void *arg)
{
	int saved = errno, err;

	if (fcntl(fd, F_GETFD) < 0)
		err = EBADF;
	else
		err = is_device(fd) ? answer(request, (void *)(uintptr_t)arg) :
				    ENOTTY;
	errno = saved;
	return err;
}

/* Replaces the C library's function */
int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	int err;

	va_start(list, request);
	err = evnt_ioctl(fd, request, va_arg(list, void *));
	va_end(list);
	if (err)
		errno = err;
	return err ? -1 : 0;
}

static const GUID id = { .Data1 = 0x11223344 };
static const EVENT_DESCRIPTOR descriptor = {
	.Id = 1, .Version = 2, .Channel = 3, .Level = 4, .Opcode = 5,
	.Task = 6, .Keyword = 0x10,
};
static REGHANDLE handle;

/* Enable like a session of the module with level 4 and keyword 0x10 */
static void enable(void)
{
	const struct evnt_level_keyword wanted = {
		.match_any = 0x10, .level = 4,
	};
	void *area = (void *)(uintptr_t)evnt_enable_area;

	if (mprotect(area, EVNTPROV_ENABLE_AREA_SIZE, PROT_READ | PROT_WRITE))
		abort();
	evnt_area_put(handle, EVNT_AREA_MODULE, &wanted);
}

static void begin(void)
{
	memset(&module, 0, sizeof(module));
	if (EventRegister(&id, NULL, NULL, &handle))
		abort();
}

static ULONG end(void)
{
	ULONG code;

	module.locked = false;
	code = EventUnregister(handle);
	pthread_mutex_lock(&evnt_lib_lock);
	evnt_device_unused(false);
	pthread_mutex_unlock(&evnt_lib_lock);
	return code;
}

/* The call succeeded with this number of requests */
static bool came(ULONG code, unsigned int requests)
{
	bool same = !code && module.writes == requests;

	module.writes = 0;
	return same;
}

/* The call failed without a request */
static bool refused(ULONG code)
{
	bool same = code == ERROR_INVALID_PARAMETER && !module.writes;

	module.writes = 0;
	return same;
}

static void test_register_errors(void)
{
	REGHANDLE h = 1;

	CHECK(EventRegister(NULL, NULL, NULL, &h) == ERROR_INVALID_PARAMETER &&
	      !h, "EventRegister refuses NULL for the provider");
	CHECK(EventRegister(&id, NULL, NULL, NULL) == ERROR_INVALID_PARAMETER,
	      "EventRegister refuses NULL for the handle");
}

static void test_most_registrations(void)
{
	static REGHANDLE h[1024];
	REGHANDLE more = 1;
	unsigned int i, failed = 0;

	memset(&module, 0, sizeof(module));
	for (i = 0; i < 1024; i++)
		failed += !!EventRegister(&id, NULL, NULL, &h[i]);
	CHECK(!failed && module.registered == 1024,
	      "a process has 1,024 registrations");
	CHECK(EventRegister(&id, NULL, NULL, &more) ==
	      ERROR_NO_SYSTEM_RESOURCES && !more && module.registered == 1024,
	      "a process has no more than 1024 registrations");
	for (i = 0; i < 1024; i++)
		failed += !!EventUnregister(h[i]);
	CHECK(!failed && !EventRegister(&id, NULL, NULL, &more) &&
	      !EventUnregister(more),
	      "a registration is possible again after another has ended");
}

static void test_handle_0(void)
{
	begin();
	enable();
	CHECK(EventUnregister(0) == ERROR_INVALID_HANDLE,
	      "handle 0 is no registration");
	CHECK(came(EventWrite(0, &descriptor, 0, NULL), 0) &&
	      came(EventWrite(0, NULL, 1000, NULL), 0) &&
	      came(EventWriteEx(0, NULL, 0, 0xffff, NULL, NULL, 1000, NULL),
		   0) &&
	      came(EventWriteString(0, 0, 0, NULL), 0),
	      "writes to handle 0 succeed without effect");
	CHECK(!EventEnabled(0, &descriptor) && !EventEnabled(0, NULL) &&
	      !EventProviderEnabled(0, 0, 0), "handle 0 is never enabled");
	end();
}

static void test_disabled(void)
{
	EVENT_DATA_DESCRIPTOR bad = { .Ptr = 1, .Size = 100000 };

	begin();
	CHECK(came(EventWrite(handle, NULL, 5000, NULL), 0) &&
	      came(EventWrite(handle, &descriptor, 1, &bad), 0) &&
	      came(EventWriteEx(handle, &descriptor, 0, 0xffff, NULL, NULL,
				129, &bad), 0) &&
	      came(EventWriteString(handle, 1, 1, NULL), 0),
	      "writes to a disabled provider do not read arguments");
	CHECK(came(EventWriteTransfer(0x12345678, NULL, NULL, NULL, 1, NULL),
		   0) &&
	      came(EventWriteEx(0x12345678, NULL, 0, 0xffff, NULL, NULL, 1,
				NULL), 0) &&
	      came(EventWriteString(0x12345678, 0, 0, NULL), 0),
	      "a handle of no registration is disabled");
	end();
}

/* Each function reports the event as enabled, or not */
static bool is_wanted_as(bool wanted, UCHAR level, ULONGLONG keyword)
{
	const EVENT_DESCRIPTOR d = { .Level = level, .Keyword = keyword };

	return EventEnabled(handle, &d) == wanted &&
	       EventProviderEnabled(handle, level, keyword) == wanted &&
	       came(EventWrite(handle, &d, 0, NULL), wanted) &&
	       came(EventWriteString(handle, level, keyword, u""), wanted);
}

static void test_wanted(void)
{
	begin();
	CHECK(is_wanted_as(false, 0, 0), "no event is wanted at first");
	enable();
	CHECK(is_wanted_as(true, 4, 0x10) && is_wanted_as(true, 0, 0x30) &&
	      is_wanted_as(true, 1, 0),
	      "a wanted event enters the kernel once");
	CHECK(is_wanted_as(false, 5, 0x10) && is_wanted_as(false, 4, 0x20),
	      "an event that no session wants does not enter the kernel");
	CHECK(!EventEnabled(handle, NULL), "no event is not wanted");
	end();
}

static void test_write_errors(void)
{
	EVENT_DATA_DESCRIPTOR data[129] = {};

	begin();
	enable();
	CHECK(refused(EventWrite(handle, NULL, 0, NULL)),
	      "NULL for the event is refused");
	CHECK(refused(EventWrite(handle, &descriptor, 1, NULL)),
	      "NULL for data is refused");
	CHECK(refused(EventWrite(handle, &descriptor, 129, data)),
	      "129 blocks of data are refused");
	CHECK(came(EventWrite(handle, &descriptor, 128, data), 1) &&
	      module.last.data_count == 128, "128 blocks of data are taken");
	CHECK(refused(EventWriteEx(handle, &descriptor, 0, 4, NULL, NULL, 0,
				   NULL)), "unknown flags are refused");
	CHECK(refused(EventWriteString(handle, 0, 0, NULL)),
	      "NULL for a string is refused");
	end();
}

static bool has_id(const struct evntprov_guid *in, const GUID *want)
{
	return !memcmp(in, want, sizeof(*want));
}

static void test_request(void)
{
	const GUID activity = { .Data1 = 7 }, related = { .Data1 = 8 };
	const struct evntprov_write *w = &module.last;
	EVENT_DATA_DESCRIPTOR data[2] = {};
	GUID own = { .Data1 = 9 };

	begin();
	enable();
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &own);
	CHECK(came(EventWrite(handle, &descriptor, 2, data), 1) &&
	      w->size == sizeof(*w) && w->handle == handle && !w->exclude &&
	      w->data == (uintptr_t)data && w->data_count == 2 &&
	      !memcmp(&w->descriptor, &descriptor, sizeof(descriptor)),
	      "a request has the registration, the event and its data");
	CHECK(!w->flags && has_id(&w->activity, &own),
	      "EventWrite has the thread's activity, and no related one");
	EventDataDescCreate(&data[0], &own, sizeof(own));
	CHECK(came(EventWrite(handle, &descriptor, 1, data), 1) &&
	      w->flags == EVNTPROV_WRITE_ONE_BLOCK &&
	      w->data == (uintptr_t)&own && w->data_count == sizeof(own),
	      "a request has the address and the length of a single block");
	data[0].Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	CHECK(came(EventWrite(handle, &descriptor, 1, data), 1) && !w->flags &&
	      w->data == (uintptr_t)data && w->data_count == 1,
	      "a single block with a type remains an array");
	CHECK(came(EventWriteTransfer(handle, &descriptor, &activity, &related,
				      0, NULL), 1) &&
	      w->flags == EVNTPROV_WRITE_RELATED &&
	      has_id(&w->activity, &activity) && has_id(&w->related, &related),
	      "EventWriteTransfer has both, and a flag for the related one");
	CHECK(came(EventWriteTransfer(handle, &descriptor, NULL, NULL, 0,
				      NULL), 1) &&
	      !w->flags && has_id(&w->activity, &own),
	      "EventWriteTransfer without activities is EventWrite");
	CHECK(came(EventWriteEx(handle, &descriptor, 0x55,
				EVENT_WRITE_FLAG_NO_FAULTING |
				EVENT_WRITE_FLAG_INPRIVATE, NULL, &related, 0,
				NULL), 1) &&
	      w->flags == (EVENT_WRITE_FLAG_NO_FAULTING |
			   EVENT_WRITE_FLAG_INPRIVATE |
			   EVNTPROV_WRITE_RELATED) && w->exclude == 0x55,
	      "EventWriteEx has its flags, and sessions to leave out");
	own = (GUID) {};
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_SET_ID, &own);
	end();
}

static void test_string(void)
{
	const struct evntprov_write *w = &module.last;

	begin();
	enable();
	CHECK(came(EventWriteString(handle, 3, 0x11, u"text"), 1) &&
	      w->flags == (EVNTPROV_WRITE_STRING | EVNTPROV_WRITE_ONE_BLOCK) &&
	      w->handle == handle && w->descriptor.level == 3 &&
	      w->descriptor.keyword == 0x11 && !w->descriptor.id,
	      "EventWriteString has level, keyword, and one block");
	CHECK(module.block.len == sizeof(u"text") && !module.block.type &&
	      !memcmp(module.text, u"text", sizeof(u"text")),
	      "the block of EventWriteString is the string with its nul");
	end();
}

static void test_failures(void)
{
	static const struct {
		int err;
		ULONG code;
	} cases[] = {
		{ EAGAIN, ERROR_NOT_ENOUGH_MEMORY },
		{ EFAULT, ERROR_INVALID_PARAMETER },
		{ EINVAL, ERROR_INVALID_PARAMETER },
		{ EMSGSIZE, ERROR_MORE_DATA },
		{ ENOBUFS, ERROR_NOT_ENOUGH_MEMORY },
		{ EOPNOTSUPP, ERROR_NOT_SUPPORTED },
		{ EOVERFLOW, ERROR_ARITHMETIC_OVERFLOW },
	};
	unsigned int i;

	begin();
	enable();
	errno = KEPT_ERRNO;
	for (i = 0; i < EVNT_ARRAY_SIZE(cases); i++) {
		module.result = cases[i].err;
		module.writes = 0;
		CHECK(EventWrite(handle, &descriptor, 0, NULL) ==
		      cases[i].code && module.writes == 1 &&
		      errno == KEPT_ERRNO,
		      "errno %d of a write is code %u, and not errno here",
		      cases[i].err, cases[i].code);
	}
	CHECK(module.opened == 1,
	      "a failed write does not open the device again");
	end();
}

/* A handle unknown to both the kernel and the library */
static void test_stale_handle(void)
{
	begin();
	enable();
	module.result = ENOENT;
	CHECK(EventWrite(handle ^ 1ull << 40, &descriptor, 0, NULL) ==
	      ERROR_INVALID_HANDLE && module.writes == 1,
	      "INVALID_HANDLE: a registration that has ended");
	module.writes = 0;
	CHECK(EventWrite(handle, &descriptor, 0, NULL) ==
	      ERROR_INVALID_HANDLE && module.writes == 2,
	      "a write is repeated when the device may have been incomplete");
	end();
}

static void test_device_is_closed(void)
{
	begin();
	enable();
	close(evnt_device_fd());
	errno = KEPT_ERRNO;
	CHECK(came(EventWrite(handle, &descriptor, 0, NULL), 1) &&
	      module.opened == 2 && module.registered == 2,
	      "a program that closes the device loses no event");
	CHECK(errno == KEPT_ERRNO,
	      "a write with a closed device leaves errno as it was");
	enable();
	CHECK(came(EventWrite(handle, &descriptor, 0, NULL), 1) &&
	      module.opened == 2, "the new device is used from then on");
	end();
}

/* Register and unregister; returns whether the device is open after each pair */
static bool is_kept(unsigned int pairs, PENABLECALLBACK callback)
{
	bool kept = true;

	while (pairs--) {
		if (EventRegister(&id, callback, NULL, &handle) ||
		    EventUnregister(handle))
			abort();
		kept = kept && evnt_device_fd() >= 0;
	}
	return kept;
}

static void NTAPI on_enable(LPCGUID source, ULONG control, UCHAR level,
			    ULONGLONG any, ULONGLONG all,
			    PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source;
	(void)control;
	(void)level;
	(void)any;
	(void)all;
	(void)filter;
	(void)context;
}

/* In a process of its own, which has not opened the device before */
static void keep(void)
{
	int child, status;
	bool first;

	memset(&module, 0, sizeof(module));
	first = is_kept(1, NULL);
	if (first || is_kept(1, NULL) || module.opened != 2)
		_exit(1);
	if (!is_kept(5, NULL) || module.opened != 3)
		_exit(2);
	/* A program may close descriptors that it did not open */
	close(evnt_device_fd());
	if (!is_kept(1, NULL) || module.opened != 4)
		_exit(3);
	child = fork();
	if (!child)
		_exit(evnt_device_fd() < 0 && module.opened == 4 ? 0 : 4);
	if (waitpid(child, &status, 0) != child || status)
		_exit(4);
	/* A thread that reads notifications ends with the last registration */
	if (is_kept(1, on_enable) || module.opened != 4)
		_exit(5);
	_exit(0);
}

static void test_device_is_kept(void)
{
	int status = -1, child = fork();

	if (!child)
		keep();
	waitpid(child, &status, 0);
	CHECK(!status, "the third device stays open for later registrations, "
	      "not in children and not with a thread (%d)",
	      WEXITSTATUS(status));
}

static ULONG handler_code;

static void write_in_handler(void)
{
	handler_code = EventWrite(handle, &descriptor, 0, NULL);
}

/* A handler may have interrupted the allocator, or the owner of the lock */
static void test_device_is_closed_in_handler(void)
{
	unsigned int used;

	begin();
	enable();
	close(evnt_device_fd());
	used = handler_run(write_in_handler);
	CHECK(came(handler_code, 1) && module.opened == 2 && !used,
	      "a signal handler reopens the device with %u allocations", used);
	enable();
	module.writes = 0;
	close(evnt_device_fd());
	pthread_mutex_lock(&evnt_lib_lock);
	used = handler_run(write_in_handler);
	pthread_mutex_unlock(&evnt_lib_lock);
	CHECK(handler_code == ERROR_INVALID_HANDLE && !module.writes &&
	      module.opened == 2 && !used,
	      "INVALID_HANDLE: the handler has interrupted a registration");
	CHECK(came(EventWrite(handle, &descriptor, 0, NULL), 1) &&
	      module.opened == 3, "the next write opens the device");
	end();
}

static pid_t forked = -1;

static void fork_in_handler(int signal)
{
	(void)signal;
	forked = fork();
}

/* A signal handler forks while the device is being replaced */
static void test_fork_while_reopened(void)
{
	int status = -1;
	bool good;

	begin();
	enable();
	signal(SIGUSR1, fork_in_handler);
	close(evnt_device_fd());
	module.interrupts = true;
	good = came(EventWrite(handle, &descriptor, 0, NULL), 1) &&
	       is_device(evnt_device_fd());
	if (!forked) {
		/* The child has a device of its own */
		enable();
		_exit(good && module.opened == 3 &&
		      came(EventWrite(handle, &descriptor, 0, NULL), 1) ?
		      0 : 1);
	}
	CHECK(good && module.opened == 2 &&
	      waitpid(forked, &status, 0) == forked && !status,
	      "a handler may fork while the device is replaced (%#x)", status);
	end();
}

/* Another file of the program has the device's descriptor */
static void test_device_is_another_file(void)
{
	int other = open("/dev/null", O_RDWR | O_CLOEXEC), fd;

	begin();
	enable();
	fd = evnt_device_fd();
	if (other < 0 || dup2(other, fd) != fd)
		abort();
	errno = KEPT_ERRNO;
	CHECK(came(EventWrite(handle, &descriptor, 0, NULL), 1) &&
	      module.opened == 2 && errno == KEPT_ERRNO,
	      "an event is not written to a file in the device's place");
	CHECK(evnt_device_fd() != fd && fcntl(fd, F_GETFD) >= 0,
	      "the file in the device's place stays open");
	close(fd);
	close(other);
	end();
}

static void test_device_cannot_be_opened(void)
{
	begin();
	enable();
	close(evnt_device_fd());
	module.locked = true;
	errno = KEPT_ERRNO;
	CHECK(EventWrite(handle, &descriptor, 0, NULL) ==
	      ERROR_INVALID_HANDLE && !module.writes,
	      "INVALID_HANDLE: the device cannot be opened");
	CHECK(errno == KEPT_ERRNO, "a write that fails leaves errno as it was");
	end();
}

int main(void)
{
	test_device_is_kept();
	test_register_errors();
	test_most_registrations();
	test_handle_0();
	test_disabled();
	test_wanted();
	test_write_errors();
	test_request();
	test_string();
	test_failures();
	test_stale_handle();
	test_device_is_closed();
	test_device_is_closed_in_handler();
	test_fork_while_reopened();
	test_device_is_another_file();
	test_device_cannot_be_opened();
	return tap_end();
}
