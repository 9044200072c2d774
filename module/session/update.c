// SPDX-License-Identifier: GPL-2.0
/*
 * Changes to a running session: its log file, real-time mode, its flush timer.
 *
 * The caller prepares everything that is needed, memory and log file, and hands
 * it to the writer thread.  The thread applies all changes at once, after the
 * events that were accepted before the call.
 */
#include <linux/slab.h>

#include "core/log_header.h"
#include "module/session/session.h"

/* Changes of the log file, and of real-time mode */
#define OF_THE_LOG	(EVNTRACE_UPDATE_LOG | EVNTRACE_UPDATE_NO_LOG)
#define OF_REAL_TIME	(EVNTRACE_UPDATE_REAL_TIME |			\
			 EVNTRACE_UPDATE_NO_REAL_TIME)

/* Return the modes after the change; under switch_lock */
static u32 next_mode(const struct evnt_session *s, u32 flags)
{
	u32 mode = s->mode;

	if (flags & EVNTRACE_UPDATE_REAL_TIME)
		mode |= EVNTRACE_MODE_REAL_TIME;
	if (flags & EVNTRACE_UPDATE_NO_REAL_TIME)
		mode &= ~EVNTRACE_MODE_REAL_TIME;
	if (flags & EVNTRACE_UPDATE_NO_LOG)
		mode &= ~EVNT_OF_A_FILE;
	return mode;
}

/* Check that the events have a destination, which no other mode excludes */
static int check_turn(const struct evnt_session *s, u32 flags, u32 mode)
{
	if (mode & EVNTRACE_MODE_BUFFERING)
		return -EINVAL;
	if (mode & EVNTRACE_MODE_REAL_TIME)
		return mode & EVNTRACE_MODE_APPEND ? -EINVAL : 0;
	if (flags & OF_THE_LOG)
		return flags & EVNTRACE_UPDATE_LOG ? 0 : -EINVAL;
	/* The session requires this right if and only if it has a log file */
	if (!(READ_ONCE(s->rights) & EVNTRACE_RIGHT_CREATE_ONDISK))
		return -EINVAL;
	return 0;
}

/* Start the new log, with the time zone of the current one */
static int start_log(struct evnt_session *s, struct evnt_log *log)
{
	u8 time_zone[ETL_TIME_ZONE_SIZE];

	mutex_lock(&s->log_lock);
	memcpy(time_zone, evnt_log_header_info(s->log.header)->time_zone,
	       sizeof(time_zone));
	mutex_unlock(&s->log_lock);
	return evnt_log_start(log, s, time_zone, S64_MAX);
}

static int open_log(struct evnt_session *s, struct evnt_log *log, u32 mode,
		    const struct evntrace_update *arg)
{
	int err;

	if (arg->flags & EVNTRACE_UPDATE_NO_LOG) {
		err = evnt_log_init(log, mode, 0, 0);
		return err ?: start_log(s, log);
	}
	if (!(mode & EVNTRACE_MODE_NEWFILE) != !arg->series)
		return -EINVAL;
	/* Never append: sequence numbers in the file may be higher than ours */
	err = evnt_log_open(log, mode & ~EVNTRACE_MODE_APPEND, arg->log_fd,
			    arg->log_name, arg->log_name_len, arg->series);
	log->mode = mode;
	return err ?: start_log(s, log);
}

/* Apply a change that replaces the log */
static int turn_with_log(struct evnt_session *s, struct evnt_log_switch *turn,
			 const struct evntrace_update *arg)
{
	struct evnt_log *log = kzalloc(sizeof(*log), GFP_KERNEL_ACCOUNT);
	int err;

	if (!log)
		return -ENOMEM;
	err = open_log(s, log, turn->mode, arg);
	turn->log = log;
	if (!err)
		err = evnt_writer_turn(s, turn);
	if (turn->log)
		evnt_log_abandon(turn->log);
	evnt_log_free(turn->log);
	return err;
}

/* Set the flush timer; sessions that only keep buffers in memory have none */
static void set_timer(struct evnt_session *s, const struct evntrace_update *arg)
{
	if (evnt_session_mode(s) & EVNTRACE_MODE_BUFFERING)
		return;
	if (arg->flush_ms)
		evnt_writer_set_timer(s, arg->flush_ms);
	else if (arg->flags & EVNTRACE_UPDATE_REAL_TIME &&
		 !READ_ONCE(s->flush_ms))
		evnt_writer_set_timer(s, EVNT_REAL_TIME_FLUSH_MS);
}

/**
 * evnt_update_rights() - check the flags of an update
 * @arg: ioctl argument
 *
 * Return: the rights needed in addition to those to change the session, or
 * -EINVAL.
 */
int evnt_update_rights(const struct evntrace_update *arg)
{
	int rights = 0;

	if (arg->flags & ~(OF_THE_LOG | OF_REAL_TIME) || arg->reserved ||
	    (arg->flags & OF_THE_LOG) == OF_THE_LOG ||
	    (arg->flags & OF_REAL_TIME) == OF_REAL_TIME)
		return -EINVAL;
	if (arg->flags & EVNTRACE_UPDATE_LOG)
		rights |= EVNTRACE_RIGHT_CREATE_ONDISK;
	if (arg->flags & EVNTRACE_UPDATE_REAL_TIME)
		rights |= EVNTRACE_RIGHT_CREATE_REALTIME;
	return rights;
}

/**
 * evnt_update() - EVNTRACE_IOC_UPDATE
 * @s: session that the caller may change
 * @arg: ioctl argument, checked by evnt_update_rights()
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_UPDATE.
 */
int evnt_update(struct evnt_session *s, const struct evntrace_update *arg)
{
	struct evnt_log_switch turn = {};
	int err = 0;

	/* The caller can read the log file */
	if (arg->flags & EVNTRACE_UPDATE_LOG)
		err = evnt_session_admit_reader(s);
	if (err)
		return err;
	if (!arg->flags)
		goto timer;
	if (mutex_lock_killable(&s->switch_lock))
		return -EINTR;
	turn.mode = next_mode(s, arg->flags);
	err = check_turn(s, arg->flags, turn.mode);
	if (!err && turn.mode & EVNTRACE_MODE_REAL_TIME)
		err = evnt_session_keep_buffers(s);
	if (!err)
		err = arg->flags & OF_THE_LOG ? turn_with_log(s, &turn, arg) :
						evnt_writer_turn(s, &turn);
	mutex_unlock(&s->switch_lock);
	if (err)
		return err;
timer:
	set_timer(s, arg);
	return 0;
}

/**
 * evnt_update_follow_log() - continue in the next log of the session's series
 * @s: session
 *
 * Return: 0 or an errno documented for EVNTRACE_IOC_CONTROL.
 */
int evnt_update_follow_log(struct evnt_session *s)
{
	struct evnt_log_switch turn = { .is_next = true };
	int err = -EINVAL;

	if (mutex_lock_killable(&s->switch_lock))
		return -EINTR;
	turn.mode = s->mode;
	if (turn.mode & EVNTRACE_MODE_NEWFILE)
		err = evnt_writer_turn(s, &turn);
	mutex_unlock(&s->switch_lock);
	return err;
}
