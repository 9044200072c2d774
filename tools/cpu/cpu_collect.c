// SPDX-License-Identifier: MIT
/*
 * Collects CPU time from events of the kernel, of Linux and of Windows: context
 * switches, samples and their stacks, and the processes, threads and images that
 * name them.
 *
 * Events are not trusted: all reads are bounded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decode/format.h"
#include "tools/common/process.h"
#include "tools/cpu/cpu.h"
#include "tools/evnt.h"
#include "tools/events/images.h"
#include "tools/events/process_event.h"
#include "tools/events/stack.h"

/* Classes by the first field of their GUIDs, which all differ in it */
#define PROCESS		0x3d6fa8d0u
#define THREAD		0x3d6fa8d1u
#define IMAGE		0x2cb15d1du
#define DISK_IO		0x3d6fa8d4u
#define PERF_INFO	0xce1dbfb4u
#define STACK_WALK	0xdef2fe46u

#define START		1
#define DC_START	3
#define DC_END		4
#define IMAGE_LOAD	10
#define STACK		32
#define CSWITCH		36
#define READY_THREAD	50
#define DISK_READ	10
#define DISK_WRITE	11
#define DISK_FLUSH	14
#define SAMPLE		46
/* Flag of a wake-up */
#define READY_BY_DPC	1
#define SET_INTERVAL	72
#define COLLECTION_START	73

#define UNKNOWN		UINT32_MAX
/* 1 ms, where no event states the interval */
#define USUAL_INTERVAL	10000
#define MAX_PROCESSORS	4096
#define PATH_TEXT	8192
/* Bound the search for a thread, as a log may be malformed */
#define MAX_UNKNOWN	1000
/* Processes and threads above which those that have ended are forgotten */
#define MAX_ENDED	8192

/* Read a number of @size bytes at @at; 0 behind the end */
static uint64_t number_at(const EVENT_RECORD *record, size_t at, size_t size)
{
	uint64_t value = 0;

	if (at + size <= record->UserDataLength)
		memcpy(&value, (const char *)record->UserData + at, size);
	return value;
}

static size_t pointer_size(const EVENT_RECORD *record)
{
	return record->EventHeader.Flags & EVENT_HEADER_FLAG_32_BIT_HEADER ?
	       4 : 8;
}

/* Process or thread to look up */
struct cpu_key {
	const struct cpu_use *use;
	uint32_t id;
};

static bool is_process(const void *context, uint32_t number)
{
	const struct cpu_key *key = context;
	const struct cpu_process *p = &key->use->processes[number];

	return p->pid == key->id;
}

static bool is_thread(const void *context, uint32_t number)
{
	const struct cpu_key *key = context;
	const struct cpu_thread *t = &key->use->threads[number];

	return t->tid == key->id;
}

static uint64_t hash_id(uint32_t id)
{
	return hash_bytes(HASH_BEGIN, &id, sizeof(id));
}

/* An id is of another process or thread from now on, or of the first one */
static void own_id(struct hash *table, uint32_t id, uint32_t before,
		   uint32_t number)
{
	if (before == HASH_NONE)
		hash_add(table, hash_id(id), number);
	else
		hash_replace(table, hash_id(id), before, number);
}

static uint32_t find_process(const struct cpu_use *use, uint32_t pid)
{
	const struct cpu_key key = { use, pid };

	return hash_find(&use->process_table, hash_id(pid), is_process, &key);
}

static uint32_t add_process(struct cpu_use *use, uint32_t pid)
{
	const uint32_t before = find_process(use, pid);
	const uint32_t number = use->process_count++;

	use->processes = list_room(use->processes, number, &use->process_room,
				   sizeof(*use->processes));
	use->processes[number] = (struct cpu_process) {
		.pid = pid, .last_thread = CPU_NONE,
	};
	own_id(&use->process_table, pid, before, number);
	return number;
}

static uint32_t process_of(struct cpu_use *use, uint32_t pid)
{
	const uint32_t number = find_process(use, pid);

	return number == HASH_NONE ? add_process(use, pid) : number;
}

static uint32_t find_thread(const struct cpu_use *use, uint32_t tid)
{
	const struct cpu_key key = { use, tid };

	return hash_find(&use->thread_table, hash_id(tid), is_thread, &key);
}

/* Count the last sample of a thread, with its stack */
static void count_sample(struct cpu_use *use, struct cpu_thread *t)
{
	struct cpu_process *p = &use->processes[t->process];
	uint32_t i = t->depth ? t->depth : 1, at;
	const uint64_t *frames = t->depth ? t->frames : &t->address;
	struct frame frame;
	char *name;

	if (!t->is_pending)
		return;
	t->is_pending = false;
	t->samples++;
	p->samples++;
	use->samples++;
	if (use->watch && !use->watch->is_folding)
		return;
	at = fold_below(&use->folds, FOLD_NONE, p->name ? p->name : "unknown");
	while (i--) {
		frame_at(p->pid, frames[i],
			 i && !is_of_kernel(frames[i - 1]), &frame);
		name = frame_group(&frame);
		at = fold_below(&use->folds, at, name);
		free(name);
	}
	use->folds.list[at].count++;
}

static void add_thread(struct cpu_use *use, uint32_t tid, uint32_t process)
{
	struct cpu_process *p = &use->processes[process];
	const uint32_t before = find_thread(use, tid);
	const uint32_t number = use->thread_count++;

	if (before != HASH_NONE)
		count_sample(use, &use->threads[before]);
	use->threads = list_room(use->threads, number, &use->thread_room,
				 sizeof(*use->threads));
	use->threads[number] = (struct cpu_thread) {
		.tid = tid, .process = process, .previous = p->last_thread,
	};
	p->last_thread = number;
	p->thread_count++;
	own_id(&use->thread_table, tid, before, number);
}

static uint32_t thread_number(struct cpu_use *use, uint32_t tid)
{
	const uint32_t number = find_thread(use, tid);

	if (number != HASH_NONE)
		return number;
	add_thread(use, tid, process_of(use, UNKNOWN));
	return use->thread_count - 1;
}

static struct cpu_thread *thread_of(struct cpu_use *use, uint32_t tid)
{
	/* Adding a thread may move the list */
	const uint32_t number = thread_number(use, tid);

	return &use->threads[number];
}

/* The same, or CPU_NONE for an idle thread */
static uint32_t busy_thread(struct cpu_use *use, uint32_t tid)
{
	return tid ? thread_number(use, tid) : CPU_NONE;
}

/* A program begins: count the samples of the previous one with its images */
static uint32_t start_process(struct cpu_use *use, uint32_t pid)
{
	const uint32_t before = find_process(use, pid);
	uint32_t i = before == HASH_NONE ? CPU_NONE :
					   use->processes[before].last_thread;

	for (; i != CPU_NONE; i = use->threads[i].previous)
		count_sample(use, &use->threads[i]);
	images_forget(pid);
	return add_process(use, pid);
}

static void take_process(struct cpu_use *use, const EVENT_RECORD *record)
{
	const UCHAR type = record->EventHeader.EventDescriptor.Opcode;
	char name[PROCESS_EVENT_NAME];
	struct cpu_process *p;
	uint32_t pid, number;
	struct view view;

	if (type != START && type != DC_START && type != DC_END)
		return;
	view_event(record, &view);
	if (!process_event(&view, &pid, name))
		return;
	number = type == START ? start_process(use, pid) :
				 process_of(use, pid);
	p = &use->processes[number];
	if (!p->name)
		p->name = must_have(format_utf8_copy(name));
}

static void take_image(const EVENT_RECORD *record)
{
	const size_t pointer = pointer_size(record);
	const UCHAR type = record->EventHeader.EventDescriptor.Opcode;
	/* Class version 2 or 3, which Windows writes since Vista */
	const size_t path = 3 * pointer + 32;
	char text[PATH_TEXT];

	if (type != IMAGE_LOAD && type != DC_START && type != DC_END)
		return;
	if (record->EventHeader.EventDescriptor.Version < 2 ||
	    path >= record->UserDataLength)
		return;
	format_utf16((const char *)record->UserData + path,
		     (record->UserDataLength - path) / 2, text, sizeof(text));
	images_map(number_at(record, 2 * pointer, 4),
		   number_at(record, 0, pointer),
		   number_at(record, pointer, pointer), text);
}

/* A thread that has been used before its process was known gets it */
static void move_thread(struct cpu_use *use, uint32_t thread, uint32_t process)
{
	struct cpu_thread *t = &use->threads[thread];
	struct cpu_process *from = &use->processes[t->process];
	struct cpu_process *to = &use->processes[process];
	uint32_t *link = &from->last_thread;
	int limit = MAX_UNKNOWN;

	while (*link != thread && limit--)
		link = &use->threads[*link].previous;
	if (*link != thread)
		return;
	*link = t->previous;
	from->thread_count--;
	from->samples -= t->samples;
	t->previous = to->last_thread;
	t->process = process;
	to->last_thread = thread;
	to->thread_count++;
	to->samples += t->samples;
}

static void take_thread(struct cpu_use *use, const EVENT_RECORD *record)
{
	const uint32_t process = process_of(use, number_at(record, 0, 4));
	const uint32_t tid = number_at(record, 4, 4);
	const uint32_t known = find_thread(use, tid);

	/* A rundown repeats what is known */
	if (record->EventHeader.EventDescriptor.Opcode == START ||
	    known == HASH_NONE)
		add_thread(use, tid, process);
	else if (use->processes[use->threads[known].process].pid == UNKNOWN)
		move_thread(use, known, process);
}

static struct cpu_processor *processor_of(struct cpu_use *use,
					  const EVENT_RECORD *record)
{
	const uint32_t number = GetEventProcessorIndex(record);
	const size_t size = sizeof(*use->processors);

	if (number >= MAX_PROCESSORS)
		return NULL;
	if (number >= use->processor_count) {
		use->processors = must_have(realloc(use->processors,
						    (number + 1) * size));
		memset(use->processors + use->processor_count, 0,
		       (number + 1 - use->processor_count) * size);
		use->processor_count = number + 1;
	}
	return &use->processors[number];
}

/* A processor ran a thread until now: before its first switch, all the time */
static int64_t credit(struct cpu_use *use, const struct cpu_processor *c,
		      uint32_t tid, int64_t now)
{
	const int64_t since = c->has_switched ? c->since : use->first;

	if (tid && now > since)
		thread_of(use, tid)->time += now - since;
	return since;
}

static void take_switch(struct cpu_use *use, const EVENT_RECORD *record)
{
	const int64_t now = record->EventHeader.TimeStamp.QuadPart;
	struct cpu_processor *c = processor_of(use, record);
	const uint32_t tid = number_at(record, 0, 4);
	int64_t since;

	if (!c)
		return;
	since = credit(use, c, number_at(record, 4, 4), now);
	*c = (struct cpu_processor) {
		.since = now, .tid = tid, .has_switched = true,
	};
	use->switches++;
	if (tid)
		thread_of(use, tid)->switches++;
	if (use->watch && use->watch->on_switch)
		use->watch->on_switch(use->context, &(struct cpu_switch) {
			.time = now,
			.since = since,
			.processor = GetEventProcessorIndex(record),
			.from = busy_thread(use, number_at(record, 4, 4)),
			.to = busy_thread(use, tid),
			.state = number_at(record, 14, 1),
			.reason = number_at(record, 12, 1),
		});
}

static void take_ready(struct cpu_use *use, const EVENT_RECORD *record)
{
	const struct cpu_processor *c = processor_of(use, record);

	if (!c || !use->watch || !use->watch->on_ready ||
	    !number_at(record, 0, 4))
		return;
	use->watch->on_ready(use->context, &(struct cpu_ready) {
		.time = record->EventHeader.TimeStamp.QuadPart,
		.processor = GetEventProcessorIndex(record),
		.thread = thread_number(use, number_at(record, 0, 4)),
		.by = c->has_switched ? busy_thread(use, c->tid) : CPU_NONE,
		.is_interrupt = number_at(record, 6, 1) & READY_BY_DPC,
	});
}

static void take_sample(struct cpu_use *use, const EVENT_RECORD *record)
{
	const size_t pointer = pointer_size(record);
	const uint32_t tid = number_at(record, pointer, 4);
	struct cpu_thread *t;

	processor_of(use, record);
	if (!tid)
		return;
	t = thread_of(use, tid);
	count_sample(use, t);
	t->is_pending = true;
	t->depth = 0;
	t->address = number_at(record, 0, pointer);
	if (use->watch && use->watch->on_sample)
		use->watch->on_sample(use->context, t - use->threads,
				      record->EventHeader.TimeStamp.QuadPart,
				      t->address);
}

static void pass_stack(struct cpu_use *use, const EVENT_RECORD *record)
{
	const size_t pointer = pointer_size(record), head = 16;

	if (record->UserDataLength >= head + pointer)
		use->watch->on_stack(use->context, &(struct cpu_stack) {
			.stamp = number_at(record, 0, 8),
			.processor = GetEventProcessorIndex(record),
			.thread = busy_thread(use, number_at(record, 12, 4)),
			.frames = (const char *)record->UserData + head,
			.pointer = pointer,
			.depth = (record->UserDataLength - head) / pointer,
		});
}

/*
 * A stack belongs to the last sample of its thread if it begins with the same
 * address, or continues a stack with the same time stamp
 */
static void take_stack(struct cpu_use *use, const EVENT_RECORD *record)
{
	const size_t pointer = pointer_size(record);
	const uint64_t stamp = number_at(record, 0, 8);
	const uint32_t known = find_thread(use, number_at(record, 12, 4));
	struct cpu_thread *t = known == HASH_NONE ? NULL :
						    &use->threads[known];
	size_t at = 16;

	if (use->watch && use->watch->on_stack) {
		pass_stack(use, record);
		return;
	}
	if (!t || !t->is_pending ||
	    (t->depth ? stamp != t->stamp :
			t->address && t->address != number_at(record, at,
							     pointer)))
		return;
	if (!t->frames)
		t->frames = must_have(calloc(CPU_FRAMES, sizeof(*t->frames)));
	t->stamp = stamp;
	for (; at + pointer <= record->UserDataLength && t->depth < CPU_FRAMES;
	     at += pointer)
		t->frames[t->depth++] = number_at(record, at, pointer);
}

static void take_profile(struct cpu_use *use, const EVENT_RECORD *record)
{
	const UCHAR type = record->EventHeader.EventDescriptor.Opcode;

	if (type == SAMPLE)
		take_sample(use, record);
	/* Source 0 is the timer */
	else if ((type == SET_INTERVAL || type == COLLECTION_START) &&
		 !number_at(record, 0, 4))
		use->interval = number_at(record, 4, 4);
}

static void take_disk(struct cpu_use *use, const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;
	const bool is_flush = h->EventDescriptor.Opcode == DISK_FLUSH;
	const size_t pointer = pointer_size(record);
	/* A flush has no place on the disk, no size and no file */
	const size_t elapsed = is_flush ? 8 : 24 + 2 * pointer;
	const size_t issuer = elapsed + 8 + (is_flush ? pointer : 0);
	uint32_t tid;

	if (!use->watch || !use->watch->on_disk || !processor_of(use, record))
		return;
	/* Interrupts issue requests, too; Windows names threads since version 3 */
	tid = number_at(record, issuer, 4);
	use->watch->on_disk(use->context, &(struct cpu_disk) {
		.time = h->TimeStamp.QuadPart,
		.elapsed = number_at(record, elapsed, 8),
		.processor = GetEventProcessorIndex(record),
		.thread = tid == UNKNOWN ? CPU_NONE : busy_thread(use, tid),
		.disk = number_at(record, 0, 4),
		.size = is_flush ? 0 : number_at(record, 8, 4),
	});
}

bool cpu_is_schedule(const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;

	return (h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER) &&
	       h->ProviderId.Data1 == THREAD &&
	       (h->EventDescriptor.Opcode == CSWITCH ||
		h->EventDescriptor.Opcode == READY_THREAD);
}

void cpu_take(struct cpu_use *use, const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;
	const UCHAR type = h->EventDescriptor.Opcode;

	if (!(h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER) ||
	    is_log_header(record))
		return;
	if (!use->first)
		use->first = h->TimeStamp.QuadPart;
	if (use->last < h->TimeStamp.QuadPart)
		use->last = h->TimeStamp.QuadPart;
	switch (h->ProviderId.Data1) {
	case PROCESS:
		take_process(use, record);
		break;
	case THREAD:
		if (type == CSWITCH)
			take_switch(use, record);
		else if (type == READY_THREAD)
			take_ready(use, record);
		else if (type == START || type == DC_START || type == DC_END)
			take_thread(use, record);
		break;
	case IMAGE:
		take_image(record);
		break;
	case PERF_INFO:
		take_profile(use, record);
		break;
	case STACK_WALK:
		if (type == STACK)
			take_stack(use, record);
		break;
	case DISK_IO:
		if (type == DISK_READ || type == DISK_WRITE ||
		    type == DISK_FLUSH)
			take_disk(use, record);
		break;
	}
}

void cpu_take_end(struct cpu_use *use, const EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;

	if (!(h->Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER) ||
	    h->EventDescriptor.Opcode != DC_END)
		return;
	if (h->ProviderId.Data1 == PROCESS)
		take_process(use, record);
	else if (h->ProviderId.Data1 == THREAD)
		take_thread(use, record);
	else if (h->ProviderId.Data1 == IMAGE)
		take_image(record);
}

void cpu_finish(struct cpu_use *use)
{
	const uint32_t interval = use->interval ? use->interval :
						  USUAL_INTERVAL;
	struct cpu_thread *t;

	use->interval = interval;
	for (uint32_t i = 0; i < use->processor_count; i++) {
		if (use->processors[i].has_switched && !use->is_unordered)
			credit(use, &use->processors[i],
			       use->processors[i].tid, use->last);
	}
	for (t = use->threads; t < use->threads + use->thread_count; t++) {
		count_sample(use, t);
		/* Without context switches, a sample stands for its interval */
		if (!use->switches)
			t->time = t->samples * interval;
		use->processes[t->process].time += t->time;
	}
}

/* Return whether this system has a process or thread */
static bool exists(uint32_t id)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u", id);
	return !access(path, F_OK);
}

static bool is_kept_thread(const struct cpu_use *use, uint32_t number)
{
	const struct cpu_thread *t = &use->threads[number];

	return t->time || t->samples || t->switches ||
	       (find_thread(use, t->tid) == number && exists(t->tid));
}

static bool is_kept_process(const struct cpu_use *use, uint32_t number)
{
	const uint32_t pid = use->processes[number].pid;

	return find_process(use, pid) == number && exists(pid);
}

static void move_kept(struct cpu_use *use, const struct cpu_thread *t,
		      uint32_t process)
{
	struct cpu_thread *to;

	add_thread(use, t->tid, process);
	to = &use->threads[use->thread_count - 1];
	to->time = t->time;
	to->samples = t->samples;
	to->switches = t->switches;
	to->frames = t->frames;
}

/* Take over the processes that have kept threads or exist, with new indexes */
static void move_processes(struct cpu_use *use, const struct cpu_use *old,
			   const bool *has_kept, uint32_t *number)
{
	for (uint32_t i = 0; i < old->process_count; i++) {
		const struct cpu_process *p = &old->processes[i];

		if (has_kept[i] || is_kept_process(old, i)) {
			number[i] = add_process(use, p->pid);
			use->processes[number[i]].name = p->name;
			continue;
		}
		free(p->name);
		if (find_process(old, p->pid) == i)
			images_forget(p->pid);
	}
}

/*
 * Forget threads and processes that no longer exist and were not used since the
 * last restart, and the images of these processes. All samples have been counted.
 */
static void forget_ended(struct cpu_use *use)
{
	struct cpu_use old = *use;
	uint32_t *number = must_have(calloc(old.process_count + 1,
					    sizeof(*number)));
	bool *has_kept = must_have(calloc(old.process_count + 1, 1));
	bool *is_kept = must_have(calloc(old.thread_count + 1, 1));
	uint32_t i;

	use->process_count = 0;
	use->process_room = 0;
	use->processes = list_room(NULL, 0, &use->process_room,
				   sizeof(*use->processes));
	use->process_table = (struct hash) {};
	use->thread_count = 0;
	use->thread_room = 0;
	use->threads = list_room(NULL, 0, &use->thread_room,
				 sizeof(*use->threads));
	use->thread_table = (struct hash) {};
	for (i = 0; i < old.thread_count; i++) {
		is_kept[i] = is_kept_thread(&old, i);
		has_kept[old.threads[i].process] |= is_kept[i];
	}
	move_processes(use, &old, has_kept, number);
	for (i = 0; i < old.thread_count; i++) {
		if (is_kept[i])
			move_kept(use, &old.threads[i],
				  number[old.threads[i].process]);
		else
			free(old.threads[i].frames);
	}
	free(is_kept);
	free(has_kept);
	free(number);
	free(old.processes);
	free(old.threads);
	hash_free(&old.process_table);
	hash_free(&old.thread_table);
}

void cpu_restart(struct cpu_use *use)
{
	uint32_t i;

	/* Rarely enough, as all that exists is kept */
	if (use->process_count + use->thread_count >
	    2 * use->kept + MAX_ENDED) {
		forget_ended(use);
		use->kept = use->process_count + use->thread_count;
	}
	use->first = use->last;
	use->samples = 0;
	use->switches = 0;
	folds_free(&use->folds);
	use->folds = (struct folds) { 0 };
	for (i = 0; i < use->processor_count && !use->is_unordered; i++) {
		if (use->processors[i].has_switched)
			use->processors[i].since = use->last;
	}
	for (i = 0; i < use->thread_count; i++) {
		use->threads[i].time = 0;
		use->threads[i].samples = 0;
		use->threads[i].switches = 0;
	}
	for (i = 0; i < use->process_count; i++) {
		use->processes[i].time = 0;
		use->processes[i].samples = 0;
	}
}

/* Return the process of a thread that runs, or 0 */
static uint32_t running_process(uint32_t tid)
{
	char path[64], line[256];
	unsigned int pid = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%u/status", tid);
	status = fopen(path, "re");
	if (!status)
		return 0;
	while (!pid && fgets(line, sizeof(line), status))
		sscanf(line, "Tgid: %u", &pid);
	fclose(status);
	return pid;
}

void cpu_find_running(struct cpu_use *use)
{
	uint32_t i = use->thread_count, pid, process;
	char name[PROCESS_EVENT_NAME];

	/* The newest first, as those that have ended stay */
	while (i--) {
		const struct cpu_thread *t = &use->threads[i];

		if (use->processes[t->process].pid != UNKNOWN ||
		    !(t->time || t->samples || t->switches || t->is_pending))
			continue;
		pid = running_process(t->tid);
		if (!pid)
			continue;
		process = process_of(use, pid);
		if (!use->processes[process].name)
			use->processes[process].name =
				must_have(strdup(process_name(pid, name,
							      sizeof(name))));
		move_thread(use, i, process);
	}
}

uint32_t cpu_thread(struct cpu_use *use, uint32_t pid, uint32_t tid)
{
	if (find_thread(use, tid) == HASH_NONE)
		add_thread(use, tid, process_of(use, pid));
	return find_thread(use, tid);
}

bool cpu_is_known(const struct cpu_use *use)
{
	return use->switches || use->samples;
}

static int by_samples(const void *a, const void *b)
{
	const struct cpu_function *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return x->name < y->name ? -1 : x->name > y->name;
}

struct cpu_function *cpu_functions(const struct cpu_use *use, uint32_t *count)
{
	const struct folds *folds = &use->folds;
	const uint32_t names = folds->names.count;
	struct cpu_function *all = must_have(calloc(names + 1, sizeof(*all)));
	/* Leaf that has been counted last for each name: recursion counts once */
	uint32_t *leaf = must_have(calloc(names + 1, sizeof(*leaf)));
	uint32_t i, at, name, n = 0;

	for (i = 0; i < folds->count; i++) {
		if (!folds->list[i].count)
			continue;
		all[folds->list[i].name].self += folds->list[i].count;
		/* The outermost frame is the process */
		for (at = i; folds->list[at].parent != FOLD_NONE;
		     at = folds->list[at].parent) {
			name = folds->list[at].name;
			if (leaf[name] != i + 1)
				all[name].total += folds->list[i].count;
			leaf[name] = i + 1;
		}
	}
	free(leaf);
	for (i = 0; i < names; i++) {
		if (!all[i].total)
			continue;
		all[n] = all[i];
		all[n++].name = i;
	}
	qsort(all, n, sizeof(*all), by_samples);
	*count = n;
	return all;
}

void cpu_free(struct cpu_use *use)
{
	for (uint32_t i = 0; i < use->process_count; i++)
		free(use->processes[i].name);
	for (uint32_t i = 0; i < use->thread_count; i++)
		free(use->threads[i].frames);
	free(use->processes);
	free(use->threads);
	free(use->processors);
	hash_free(&use->process_table);
	hash_free(&use->thread_table);
	folds_free(&use->folds);
}
