/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of the kernel itself, in the form of Windows' kernel, for sessions with
 * EVNTRACE_MODE_SYSTEM_LOGGER.
 *
 * Knows sessions, and no providers.
 */
#ifndef EVNT_SYSTEM_H
#define EVNT_SYSTEM_H

#include "module/session/session.h"

/* Kind of an event: version of its class; group and type */
#define EVNT_HOOK(version, hook)	((u32)(version) << 16 | (hook))

/**
 * struct evnt_system_record - record to be written
 * @flag: EVNTRACE_SYSTEM_* of the sessions that get it
 * @hook: EVNT_HOOK() of the event
 * @is_short: the header contains neither thread nor process
 * @has_kernel_address: @data contains an address of the kernel, which is 0 in
 *	sessions that may have readers without CAP_PERFMON
 * @address_at: its offset in @data
 * @elapsed_at: offset in @data of a time in ns, 64 bits, which a session gets in
 *	units of its clock; 0: none
 * @has_begin: @data begins with a time in ns, 64 bits, that something took; a
 *	session gets the time when it began, in its clock
 * @len: length of @data in bytes
 * @thread_id: thread of the header
 * @process_id: process of the header
 * @data: data of the event
 */
struct evnt_system_record {
	u32 flag;
	u32 hook;
	bool is_short;
	bool has_kernel_address;
	u8 address_at;
	u8 elapsed_at;
	bool has_begin;
	u32 len;
	u32 thread_id;
	u32 process_id;
	const void *data;
};

/**
 * struct evnt_stack_slots - sessions that want the call stack of an event
 * @flag: flag of the event
 * @shown: bits of slots whose sessions get frames of the kernel
 * @hidden: bits of slots whose sessions get none
 * @time: time stamp of the event, by slot
 */
struct evnt_stack_slots {
	u32 flag;
	unsigned long shown;
	unsigned long hidden;
	s64 time[EVNTRACE_MAX_SYSTEM];
};

static inline bool evnt_stack_is_wanted(const struct evnt_stack_slots *slots)
{
	return slots->shown | slots->hidden;
}

int evnt_system_init(void);
void evnt_system_exit(void);
int evnt_system_set_flags(struct evnt_session *s,
			  const struct evntrace_list *arg);
int evnt_system_set_stacks(struct evnt_session *s,
			   const struct evntrace_list *arg);
int evnt_system_set_interval(const struct evntrace_list *arg);
void evnt_system_stop(struct evnt_session *s, bool is_run_down);

/* probes.c */
int evnt_probes_init(void);
void evnt_probes_exit(void);
void evnt_probes_update(u32 flags);

/* profile.c */
u32 evnt_profile_interval(void);
void evnt_profile_set_interval(u32 interval);

/* system_event.c */
void evnt_base_priorities_init(void);

/* system_stack.c */
int evnt_system_stack_init(void);
void evnt_system_stack_exit(void);
void evnt_system_stack_sync(void);
void evnt_system_stack(const struct evnt_stack_slots *slots,
		       struct pt_regs *regs);
void evnt_system_stack_of_next(const struct evnt_stack_slots *slots,
			       struct task_struct *next);

/* system_rundown.c */
void evnt_system_rundown(struct evnt_session *s, struct evnt_rundown *file,
			 u32 flags, bool is_end);

#endif /* EVNT_SYSTEM_H */
