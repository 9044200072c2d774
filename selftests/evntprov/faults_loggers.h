/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls about private loggers: as in faults_calls.h.
 *
 * The world's own file takes part; it asks for nothing before it is told to, so
 * that no controller waits for it.
 */
#ifndef EVNT_TEST_FAULTS_LOGGERS_H
#define EVNT_TEST_FAULTS_LOGGERS_H

#include "faults_calls.h"
#include "loggers.h"

static const char logger_name[] = "Logger";
static __u64 logger;
static __u32 logger_pid;
static struct evntrace_filter logger_filter;

static void take_part(struct world *w)
{
	struct evntprov_loggers arg = {
		.size = sizeof(arg), .flags = EVNTPROV_LOGGERS_LATER,
	};

	logger_pid = getpid();
	logger_filter = (struct evntrace_filter) {
		.ptr = (uintptr_t)&logger_pid, .len = sizeof(logger_pid),
		.type = EVNTRACE_FILTER_PID,
	};
	if (do_ioctl(w->prov, EVNTPROV_IOC_LOGGERS, &arg))
		w->wrong = "nobody can take part in private loggers";
}

static void with_member(struct world *w)
{
	take_part(w);
	door_register(w->prov, H, 1, 0);
}

static int run_take_part(struct world *w)
{
	struct evntprov_loggers arg = {
		.size = sizeof(arg), .flags = EVNTPROV_LOGGERS_LATER,
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_LOGGERS, &arg);
}

static int run_logger_start(struct world *w)
{
	int err = logger_start(w->trace, logger_name, &logger_filter, &logger);

	if (err)
		logger = 0;
	return err;
}

static int control_logger(struct world *w, unsigned long cmd)
{
	return logger_control(w->trace, cmd, logger, &logger_filter);
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

	if (!err && found != logger)
		w->wrong = "another logger was found";
	return err;
}

static int run_logger_filters(struct world *w)
{
	char room[256];
	struct evntrace_filters f = {
		.size = sizeof(f), .handle = logger,
		.buffer = (uintptr_t)room, .len = sizeof(room),
	};

	return do_ioctl(w->trace, EVNTRACE_IOC_FILTERS, &f);
}

static int run_logger_update(struct world *w)
{
	return logger_update(w->trace, logger);
}

static int run_logger_enable(struct world *w)
{
	static const __u8 ids[] = { 1, 0, 1, 0, 7, 0 };
	const struct evntrace_filter f = {
		.ptr = (uintptr_t)ids, .len = sizeof(ids),
		.type = EVNTRACE_FILTER_EVENT_ID,
	};
	struct evntrace_enable e = enable_arg(logger, 1);

	e.filters = (uintptr_t)&f;
	e.filter_count = 1;
	return do_ioctl(w->trace, EVNTRACE_IOC_ENABLE, &e);
}

static int run_list_loggers(struct world *w)
{
	return list(w, EVNTRACE_LIST_LOGGERS, sizeof(__u64), 64);
}

/* On the side of who takes part */

static int run_register_member(struct world *w)
{
	return door_register(w->prov, H, 1, 0);
}

static void undo_register_member(struct world *w)
{
	door_unregister(w->prov, H);
	undo_logger(w);
}

static int run_logger_told(struct world *w)
{
	__u16 name[16], log_name[16];
	struct evntprov_logger l = {
		.size = sizeof(l),
		.name = (uintptr_t)name, .name_len = 16,
		.log_name = (uintptr_t)log_name, .log_name_len = 16,
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_LOGGER, &l);
}

static int run_logger_enabled(struct world *w)
{
	char room[256];
	struct evntprov_logger_enabled e = {
		.size = sizeof(e), .handle = logger,
		.buffer = (uintptr_t)room, .len = sizeof(room),
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_LOGGER_ENABLED, &e);
}

/* It takes part no more */
static int run_logger_report(struct world *w)
{
	struct evntprov_logger_report r = {
		.size = sizeof(r), .flags = EVNTPROV_LOGGER_DONE,
		.handle = logger, .version = 1,
	};

	return do_ioctl(w->prov, EVNTPROV_IOC_LOGGER_REPORT, &r);
}

/* Nobody waits for who has nothing to report any more */
static void undo_told(struct world *w)
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

#define OF_LOGGER(name_, run_, ...)					\
	{ name_ ", private logger", .set_up = with_member,		\
	  .prepare = prepare_logger, .run = run_, .undo = undo_logger,	\
	  .copy = EFAULT, __VA_ARGS__ }

static const struct call logger_calls[] = {
	{ "START, private logger", .set_up = with_member,
	  .run = run_logger_start, .undo = undo_logger,
	  .alloc = ENOMEM, .copy = EFAULT },
	OF_LOGGER("FIND", run_logger_find, .alloc = ENOMEM),
	OF_LOGGER("QUERY", run_logger_query, .alloc = ENOMEM),
	OF_LOGGER("FLUSH", run_logger_flush, .alloc = ENOMEM, .ends = true),
	OF_LOGGER("UPDATE", run_logger_update, .alloc = ENOMEM),
	OF_LOGGER("FILTERS", run_logger_filters, .alloc = ENOMEM),
	OF_LOGGER("ENABLE", run_logger_enable, .alloc = ENOMEM),
	OF_LOGGER("LIST", run_list_loggers, .alloc = ENOMEM),
	{ "STOP, private logger", .set_up = with_member,
	  .prepare = prepare_logger, .run = run_logger_stop, .undo = drain,
	  .alloc = ENOMEM, .copy = EFAULT, .ends = true },
	{ "LOGGERS", .set_up = with_member, .run = run_take_part,
	  .copy = EFAULT },
	{ "REGISTER, private logger", .set_up = take_part,
	  .prepare = prepare_logger, .run = run_register_member,
	  .undo = undo_register_member, .alloc = ENOMEM, .copy = EFAULT },
	{ "LOGGER", .set_up = with_member, .prepare = prepare_logger,
	  .run = run_logger_told, .undo = undo_told, .copy = EFAULT },
	{ "LOGGER_ENABLED", .set_up = with_member,
	  .prepare = prepare_logger_enabled, .run = run_logger_enabled,
	  .undo = undo_logger, .alloc = ENOMEM, .copy = EFAULT },
	{ "LOGGER_REPORT", .set_up = with_member, .prepare = prepare_logger,
	  .run = run_logger_report, .undo = undo_logger, .copy = EFAULT },
};

#endif /* EVNT_TEST_FAULTS_LOGGERS_H */
