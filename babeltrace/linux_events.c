// SPDX-License-Identifier: MIT
/*
 * Events of the kernel under the names of Linux' tracepoints.  After the fields of
 * Windows, each has the fields that LTTng records.  Analyses of Linux traces find
 * events and fields by these names.
 *
 * The names of processes come from earlier events of the log. Events are not
 * trusted: all reads are bounded.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "babeltrace/classes.h"
#include "decode/format.h"

/* Classes by the first field of their GUIDs, which all differ in it */
#define PROCESS		0x3d6fa8d0u
#define THREAD		0x3d6fa8d1u
#define DISK_IO		0x3d6fa8d4u

#define START		1
#define END		2
#define DC_START	3
#define DC_END		4
#define DISK_READ	10
#define DISK_WRITE	11
#define DISK_FLUSH	14
#define CSWITCH		36
#define READY_THREAD	50

/* States of threads and reasons of waits, in the words of Windows' scheduler */
#define TERMINATED	4
#define WAITING		5
#define PAGE_IN		2
#define SUSPENDED	5
#define EXECUTIVE	7

/* States of Linux' tasks in the events of LTTng, and in its state dump */
#define TASK_INTERRUPTIBLE	1
#define TASK_UNINTERRUPTIBLE	2
#define TASK_STOPPED		4
#define TASK_DEAD		64
#define DUMPED_WAITING		5

/* Kinds of requests in LTTng's field rwbs */
#define RWBS_WRITE	1
#define RWBS_READ	4
#define RWBS_FLUSH	256
#define SECTOR		512

#define NORMAL		8	/* priority of a thread with nice value 0 */
#define REAL_TIME	16	/* the lowest one */
#define HIGHEST		31
#define LOWEST		39	/* in Linux' numbers */
#define UNKNOWN		"unknown"
#define NAME		64

/**
 * struct linux_task - a process or a thread
 * @next: next one of the hash chain
 * @id: its id
 * @of: parent of the process, or process of the thread
 * @priority: last known priority of the thread, in Linux' numbers
 * @cpu: processor that the thread ran on last, or -1
 * @name: name of the process
 */
struct linux_task {
	struct linux_task *next;
	u32 id;
	u32 of;
	s32 priority;
	s32 cpu;
	char name[NAME];
};

/* Read a number of @size bytes at @at; 0 behind the end */
static u64 number_at(const EVENT_RECORD *record, size_t at, size_t size)
{
	u64 value = 0;

	if (at + size <= record->UserDataLength)
		memcpy(&value, (const u8 *)record->UserData + at, size);
	return value;
}

static size_t pointer_size(const EVENT_RECORD *record)
{
	return record->EventHeader.Flags & EVENT_HEADER_FLAG_32_BIT_HEADER ?
	       4 : 8;
}

/*
 * Return a priority as LTTng has it: 20 plus the nice value, real-time ones from
 * -100. Several of them are one in Windows' numbers; this is in their midst.
 */
static s32 linux_priority(u8 priority)
{
	if (priority >= REAL_TIME)
		return (HIGHEST - priority) * 100 / 16 - 100;
	return priority ? ((REAL_TIME - 1 - priority) * 8 + 4) / 3 : LOWEST;
}

static struct linux_task *find(struct linux_task *const *chains, u32 id)
{
	struct linux_task *task = chains[id % LINUX_CHAINS];

	while (task && task->id != id)
		task = task->next;
	return task;
}

/* Return a task, added if necessary; NULL if out of memory */
static struct linux_task *task_of(struct linux_task **chains, u32 id)
{
	struct linux_task *task = find(chains, id);

	if (task)
		return task;
	task = calloc(1, sizeof(*task));
	if (!task)
		return NULL;
	task->id = id;
	task->of = id;
	task->cpu = -1;
	task->priority = linux_priority(NORMAL);
	task->next = chains[id % LINUX_CHAINS];
	chains[id % LINUX_CHAINS] = task;
	return task;
}

/* Since version 3, which Windows writes since 7; the user's id precedes the name */
static bool take_process(struct linux_tasks *tasks, const EVENT_RECORD *record)
{
	const size_t pointer = pointer_size(record);
	const u8 version = record->EventHeader.EventDescriptor.Version;
	size_t at = 2 * pointer + (version > 3 ? 20 : 16);
	struct linux_task *process;
	char text[NAME];

	if (version < 3)
		return true;
	/* TOKEN_USER, with its pointer, and the id with a number of parts */
	if (number_at(record, at, 4))
		at += 2 * pointer + 8 +
		      4 * number_at(record, at + 2 * pointer + 1, 1);
	else
		at += 4;
	if (at >= record->UserDataLength)
		return true;
	process = task_of(tasks->processes, number_at(record, pointer, 4));
	if (!process)
		return false;
	process->of = number_at(record, pointer + 4, 4);
	format_utf8((const char *)record->UserData + at,
		    strnlen((const char *)record->UserData + at,
			    record->UserDataLength - at), text, sizeof(text));
	memcpy(process->name, text, sizeof(text));
	return true;
}

static bool take_thread(struct linux_tasks *tasks, const EVENT_RECORD *record)
{
	const size_t priority = 8 + 7 * pointer_size(record) + 4;
	struct linux_task *thread;

	thread = task_of(tasks->threads, number_at(record, 4, 4));
	if (!thread)
		return false;
	thread->of = number_at(record, 0, 4);
	if (priority < record->UserDataLength)
		thread->priority = linux_priority(number_at(record, priority, 1));
	return true;
}

static bool take_switch(struct linux_tasks *tasks, const EVENT_RECORD *record)
{
	struct linux_task *thread;

	thread = task_of(tasks->threads, number_at(record, 0, 4));
	if (!thread)
		return false;
	thread->priority = linux_priority(number_at(record, 8, 1));
	thread->cpu = GetEventProcessorIndex(record);
	return true;
}

static bool is_classic(const EVENT_RECORD *record, u32 class)
{
	const EVENT_HEADER *h = &record->EventHeader;

	return h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER &&
	       h->ProviderId.Data1 == class;
}

bool linux_tasks_take(struct linux_tasks *tasks, const EVENT_RECORD *record)
{
	const UCHAR type = record->EventHeader.EventDescriptor.Opcode;

	if (type == CSWITCH && is_classic(record, THREAD))
		return take_switch(tasks, record);
	if (type != START && type != DC_START && type != DC_END)
		return true;
	if (is_classic(record, PROCESS))
		return take_process(tasks, record);
	return !is_classic(record, THREAD) || take_thread(tasks, record);
}

static void free_tasks(struct linux_task **chains)
{
	struct linux_task *task;

	for (u32 i = 0; i < LINUX_CHAINS; i++) {
		while ((task = chains[i])) {
			chains[i] = task->next;
			free(task);
		}
	}
}

void linux_tasks_free(struct linux_tasks *tasks)
{
	free_tasks(tasks->processes);
	free_tasks(tasks->threads);
}

static void set(bt_field *payload, const char *name, s64 value)
{
	bt_field *field;

	field = bt_field_structure_borrow_member_field_by_name(payload, name);
	bt_field_integer_signed_set_value(field, value);
}

static u32 process_of(const struct linux_tasks *tasks, u32 tid)
{
	const struct linux_task *thread = find(tasks->threads, tid);

	return thread ? thread->of : tid;
}

/* Set the name of a thread's process, never to an empty string */
static bool set_name(bt_field *payload, const char *name,
		     const struct linux_tasks *tasks, u32 tid)
{
	const struct linux_task *process;
	bt_field *field;

	process = find(tasks->processes, process_of(tasks, tid));
	field = bt_field_structure_borrow_member_field_by_name(payload, name);
	return !bt_field_string_set_value(field, !tid ? "swapper" :
					  process && *process->name ?
					  process->name : UNKNOWN);
}

static s32 priority_of(const struct linux_tasks *tasks, u32 tid)
{
	const struct linux_task *thread = find(tasks->threads, tid);

	return thread ? thread->priority : linux_priority(NORMAL);
}

static s64 state_of(u8 state, u8 reason, u32 tid)
{
	if (state == TERMINATED)
		return TASK_DEAD;
	if (state != WAITING || !tid)
		return 0;
	if (reason == SUSPENDED)
		return TASK_STOPPED;
	return reason == PAGE_IN || reason == EXECUTIVE ? TASK_UNINTERRUPTIBLE :
							 TASK_INTERRUPTIBLE;
}

static bool fill_switch(const struct linux_tasks *tasks,
			const EVENT_RECORD *record, bt_field *payload)
{
	const u32 next = number_at(record, 0, 4), prev = number_at(record, 4, 4);

	set(payload, "prev_tid", prev);
	set(payload, "prev_prio", linux_priority(number_at(record, 9, 1)));
	set(payload, "prev_state", state_of(number_at(record, 14, 1),
					    number_at(record, 12, 1), prev));
	set(payload, "next_tid", next);
	set(payload, "next_prio", linux_priority(number_at(record, 8, 1)));
	return set_name(payload, "prev_comm", tasks, prev) &&
	       set_name(payload, "next_comm", tasks, next);
}

/* A thread that has not run yet is assumed to run where it is woken */
static bool fill_wake_up(const struct linux_tasks *tasks,
			 const EVENT_RECORD *record, bt_field *payload)
{
	const u32 tid = number_at(record, 0, 4);
	const struct linux_task *thread = find(tasks->threads, tid);

	set(payload, "tid", tid);
	set(payload, "target_cpu", thread && thread->cpu >= 0 ? thread->cpu :
				   (s32)GetEventProcessorIndex(record));
	set(payload, "prio", priority_of(tasks, tid));
	return set_name(payload, "comm", tasks, tid);
}

static bool fill_exit(const struct linux_tasks *tasks,
		      const EVENT_RECORD *record, bt_field *payload)
{
	const u32 tid = number_at(record, 4, 4);

	set(payload, "tid", tid);
	set(payload, "prio", priority_of(tasks, tid));
	return set_name(payload, "comm", tasks, tid);
}

/* The parent of a process' first thread is another process */
static u32 parent_of(const struct linux_tasks *tasks, u32 pid, u32 tid)
{
	const struct linux_task *process = find(tasks->processes, pid);

	return tid != pid ? pid : process ? process->of : 0;
}

static bool fill_fork(const struct linux_tasks *tasks,
		      const EVENT_RECORD *record, bt_field *payload)
{
	const u32 pid = number_at(record, 0, 4), tid = number_at(record, 4, 4);
	const u32 parent = parent_of(tasks, pid, tid);

	set(payload, "parent_tid", parent);
	set(payload, "parent_pid", parent);
	set(payload, "child_tid", tid);
	set(payload, "child_pid", pid);
	return set_name(payload, "parent_comm", tasks, parent) &&
	       set_name(payload, "child_comm", tasks, tid);
}

static bool fill_dump(const struct linux_tasks *tasks,
		      const EVENT_RECORD *record, bt_field *payload)
{
	const u32 pid = number_at(record, 0, 4), tid = number_at(record, 4, 4);

	set(payload, "tid", tid);
	set(payload, "pid", pid);
	set(payload, "ppid", parent_of(tasks, pid, pid));
	set(payload, "status", DUMPED_WAITING);
	return set_name(payload, "name", tasks, tid);
}

static bool fill_request(const struct linux_tasks *tasks,
			 const EVENT_RECORD *record, bt_field *payload)
{
	const UCHAR type = record->EventHeader.EventDescriptor.Opcode;
	const bool is_flush = type == DISK_FLUSH;
	const u32 disk = number_at(record, 0, 4);

	(void)tasks;
	/* As in the kernel; a disk of Windows has a minor number only */
	set(payload, "dev", (s64)major(disk) << 20 | minor(disk));
	set(payload, "sector", is_flush ? 0 : number_at(record, 16, 8) / SECTOR);
	set(payload, "nr_sector",
	    is_flush ? 0 : number_at(record, 8, 4) / SECTOR);
	set(payload, "rwbs", is_flush ? RWBS_FLUSH :
			     type == DISK_READ ? RWBS_READ : RWBS_WRITE);
	return true;
}

static const char *const switch_fields[] = {
	"prev_comm", "prev_tid", "prev_prio", "prev_state",
	"next_comm", "next_tid", "next_prio", NULL
};

static const char *const wake_up_fields[] = {
	"comm", "tid", "prio", "target_cpu", NULL
};

static const char *const exit_fields[] = { "comm", "tid", "prio", NULL };

static const char *const fork_fields[] = {
	"parent_comm", "parent_tid", "parent_pid",
	"child_comm", "child_tid", "child_pid", NULL
};

static const char *const dump_fields[] = {
	"tid", "pid", "ppid", "name", "status", NULL
};

static const char *const request_fields[] = {
	"dev", "sector", "nr_sector", "rwbs", NULL
};

static const struct linux_event events[] = {
	{ THREAD, CSWITCH, "sched_switch", switch_fields, fill_switch },
	{ THREAD, READY_THREAD, "sched_wakeup", wake_up_fields, fill_wake_up },
	{ THREAD, START, "sched_process_fork", fork_fields, fill_fork },
	{ THREAD, END, "sched_process_exit", exit_fields, fill_exit },
	{ THREAD, DC_START, "lttng_statedump_process_state", dump_fields,
	  fill_dump },
	{ DISK_IO, DISK_READ, "block_rq_complete", request_fields,
	  fill_request },
	{ DISK_IO, DISK_WRITE, "block_rq_complete", request_fields,
	  fill_request },
	{ DISK_IO, DISK_FLUSH, "block_rq_complete", request_fields,
	  fill_request },
};

const struct linux_event *linux_event_of(const EVENT_RECORD *record)
{
	const UCHAR type = record->EventHeader.EventDescriptor.Opcode;

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (events[i].type == type && is_classic(record, events[i].class))
			return &events[i];
	}
	return NULL;
}

static bool is_text(const char *name)
{
	return strstr(name, "comm") || !strcmp(name, "name");
}

bool linux_event_add(struct component *c, const struct linux_event *e,
		     bt_field_class *payload)
{
	bt_field_class *fc;
	bool ok = true;

	for (const char *const *name = e->fields; ok && *name; name++) {
		fc = is_text(*name) ?
			bt_field_class_string_create(c->trace_class) :
			bt_field_class_integer_signed_create(c->trace_class);
		ok = add_member(payload, *name, fc);
	}
	return ok;
}
