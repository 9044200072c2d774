/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls for private sessions, as in faults_calls.h.
 *
 * The file in the environment participates, but requests nothing until it has
 * been notified, so that no controller waits for it.
 */
#ifndef EVNT_TEST_FAULTS_LOGGERS_H
#define EVNT_TEST_FAULTS_LOGGERS_H

#include "selftests/evntprov/abi/faults_calls.h"
#include "selftests/evntprov/private/loggers.h"

static const char logger_name[] = "Logger";
static __u64 request;
static __u32 logger_pid;
static struct evntrace_filter logger_filter;

static void take_part(struct world *w)
{
	struct evntprov_private_join arg = {
		.size = sizeof(arg), .flags = EVNTPROV_PRIVATE_DEFER,
	};

	logger_pid = getpid();
	logger_filter = (struct evntrace_filter) {
		.ptr = (uintptr_t)&logger_pid, .len = sizeof(logger_pid),
		.type = EVNTRACE_FILTER_PID,
	};
	if (do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE_JOIN, &arg))
		w->wrong = "nobody can take part in private loggers";
}

static void with_member(struct world *w)
{
	take_part(w);
	dev_register(w->prov, H, 1, 0);
}

static int run_take_part(struct world *w)
{
	struct evntprov_private_join arg = {
		.size = sizeof(arg), .flags = EVNTPROV_PRIVATE_DEFER,
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE_JOIN, &arg);
}

static int run_logger_start(struct world *w)
{
	int err = logger_start(w->trace, logger_name, &logger_filter, &request);

	if (err)
		request = 0;
	return err;
}

static int control_logger(struct world *w, unsigned long cmd)
{
	return logger_control(w->trace, cmd, request, &logger_filter);
}

static int run_logger_query(struct world *w)
{
	return control_logger(w, EVNTRACE_IOC_QUERY);
}

static int run_logger_flush(struct world *w)
{
	return control_logger(w, EVNTRACE_IOC_FLUSH);
}

static int run_logger_stop(struct world *w)
{
	return control_logger(w, EVNTRACE_IOC_STOP);
}

static void prepare_logger(struct world *w)
{
	if (run_logger_start(w))
		w->wrong = "a private logger cannot be started";
}

static void undo_logger(struct world *w)
{
	if (run_logger_stop(w))
		w->wrong = "a private logger cannot be stopped";
	drain(w);
}

static int run_logger_find(struct world *w)
{
	__u64 found;
	int err = logger_find(w->trace, logger_name, &logger_filter, &found);

	if (!err && found != request)
		w->wrong = "another logger was found";
	return err;
}

static int run_logger_filters(struct world *w)
{
	char room[256];
	struct evntrace_filters f = {
		.size = sizeof(f), .handle = request,
		.buffer = (uintptr_t)room, .len = sizeof(room),
	};

	return do_ioctl(w->trace, EVNTRACE_IOC_QUERY_FILTERS, &f);
}

static int run_logger_update(struct world *w)
{
	return logger_update(w->trace, request);
}

static int run_logger_enable(struct world *w)
{
	static const __u8 ids[] = { 1, 0, 1, 0, 7, 0 };
	const struct evntrace_filter f = {
		.ptr = (uintptr_t)ids, .len = sizeof(ids),
		.type = EVNTRACE_FILTER_EVENT_ID,
	};
	struct evntrace_enable e = enable_arg(request, 1);

	e.filters = (uintptr_t)&f;
	e.filter_count = 1;
	return do_ioctl(w->trace, EVNTRACE_IOC_ENABLE, &e);
}

static int run_list_loggers(struct world *w)
{
	return list(w, EVNTRACE_LIST_PRIVATE, sizeof(__u64), 64);
}

/* Calls of the participant */

static int run_register_member(struct world *w)
{
	return dev_register(w->prov, H, 1, 0);
}

static void undo_register_member(struct world *w)
{
	dev_unregister(w->prov, H);
	undo_logger(w);
}

static int run_logger_reported(struct world *w)
{
	__u16 name[16], log_name[16];
	struct evntprov_private l = {
		.size = sizeof(l),
		.name = (uintptr_t)name, .name_len = 16,
		.log_name = (uintptr_t)log_name, .log_name_len = 16,
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE_NEXT, &l);
}

static int run_logger_enabled(struct world *w)
{
	char room[256];
	struct evntprov_private_enables e = {
		.size = sizeof(e), .handle = request,
		.buffer = (uintptr_t)room, .len = sizeof(room),
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE_ENABLES, &e);
}

/* Report that the participant is done with the private session */
static int run_logger_report(struct world *w)
{
	struct evntprov_private_report r = {
		.size = sizeof(r), .flags = EVNTPROV_PRIVATE_DONE,
		.handle = request, .version = 1,
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_PRIVATE_REPORT, &r);
}

/* A controller does not wait for a participant without pending reports */
static void undo_reported(struct world *w)
{
	run_logger_report(w);
	take_part(w);
	undo_logger(w);
}

static void prepare_logger_enabled(struct world *w)
{
	prepare_logger(w);
	if (run_logger_enable(w))
		w->wrong = "a private logger cannot enable";
}

#define OF_PRIVATE(name_, run_, ...)					\
	{ name_ ", private logger", .set_up = with_member,		\
	  .prepare = prepare_logger, .run = run_, .undo = undo_logger,	\
	  .copy = EFAULT, __VA_ARGS__ }

static const struct call logger_calls[] = {
	{ "START, private logger", .set_up = with_member,
	  .run = run_logger_start, .undo = undo_logger,
	  .alloc = ENOMEM, .copy = EFAULT },
	OF_PRIVATE("FIND", run_logger_find, .alloc = ENOMEM),
	OF_PRIVATE("QUERY", run_logger_query, .alloc = ENOMEM),
	OF_PRIVATE("FLUSH", run_logger_flush, .alloc = ENOMEM, .ends = true),
	OF_PRIVATE("UPDATE", run_logger_update, .alloc = ENOMEM),
	OF_PRIVATE("FILTERS", run_logger_filters, .alloc = ENOMEM),
	OF_PRIVATE("ENABLE", run_logger_enable, .alloc = ENOMEM),
	OF_PRIVATE("LIST", run_list_loggers, .alloc = ENOMEM),
	{ "STOP, private logger", .set_up = with_member,
	  .prepare = prepare_logger, .run = run_logger_stop, .undo = drain,
	  .alloc = ENOMEM, .copy = EFAULT, .ends = true },
	{ "LOGGERS", .set_up = with_member, .run = run_take_part,
	  .copy = EFAULT },
	{ "REGISTER, private logger", .set_up = take_part,
	  .prepare = prepare_logger, .run = run_register_member,
	  .undo = undo_register_member, .alloc = ENOMEM, .copy = EFAULT },
	{ "LOGGER", .set_up = with_member, .prepare = prepare_logger,
	  .run = run_logger_reported, .undo = undo_reported, .copy = EFAULT },
	{ "LOGGER_ENABLED", .set_up = with_member,
	  .prepare = prepare_logger_enabled, .run = run_logger_enabled,
	  .undo = undo_logger, .alloc = ENOMEM, .copy = EFAULT },
	{ "LOGGER_REPORT", .set_up = with_member, .prepare = prepare_logger,
	  .run = run_logger_report, .undo = undo_logger, .copy = EFAULT },
};

#endif /* EVNT_TEST_FAULTS_LOGGERS_H */
