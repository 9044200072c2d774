/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system calls on the devices, and the permitted results of each when a
 * step inside it fails.
 */
#ifndef EVNT_TEST_FAULTS_CALLS_H
#define EVNT_TEST_FAULTS_CALLS_H

#include <sys/epoll.h>
#include <time.h>

#include "selftests/evntprov/abi/world.h"


/**
 * struct call - a system call, and its permitted results
 * @name: name for messages
 * @set_up: runs once, before all tries
 * @prepare: runs before each try
 * @run: the call; returns 0 or an errno
 * @undo: runs after each success
 * @alloc: errno of a failed allocation; 0 if the call allocates nothing
 * @copy: errno of a failed copy; 0 if the call copies nothing
 * @heals: a single failure makes the call take another way
 * @images: the call's event comes with image events
 * @ends: the call takes effect even if its result cannot be copied out
 * @stride: after DENSE points of a long call, try every @stride-th
 */
struct call {
	const char *name;
	void (*set_up)(struct world *w);
	void (*prepare)(struct world *w);
	int (*run)(struct world *w);
	void (*undo)(struct world *w);
	int alloc;
	int copy;
	bool heals;
	bool images;
	bool ends;
	unsigned int stride;
};

/* open(), close() and other calls without an ioctl */

static int opened(struct world *w, int fd)
{
	w->fd = fd;
	return fd < 0 ? errno : 0;
}

static int run_open_prov(struct world *w)
{
	return opened(w, open("/dev/evntprov", O_RDWR | O_CLOEXEC));
}

static int run_open_trace(struct world *w)
{
	return opened(w, open("/dev/evntrace", O_RDWR | O_CLOEXEC));
}

static int run_close(struct world *w)
{
	int fd = w->fd;

	w->fd = -1;
	return close(fd) ? errno : 0;
}

static void undo_open(struct world *w)
{
	run_close(w);
}

static void prepare_file(struct world *w)
{
	run_open_prov(w);
}

/* Registrations in two pages of the area, and traits */
static void prepare_full_file(struct world *w)
{
	run_open_prov(w);
	dev_register(w->fd, H, 1, 0);
	dev_register(w->fd, HANDLE(2000, 1), 2, EVNTPROV_REGISTER_NOTIFY);
	dev_set_info(w->fd, H, EVNTPROV_INFO_TRAITS, "\7\0Name", 7);
}

static void prepare_bound(struct world *w)
{
	struct evntrace_start bound = {
		.flags = EVNTRACE_START_BOUND, .buffer_size = PAGE,
		.max_buffers = 1,
	};
	__u64 s;

	run_open_trace(w);
	if (dev_start(w->fd, "bound", LOG_DIR "/bound.etl", &bound, &s) ||
	    dev_enable(w->fd, s, 1)) {
		w->wrong = "no session to close";
		return;
	}
	close(w->fd);
	w->fd = dev_take_bound();
}

static int run_mmap(struct world *w)
{
	w->map = mmap(NULL, EVNTPROV_ENABLE_AREA_SIZE, PROT_READ, MAP_SHARED,
		      w->fd, 0);
	return w->map == MAP_FAILED ? errno : 0;
}

static void undo_mmap(struct world *w)
{
	munmap(w->map, EVNTPROV_ENABLE_AREA_SIZE);
}

static void prepare_mapped(struct world *w)
{
	run_open_prov(w);
	run_mmap(w);
}

static void undo_mapped(struct world *w)
{
	undo_mmap(w);
	run_close(w);
}

/* Touch a page of the area that has not been faulted in yet */
static int run_touch(struct world *w)
{
	const volatile struct evntprov_enable *area = w->map;

	if (area[1000].enabled || area[1000].sequence)
		w->wrong = "a new enable area is not empty";
	return 0;
}

/* The same page, touched by the kernel: nanosleep() reads a zero duration */
static int run_touch_by_kernel(struct world *w)
{
	return nanosleep(w->map, NULL) ? errno : 0;
}

static int run_poll(struct world *w)
{
	struct pollfd p = { .fd = w->prov, .events = POLLIN };
	int n = poll(&p, 1, 0);

	if (n > 0)
		w->wrong = "a notification can be read that was not sent";
	return n < 0 ? errno : 0;
}

static void prepare_epoll(struct world *w)
{
	w->fd = epoll_create1(EPOLL_CLOEXEC);
}

static int run_epoll(struct world *w)
{
	struct epoll_event e = { .events = EPOLLIN };

	return epoll_ctl(w->fd, EPOLL_CTL_ADD, w->prov, &e) ? errno : 0;
}

/* Sessions that exist while a call is tried */

static void start_one(struct world *w, unsigned int i)
{
	static const struct evntrace_start small = {
		.flags = EVNTRACE_START_BOUND, .max_buffers = 1,
	};
	const char *name = i ? "second" : "first";
	const char *path = i ? LOG_DIR "/second.etl" : LOG_DIR "/first.etl";

	if (dev_start(w->trace, name, path, &small, &w->session[i]))
		w->wrong = "no session to try the call with";
	else
		w->control[i] = dev_bound()->fds[dev_bound()->count - 1];
}

static void with_session(struct world *w)
{
	start_one(w, 0);
}

static void with_registration(struct world *w)
{
	with_session(w);
	dev_register(w->prov, H, 1, EVNTPROV_REGISTER_NOTIFY);
}

static void with_reported_registration(struct world *w)
{
	with_registration(w);
	dev_enable(w->trace, w->session[0], 1);
}

static void with_quiet_registration(struct world *w)
{
	with_session(w);
	dev_register(w->prov, H, 1, 0);
}

static void with_writer(struct world *w)
{
	with_quiet_registration(w);
	dev_enable(w->trace, w->session[0], 1);
}

static void with_writer_to_two(struct world *w)
{
	with_writer(w);
	start_one(w, 1);
	dev_enable(w->trace, w->session[1], 1);
}

/* Enable the provider in the second session only */
static void with_other_session(struct world *w)
{
	with_registration(w);
	start_one(w, 1);
	dev_enable(w->trace, w->session[1], 1);
}

/* Notifications */

/* Read a notification of at most 64 bytes of filter data */
static ssize_t read_one(int fd)
{
	struct {
		struct evntprov_notification n;
		char data[64];
	} room;

	return read(fd, &room, sizeof(room));
}

static unsigned int read_all(int fd)
{
	unsigned int count = 0;

	while (read_one(fd) > 0)
		count++;
	return count;
}

static void drain(struct world *w)
{
	read_all(w->prov);
}

static void prepare_reported(struct world *w)
{
	w->reported = 0;
	dev_enable(w->trace, w->session[0], 1);
}

static void prepare_reported_data(struct world *w)
{
	struct evntrace_enable arg = enable_arg(1);
	struct evntrace_filter own = { (uintptr_t)"own data", 8, 7 };

	w->reported = 0;
	arg.filters = (uintptr_t)&own;
	arg.filter_count = 1;
	dev_ioctl(w->trace, w->session[0], EVNTRACE_IOC_ENABLE, &arg);
}

static int run_read(struct world *w)
{
	if (read_one(w->prov) < 0)
		return errno;
	w->reported++;
	return 0;
}

static int run_read_state(struct world *w)
{
	struct {
		struct evntprov_notification n;
		char data[8];
	} room;

	return pread(w->prov, &room, sizeof(room), EVNTPROV_SLOT_SIZE) < 0 ?
	       errno : 0;
}

static void undo_read(struct world *w)
{
	w->reported += read_all(w->prov);
	if (w->reported != dev_status().registrations)
		w->wrong = "a notification was lost or sent twice";
}

/* The ioctls of /dev/evntprov */

static int run_version(struct world *w)
{
	struct evntprov_version v = { .size = sizeof(v) };

	return do_ioctl(w->prov, EVNTPROV_IOC_VERSION, &v);
}

static int run_trace_version(struct world *w)
{
	struct evntprov_version v = { .size = sizeof(v) };

	return do_ioctl(w->trace, EVNTPROV_IOC_VERSION, &v);
}

static int run_register_first(struct world *w)
{
	return dev_register(w->fd, H, 1, EVNTPROV_REGISTER_NOTIFY);
}

static void with_neighbour(struct world *w)
{
	dev_register(w->prov, HANDLE(2, 1), 2, 0);
}

static int run_register(struct world *w)
{
	return dev_register(w->prov, H, 1, EVNTPROV_REGISTER_NOTIFY);
}

static int run_unregister(struct world *w)
{
	return dev_unregister(w->prov, H);
}

static void undo_register(struct world *w)
{
	run_unregister(w);
}

static void with_enabled_provider(struct world *w)
{
	with_session(w);
	with_neighbour(w);
	dev_enable(w->trace, w->session[0], 1);
}

static void prepare_registered(struct world *w)
{
	run_register(w);
}

static int run_traits(struct world *w)
{
	return dev_set_info(w->prov, H, EVNTPROV_INFO_TRAITS, "\7\0Name", 7);
}

static void prepare_with_traits(struct world *w)
{
	run_register(w);
	run_traits(w);
}

static int run_descriptor_type(struct world *w)
{
	return dev_set_info(w->prov, H, EVNTPROV_INFO_DESCRIPTOR_TYPE, "\1", 1);
}

static int run_binary_track(struct world *w)
{
	return dev_set_info(w->prov, H, EVNTPROV_INFO_BINARY_TRACK, NULL, 0);
}

/* A manifest found by the caller's address, in this program's file */
static int run_manifest(struct world *w)
{
	return dev_set_info(w->prov, H, EVNTPROV_INFO_MANIFEST, run_manifest,
			    0);
}

static int written(struct world *w, struct evntprov_write *arg)
{
	int err = do_ioctl(w->prov, EVNTPROV_IOC_WRITE, arg);

	w->accepted += !err;
	return err;
}

static int write_blocks(struct world *w, unsigned int count)
{
	static struct evntprov_data data[EVNTPROV_MAX_DATA];
	struct evntprov_write arg = write_arg(H, data, count);
	unsigned int i;

	for (i = 0; i < count; i++)
		data[i] = (struct evntprov_data) { (uintptr_t)"abc", 3 };
	return written(w, &arg);
}

static int run_write_0(struct world *w)
{
	return write_blocks(w, 0);
}

static int run_write_1(struct world *w)
{
	return write_blocks(w, 1);
}

static int run_write_2(struct world *w)
{
	return write_blocks(w, 2);
}

static int run_write_128(struct world *w)
{
	return write_blocks(w, 128);
}

static void with_classic(struct world *w)
{
	with_session(w);
	dev_register(w->prov, H, 1, EVNTPROV_REGISTER_CLASSIC);
	dev_enable(w->trace, w->session[0], 1);
}

static int run_register_classic(struct world *w)
{
	return dev_register(w->prov, H, 1, EVNTPROV_REGISTER_CLASSIC);
}

static int run_write_classic(struct world *w)
{
	struct evntprov_data data = { .ptr = (uintptr_t)"abc", .len = 3 };
	struct evntprov_write arg = {
		.size = sizeof(arg), .flags = EVNTPROV_TRACE_EVENT, .handle = H,
		.session = w->session[0],
		.data = (uintptr_t)&data, .data_count = 1,
	};
	int err = do_ioctl(w->prov, EVNTPROV_IOC_WRITE, &arg);

	w->accepted += !err;
	return err;
}

/* From a program with a longer structure */
static int run_write_newer(struct world *w)
{
	struct { struct evntprov_write arg; __u64 more; } newer = {
		.arg = write_arg(H, NULL, 0),
	};

	newer.arg.size = sizeof(newer);
	return written(w, &newer.arg);
}

/* Map a file whose pages are removed before each try */
static void with_absent_pages(struct world *w)
{
	with_writer(w);
	w->pages = memfd_create("pages", MFD_CLOEXEC);
	if (ftruncate(w->pages, ABSENT * PAGE))
		w->wrong = "no pages to take away";
	w->map = mmap(NULL, ABSENT * PAGE, PROT_READ, MAP_SHARED, w->pages, 0);
}

static void prepare_absent(struct world *w)
{
	if (fallocate(w->pages, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		      ABSENT * PAGE))
		w->wrong = "pages stay where they should go";
}

static int write_absent(struct world *w, unsigned int count)
{
	struct evntprov_data data[ABSENT];
	struct evntprov_write arg = write_arg(H, data, count);
	unsigned int i;

	for (i = 0; i < count; i++)
		data[i] = (struct evntprov_data) {
			(uintptr_t)w->map + i * PAGE, 4,
		};
	return written(w, &arg);
}

static int run_write_absent_1(struct world *w)
{
	return write_absent(w, 1);
}

static int run_write_absent_128(struct world *w)
{
	return write_absent(w, ABSENT);
}

static void with_stacks(struct world *w)
{
	struct evntrace_enable arg;

	with_quiet_registration(w);
	arg = enable_arg(1);
	arg.property = EVNTRACE_PROPERTY_STACK_TRACE;
	if (dev_ioctl(w->trace, w->session[0], EVNTRACE_IOC_ENABLE, &arg))
		w->wrong = "no call stacks";
}

static size_t image_size;

/* Map an image longer than the last, to be announced before the next event */
static void prepare_image(struct world *w)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	image_size += PAGE;
	w->map = mmap(NULL, image_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		      0);
	if (w->map == MAP_FAILED)
		w->wrong = "no image";
	close(fd);
}

static void undo_image(struct world *w)
{
	munmap(w->map, image_size);
}

/* The ioctls of /dev/evntrace */

static void with_bound_start(struct world *w)
{
	with_log(w);
	w->start.flags = EVNTRACE_START_BOUND;
	w->start.guid = guid_of(5);
	w->start.clock_type = EVNTRACE_CLOCK_SYSTEM_TIME;
	w->start.log_file_mode = EVNTRACE_MODE_SEQUENTIAL;
	w->start.flush_ms = 1000;
}

/* So many buffers that their table needs more than a small allocation */
static void with_many_buffers(struct world *w)
{
	with_log(w);
	w->start.min_buffers = 70;
}

/* In newfile mode, with the name pattern of the next files */
static void with_series(struct world *w)
{
	static const __u16 name[] = { '%', 'd' };
	static struct evntrace_newfile series;

	with_log(w);
	w->fd = open(LOG_DIR, O_PATH | O_DIRECTORY | O_CLOEXEC);
	series = (struct evntrace_newfile) {
		.size = sizeof(series), .file = (uintptr_t)"%d", .file_len = 2,
		.name = (uintptr_t)name, .name_len = 2, .dir_fd = w->fd,
	};
	w->start.series = (uintptr_t)&series;
	w->start.max_file_size = 1;
	w->start.log_file_mode = EVNTRACE_MODE_NEWFILE;
}

static void prepare_start(struct world *w)
{
	if (ftruncate(w->log, 0))
		w->wrong = "the log file cannot be emptied";
}

static int run_open_session(struct world *w)
{
	static const __u16 name[] = { 'F', 'i', 'r', 's', 't' };
	struct evntrace_open f = {
		.size = sizeof(f), .flags = EVNTRACE_OPEN_MAXIMUM,
		.name = (uintptr_t)name, .name_len = 5,
	};
	int err = do_ioctl(w->trace, EVNTRACE_IOC_OPEN, &f);

	if (!err && f.handle != w->session[0])
		w->wrong = "another session was found";
	return err;
}

/* Issue @cmd with room for both names */
static int control(struct world *w, __u32 operation)
{
	__u16 name[16], log_name[16];
	struct evntrace_session s = {
		.size = sizeof(s),
		.name = (uintptr_t)name, .name_len = 16,
		.log_name = (uintptr_t)log_name, .log_name_len = 16,
		.control = operation,
	};

	return session_ioctl(w->control[0], &s);
}

static int run_query(struct world *w)
{
	return control(w, DEV_QUERY);
}

static void prepare_flush(struct world *w)
{
	run_write_1(w);
}

static int run_flush(struct world *w)
{
	return control(w, EVNTRACE_CONTROL_FLUSH);
}

/* Enable the first session's provider in a second session too */
static void with_second_session(struct world *w)
{
	dev_register(w->prov, H, 1, 0);
	start_one(w, 1);
	dev_enable(w->trace, w->session[1], 1);
}

static void prepare_stop(struct world *w)
{
	static const struct evntrace_start small = {
		.buffer_size = PAGE, .max_buffers = 1,
	};

	if (dev_start(w->trace, "first", LOG, &small, &w->session[0]))
		w->wrong = "no session to stop";
	w->control[0] = dev_open_session(w->trace, w->session[0], 0);
	dev_enable(w->trace, w->session[0], 1);
	dev_enable(w->trace, w->session[0], 2);
}

static int run_stop(struct world *w)
{
	int err = control(w, EVNTRACE_CONTROL_STOP);

	if (!err)
		w->session[0] = 0;
	return err;
}

static void undo_stop(struct world *w)
{
	w->session[0] = 0;
	close(w->control[0]);
}

static int enable(struct world *w, __u32 control, __u32 timeout_ms)
{
	struct evntrace_enable e = enable_arg(1);

	e.control = control;
	e.timeout_ms = timeout_ms;
	return do_ioctl(w->control[0], EVNTRACE_IOC_ENABLE, &e);
}

static int run_enable(struct world *w)
{
	return enable(w, EVNTPROV_CONTROL_ENABLE, 0);
}

static int run_enable_and_wait(struct world *w)
{
	return enable(w, EVNTPROV_CONTROL_ENABLE, EVNTRACE_TIMEOUT_INFINITE);
}

static int run_disable(struct world *w)
{
	return enable(w, EVNTPROV_CONTROL_DISABLE, 0);
}

static int run_capture(struct world *w)
{
	return enable(w, EVNTPROV_CONTROL_CAPTURE_STATE, 0);
}

static void prepare_enabled(struct world *w)
{
	run_enable(w);
	drain(w);
}

static void undo_enable(struct world *w)
{
	run_disable(w);
	drain(w);
}

static int list(struct world *w, __u32 kind, __u32 element_size, __u32 count)
{
	static struct evntrace_registration elements[65536];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = kind, .element_size = element_size,
		.elements = (uintptr_t)elements, .count = count,
	};

	return do_ioctl(w->trace, EVNTRACE_IOC_LIST, &l);
}

static int run_list_sessions(struct world *w)
{
	return list(w, EVNTRACE_LIST_SESSIONS, sizeof(__u64), 8);
}

static int run_list_registrations(struct world *w)
{
	return list(w, EVNTRACE_LIST_REGISTRATIONS,
		    sizeof(struct evntrace_registration), 8);
}

/* Request more elements than fit in any single allocation */
static int run_list_most(struct world *w)
{
	return list(w, EVNTRACE_LIST_REGISTRATIONS,
		    sizeof(struct evntrace_registration), 65536);
}

static int run_list_enablements(struct world *w)
{
	return list(w, EVNTRACE_LIST_ENABLEMENTS,
		    sizeof(struct evntrace_enablement), 8);
}

static const struct call prov_calls[] = {
	{ "open", .run = run_open_prov, .undo = undo_open, .alloc = ENOMEM,
	  .copy = EFAULT },
	{ "close", .prepare = prepare_full_file, .run = run_close },
	{ "mmap", .prepare = prepare_file, .run = run_mmap, .undo = undo_mapped,
	  .alloc = ENOMEM },
	{ "enable area", .prepare = prepare_mapped, .run = run_touch,
	  .undo = undo_mapped },
	{ "enable area, by the kernel", .prepare = prepare_mapped,
	  .run = run_touch_by_kernel, .undo = undo_mapped, .alloc = EFAULT,
	  .copy = EFAULT },
	{ "poll", .run = run_poll, .alloc = ENOMEM, .copy = EFAULT },
	{ "epoll_ctl", .prepare = prepare_epoll, .run = run_epoll,
	  .undo = undo_open, .alloc = ENOMEM, .copy = EFAULT },
	{ "read", .set_up = with_reported_registration,
	  .prepare = prepare_reported, .run = run_read, .undo = undo_read,
	  .copy = EFAULT },
	{ "read of filter data", .set_up = with_reported_registration,
	  .prepare = prepare_reported_data, .run = run_read,
	  .undo = undo_read, .alloc = ENOMEM, .copy = EFAULT },
	{ "pread", .set_up = with_reported_registration,
	  .prepare = prepare_reported_data, .run = run_read_state,
	  .undo = undo_read, .alloc = ENOMEM, .copy = EFAULT },
	{ "VERSION", .run = run_version, .copy = EFAULT },
	{ "REGISTER, first", .prepare = prepare_file, .run = run_register_first,
	  .undo = undo_open, .alloc = ENOMEM, .copy = EFAULT },
	{ "REGISTER, later", .set_up = with_neighbour, .run = run_register,
	  .undo = undo_register, .alloc = ENOMEM, .copy = EFAULT },
	{ "REGISTER, enabled", .set_up = with_enabled_provider,
	  .run = run_register, .undo = undo_register, .alloc = ENOMEM,
	  .copy = EFAULT },
	{ "REGISTER, classic", .set_up = with_enabled_provider,
	  .run = run_register_classic, .undo = undo_register, .alloc = ENOMEM,
	  .copy = EFAULT },
	{ "UNREGISTER", .prepare = prepare_with_traits, .run = run_unregister,
	  .copy = EFAULT },
	{ "SET_INFORMATION, traits", .prepare = prepare_registered,
	  .run = run_traits, .undo = undo_register, .alloc = ENOMEM,
	  .copy = EFAULT },
	{ "SET_INFORMATION, type", .prepare = prepare_registered,
	  .run = run_descriptor_type, .undo = undo_register, .copy = EFAULT },
	{ "SET_INFORMATION, track", .prepare = prepare_registered,
	  .run = run_binary_track, .undo = undo_register, .copy = EFAULT },
	{ "SET_INFORMATION, manifest", .prepare = prepare_registered,
	  .run = run_manifest, .undo = undo_register, .alloc = ENOMEM,
	  .copy = EFAULT },
	{ "WRITE_CLASSIC", .set_up = with_classic, .run = run_write_classic,
	  .copy = EFAULT, .heals = true },
	{ "WRITE, 0 blocks", .set_up = with_writer, .run = run_write_0,
	  .copy = EFAULT, .heals = true },
	{ "WRITE, 1 block", .set_up = with_writer, .run = run_write_1,
	  .copy = EFAULT, .heals = true },
	{ "WRITE, 2 blocks, 2 sessions", .set_up = with_writer_to_two,
	  .run = run_write_2, .copy = EFAULT, .heals = true },
	{ "WRITE, 128 blocks", .set_up = with_writer, .run = run_write_128,
	  .copy = EFAULT, .heals = true },
	{ "WRITE, newer", .set_up = with_writer, .run = run_write_newer,
	  .copy = EFAULT },
	{ "WRITE, absent page", .set_up = with_absent_pages,
	  .prepare = prepare_absent, .run = run_write_absent_1, .alloc = EFAULT,
	  .copy = EFAULT },
	{ "WRITE, 128 absent pages", .set_up = with_absent_pages,
	  .prepare = prepare_absent, .run = run_write_absent_128,
	  .alloc = EFAULT, .copy = EFAULT },
	{ "WRITE, with its stack", .set_up = with_stacks,
	  .prepare = prepare_image, .run = run_write_1, .undo = undo_image,
	  .copy = EFAULT, .heals = true, .images = true },
};

static const struct call trace_calls[] = {
	{ "open", .run = run_open_trace, .undo = undo_open,
	  .alloc = ENOMEM, .copy = EFAULT },
	{ "close, bound session", .prepare = prepare_bound, .run = run_close },
	{ "VERSION", .run = run_trace_version, .copy = EFAULT },
	{ "OPEN", .set_up = with_session, .run = run_open_session,
	  .alloc = ENOMEM, .copy = EFAULT },
	{ "QUERY", .set_up = with_session, .run = run_query, .copy = EFAULT },
	{ "FLUSH", .set_up = with_writer, .prepare = prepare_flush,
	  .run = run_flush, .copy = EFAULT, .ends = true },
	{ "STOP", .set_up = with_second_session, .prepare = prepare_stop,
	  .run = run_stop, .undo = undo_stop, .copy = EFAULT, .ends = true },
	{ "ENABLE, not registered", .set_up = with_session,
	  .run = run_enable, .undo = undo_enable,
	  .alloc = ENOMEM, .copy = EFAULT },
	{ "ENABLE, registered", .set_up = with_registration,
	  .run = run_enable, .undo = undo_enable,
	  .alloc = ENOMEM, .copy = EFAULT },
	{ "ENABLE, second session", .set_up = with_other_session,
	  .run = run_enable, .undo = undo_enable,
	  .alloc = ENOMEM, .copy = EFAULT },
	{ "ENABLE, again", .set_up = with_registration,
	  .prepare = prepare_enabled, .run = run_enable, .undo = undo_enable,
	  .alloc = ENOMEM, .copy = EFAULT },
	{ "ENABLE, waiting", .set_up = with_quiet_registration,
	  .run = run_enable_and_wait, .undo = undo_enable,
	  .alloc = ENOMEM, .copy = EFAULT },
	{ "ENABLE, disable", .set_up = with_registration,
	  .prepare = prepare_enabled, .run = run_disable, .undo = drain,
	  .copy = EFAULT },
	{ "ENABLE, disable one of two", .set_up = with_other_session,
	  .prepare = prepare_enabled, .run = run_disable, .undo = drain,
	  .copy = EFAULT },
	{ "ENABLE, capture state", .set_up = with_registration,
	  .run = run_capture, .undo = drain, .copy = EFAULT },
	{ "ENABLE, capture state of none", .set_up = with_session,
	  .run = run_capture, .alloc = ENOMEM, .copy = EFAULT },
	{ "LIST, sessions", .set_up = with_session,
	  .run = run_list_sessions, .alloc = ENOMEM, .copy = EFAULT },
	{ "LIST, registrations", .set_up = with_registration,
	  .run = run_list_registrations, .alloc = ENOMEM, .copy = EFAULT },
	{ "LIST, enablements", .set_up = with_writer,
	  .run = run_list_enablements, .alloc = ENOMEM, .copy = EFAULT },
	{ "LIST, 65536", .set_up = with_registration, .run = run_list_most,
	  .alloc = ENOMEM, .copy = EFAULT, .stride = 499 },
};

#define START(name_, set_up_, ...)					\
	{ "START, " name_, .set_up = set_up_, .prepare = prepare_start,	\
	  .run = run_start, .undo = undo_start, .alloc = ENOMEM, __VA_ARGS__ }

static const struct call start_calls[] = {
	START("small", with_log, .copy = EFAULT),
	START("bound", with_bound_start, .copy = EFAULT, .stride = 13),
	START("series", with_series, .copy = EFAULT, .stride = 7),
	START("defaults", with_default_start, .copy = EFAULT, .stride = 29),
	START("70 buffers", with_many_buffers, .copy = EFAULT, .stride = 199),
};

#endif /* EVNT_TEST_FAULTS_CALLS_H */
