/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls for private sessions, as in faults_calls.h.
 *
 * The file in the environment participates, but requests nothing until it has
 * been notified, so that no controller waits for it.
 */
#ifndef EVNT_TEST_FAULTS_PRIVATE_H
#define EVNT_TEST_FAULTS_PRIVATE_H

#include "selftests/evntprov/abi/faults_calls.h"
#include "selftests/evntprov/private/private_ioctl.h"

static const char private_name[] = "Private";
static __u64 request;
static __u32 private_pid;
static struct evntrace_filter private_filter;

static void private_join(struct world *w)
{
	struct evntprov_private arg = {
		.size = sizeof(arg), .flags = EVNTPROV_PRIVATE_DEFER,
	};

	private_pid = getpid();
	private_filter = (struct evntrace_filter) {
		.ptr = (uintptr_t)&private_pid, .len = sizeof(private_pid),
		.type = EVNTRACE_FILTER_PID,
	};
	if (do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE, &arg))
		w->wrong = "the process cannot participate in private sessions";
}

static void with_participant(struct world *w)
{
	private_join(w);
	dev_register(w->prov, H, 1, 0);
}

static int run_private_join(struct world *w)
{
	struct evntprov_private arg = {
		.size = sizeof(arg), .flags = EVNTPROV_PRIVATE_DEFER,
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE, &arg);
}

static int run_private_start(struct world *w)
{
	int err = private_start(w->trace, private_name, &private_filter,
				&request);

	if (err)
		request = 0;
	return err;
}

static int control_private(struct world *w, __u32 operation)
{
	return private_control(w->trace, operation, request, &private_filter);
}

static int run_private_query(struct world *w)
{
	return control_private(w, DEV_QUERY);
}

static int run_private_flush(struct world *w)
{
	return control_private(w, EVNTRACE_CONTROL_FLUSH);
}

static int run_private_stop(struct world *w)
{
	return control_private(w, EVNTRACE_CONTROL_STOP);
}

static void prepare_private(struct world *w)
{
	if (run_private_start(w))
		w->wrong = "a private session cannot be started";
}

static void undo_private(struct world *w)
{
	if (run_private_stop(w))
		w->wrong = "a private session cannot be stopped";
	drain(w);
}

static int run_private_find(struct world *w)
{
	__u64 found = 0;
	int err = private_find(w->trace, private_name, &private_filter, &found);

	if (!err && found != request)
		w->wrong = "another private session was found";
	return err;
}

static int run_private_filters(struct world *w)
{
	__u64 room[32];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_FILTERS,
		.element_size = sizeof(*room), .elements = (uintptr_t)room,
		.count = 32,
	};

	return dev_list_of(w->trace, request, &l);
}

static int run_private_update(struct world *w)
{
	return private_update(w->trace, request);
}

static int run_private_enable(struct world *w)
{
	static const __u8 ids[] = { 1, 0, 1, 0, 7, 0 };
	const struct evntrace_filter f = {
		.ptr = (uintptr_t)ids, .len = sizeof(ids),
		.type = EVNTRACE_FILTER_EVENT_ID,
	};
	struct evntrace_enable e = enable_arg(1);

	e.filters = (uintptr_t)&f;
	e.filter_count = 1;
	return dev_ioctl(w->trace, request, EVNTRACE_IOC_ENABLE, &e);
}

static int run_list_private(struct world *w)
{
	return list(w, EVNTRACE_LIST_PRIVATE, sizeof(__u64), 64);
}

/* Calls of the participant */

static int run_register_participant(struct world *w)
{
	return dev_register(w->prov, H, 1, 0);
}

static void undo_register_participant(struct world *w)
{
	dev_unregister(w->prov, H);
	undo_private(w);
}

static int next_after(struct world *w, __u64 handle)
{
	char room[512];
	struct evntprov_private arg = {
		.size = sizeof(arg), .handle = handle,
		.description = (uintptr_t)room, .len = sizeof(room),
	};
	int err = do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE, &arg);

	if (!err && (arg.handle != request || arg.len > sizeof(room)))
		w->wrong = "another private session was described";
	return err;
}

/* Query the first session, and with it all changes */
static int run_private_first(struct world *w)
{
	return next_after(w, 0);
}

static int run_private_next(struct world *w)
{
	return next_after(w, request - 1);
}

/* Report that the participant is done with the private session */
static int run_private_done(struct world *w)
{
	struct evntprov_private arg = {
		.size = sizeof(arg), .flags = EVNTPROV_PRIVATE_DONE,
		.handle = request, .version = 1,
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE, &arg);
}

/* A controller does not wait for a participant without pending reports */
static void undo_private_next(struct world *w)
{
	run_private_done(w);
	private_join(w);
	undo_private(w);
}

static void prepare_private_enabled(struct world *w)
{
	prepare_private(w);
	if (run_private_enable(w))
		w->wrong = "a private session cannot enable";
}

/* Name a buffer, and the environment's log */
static int run_rescue(struct world *w)
{
	static __u8 buffer[PAGE] __attribute__((aligned(PAGE)));
	static __u64 address, written;
	struct evntprov_rescue arg = {
		.size = sizeof(arg), .log_fd = w->log, .buffer_size = PAGE,
		.count = 1, .buffers = (uintptr_t)&address,
		.written = (uintptr_t)&written,
	};

	address = (uintptr_t)buffer;
	return do_ioctl(w->prov, EVNTPROV_IOC_RESCUE, &arg);
}

static void with_rescue_log(struct world *w)
{
	with_log(w);
	if (ftruncate(w->log, PAGE))
		w->wrong = "a log has no room for a header";
}

static void undo_rescue(struct world *w)
{
	struct evntprov_rescue arg = { .size = sizeof(arg), .log_fd = -1 };

	if (do_ioctl(w->prov, EVNTPROV_IOC_RESCUE, &arg))
		w->wrong = "a log cannot be forgotten";
}

#define OF_PRIVATE(name_, run_, ...)					\
	{ name_ ", private session", .set_up = with_participant,	\
	  .prepare = prepare_private, .run = run_,			\
	  .undo = undo_private,						\
	  .copy = EFAULT, __VA_ARGS__ }

static const struct call private_calls[] = {
	{ "START, private session", .set_up = with_participant,
	  .run = run_private_start, .undo = undo_private,
	  .alloc = ENOMEM, .copy = EFAULT },
	OF_PRIVATE("OPEN", run_private_find, .alloc = ENOMEM),
	OF_PRIVATE("QUERY", run_private_query, .alloc = ENOMEM),
	OF_PRIVATE("FLUSH", run_private_flush, .alloc = ENOMEM, .ends = true),
	OF_PRIVATE("UPDATE", run_private_update, .alloc = ENOMEM),
	OF_PRIVATE("FILTERS", run_private_filters, .alloc = ENOMEM),
	OF_PRIVATE("ENABLE", run_private_enable, .alloc = ENOMEM),
	OF_PRIVATE("LIST", run_list_private, .alloc = ENOMEM),
	{ "STOP, private session", .set_up = with_participant,
	  .prepare = prepare_private, .run = run_private_stop, .undo = drain,
	  .alloc = ENOMEM, .copy = EFAULT, .ends = true },
	{ "PRIVATE, deferred", .set_up = with_participant,
	  .run = run_private_join, .copy = EFAULT },
	{ "REGISTER, private session", .set_up = private_join,
	  .prepare = prepare_private, .run = run_register_participant,
	  .undo = undo_register_participant, .alloc = ENOMEM, .copy = EFAULT },
	{ "PRIVATE, first", .set_up = with_participant,
	  .prepare = prepare_private, .run = run_private_first,
	  .undo = undo_private_next, .alloc = ENOMEM, .copy = EFAULT },
	{ "PRIVATE, next", .set_up = with_participant,
	  .prepare = prepare_private_enabled, .run = run_private_next,
	  .undo = undo_private_next, .alloc = ENOMEM, .copy = EFAULT },
	{ "PRIVATE, done", .set_up = with_participant,
	  .prepare = prepare_private, .run = run_private_done,
	  .undo = undo_private, .copy = EFAULT },
	{ "RESCUE", .set_up = with_rescue_log, .run = run_rescue,
	  .undo = undo_rescue, .alloc = ENOMEM, .copy = EFAULT },
};

#endif /* EVNT_TEST_FAULTS_PRIVATE_H */
