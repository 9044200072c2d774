/* SPDX-License-Identifier: MIT */
/* CPU time of processes, threads and functions, from events of the kernel */
#ifndef EVNT_CPU_H
#define EVNT_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include <evntcons.h>

#include "tools/common/hash.h"
#include "tools/report/fold.h"

/* No thread */
#define CPU_NONE	UINT32_MAX
/* Maximum number of frames of a stack */
#define CPU_FRAMES	192

/**
 * struct cpu_process - a process, which has another number after each execve()
 * @pid: process id; UINT32_MAX: the process of its threads is not known
 * @name: name of its executable, or NULL
 * @last_thread: index of its newest thread, or CPU_NONE
 * @thread_count: number of its threads
 * @time: CPU time of its threads in units of 100 ns
 * @samples: number of samples of its threads
 */
struct cpu_process {
	uint32_t pid;
	char *name;
	uint32_t last_thread;
	uint32_t thread_count;
	uint64_t time;
	uint64_t samples;
};

/**
 * struct cpu_thread - a thread of one process
 * @tid: thread id; 0: idle threads
 * @process: index of its process
 * @previous: index of an older thread of the process, or CPU_NONE
 * @time: CPU time in units of 100 ns, from context switches
 * @samples: number of samples
 * @switches: number of times that it began to run
 * @depth: number of frames of the last sample
 * @stamp: time stamp of the last sample, as its stack records have it
 * @address: address of the last sample
 * @is_pending: the last sample has not been counted yet
 * @frames: frames of the last sample, innermost first; or NULL
 */
struct cpu_thread {
	uint32_t tid;
	uint32_t process;
	uint32_t previous;
	uint64_t time;
	uint64_t samples;
	uint64_t switches;
	uint32_t depth;
	uint64_t stamp;
	uint64_t address;
	bool is_pending;
	uint64_t *frames;
};

/**
 * struct cpu_processor - a processor
 * @since: time of the last context switch
 * @tid: thread that runs since then
 * @has_switched: there was one
 */
struct cpu_processor {
	int64_t since;
	uint32_t tid;
	bool has_switched;
};

/* State of a thread that ceases to run, in the words of Windows' scheduler */
enum cpu_state {
	CPU_READY = 1,
	CPU_TERMINATED = 4,
	CPU_WAITING = 5,
};

/* Reasons of waits */
enum cpu_reason {
	CPU_PAGE_IN = 2,
	CPU_SUSPENDED = 5,
	CPU_EXECUTIVE = 7,
};

/**
 * struct cpu_switch - a context switch
 * @time: its time
 * @since: time since which @from ran, or of the first event
 * @processor: number of the processor
 * @from: index of the thread that ran, or CPU_NONE for an idle one
 * @to: index of the thread that runs next, or CPU_NONE for an idle one
 * @state: state of @from, see enum cpu_state
 * @reason: reason of its wait, in Windows' numbers
 */
struct cpu_switch {
	int64_t time;
	int64_t since;
	uint32_t processor;
	uint32_t from;
	uint32_t to;
	uint8_t state;
	uint8_t reason;
};

/**
 * struct cpu_ready - a wake-up
 * @time: its time
 * @processor: processor on which it happened
 * @thread: index of the thread that can run
 * @by: index of the thread that ran on the processor, or CPU_NONE if an idle
 *   thread did, or its context switch is not in the log
 * @is_interrupt: an interrupt of @by did it
 */
struct cpu_ready {
	int64_t time;
	uint32_t processor;
	uint32_t thread;
	uint32_t by;
	bool is_interrupt;
};

/**
 * struct cpu_stack - a call stack
 * @stamp: time stamp of its event in the clock of the log
 * @processor: processor that recorded it
 * @thread: index of the thread, or CPU_NONE for an idle one
 * @frames: addresses, innermost first
 * @pointer: size of an address in bytes
 * @depth: number of addresses
 */
struct cpu_stack {
	uint64_t stamp;
	uint32_t processor;
	uint32_t thread;
	const void *frames;
	size_t pointer;
	size_t depth;
};

/**
 * struct cpu_disk - a completed request to a disk
 * @time: time of its completion
 * @elapsed: time since its issue, in the clock of the log
 * @processor: processor that completed it
 * @thread: index of the thread that issued it, or CPU_NONE if that is not known
 * @disk: number of the disk
 * @size: number of bytes; 0 for a flush
 */
struct cpu_disk {
	int64_t time;
	uint64_t elapsed;
	uint32_t processor;
	uint32_t thread;
	uint32_t disk;
	uint32_t size;
};

/**
 * struct cpu_watch - functions that get events in order of time, or NULL
 * @on_switch: gets context switches
 * @on_ready: gets wake-ups
 * @on_sample: gets a sample's thread, time and address
 * @on_stack: gets call stacks
 * @on_disk: gets completed requests to disks
 * @is_folding: stacks of samples are folded nevertheless; without @on_stack
 */
struct cpu_watch {
	void (*on_switch)(void *context, const struct cpu_switch *s);
	void (*on_ready)(void *context, const struct cpu_ready *r);
	void (*on_sample)(void *context, uint32_t thread, int64_t time,
			  uint64_t address);
	void (*on_stack)(void *context, const struct cpu_stack *s);
	void (*on_disk)(void *context, const struct cpu_disk *d);
	bool is_folding;
};

/**
 * struct cpu_use - all of it; must be zeroed initially
 * @processes: processes in order of their first event
 * @process_count: number of processes
 * @process_room: number of processes that memory is allocated for
 * @process_table: hash table by id
 * @threads: threads, likewise
 * @kept: number of processes and threads when those that had ended were forgotten
 * @processors: processors by their numbers
 * @processor_count: number of elements of @processors
 * @first: time of the first event
 * @last: time of the last event
 * @interval: interval of samples in units of 100 ns, as recorded last
 * @samples: number of samples, without idle threads
 * @switches: number of context switches
 * @is_unordered: events are in order of time on each processor only, and more
 *   follow: the time since a processor's last context switch does not count yet
 * @folds: stacks of the samples below their processes
 * @watch: gets the events, too, instead of @folds; or NULL
 * @context: first argument of its functions
 */
struct cpu_use {
	struct cpu_process *processes;
	uint32_t process_count;
	uint32_t process_room;
	struct hash process_table;
	struct cpu_thread *threads;
	uint32_t thread_count;
	uint32_t thread_room;
	struct hash thread_table;
	uint32_t kept;
	struct cpu_processor *processors;
	uint32_t processor_count;
	int64_t first;
	int64_t last;
	uint32_t interval;
	uint64_t samples;
	uint64_t switches;
	bool is_unordered;
	struct folds folds;
	const struct cpu_watch *watch;
	void *context;
};

/**
 * struct cpu_function - samples of a function
 * @name: number of its name in the folds' names
 * @self: number of samples in it
 * @total: number of samples in it and in functions that it called
 */
struct cpu_function {
	uint32_t name;
	uint64_t self;
	uint64_t total;
};

/* Take what existed at the end of the log, of an event that precedes no other */
void cpu_take_end(struct cpu_use *use, const EVENT_RECORD *record);
/* Take an event; all are passed in order of time */
void cpu_take(struct cpu_use *use, const EVENT_RECORD *record);
/* Return whether an event is a context switch or a wake-up */
bool cpu_is_schedule(const EVENT_RECORD *record);
/* Complete the sums */
void cpu_finish(struct cpu_use *use);
/*
 * Begin new sums with the next event. If there are many processes and threads,
 * those that this system no longer has are forgotten.
 */
void cpu_restart(struct cpu_use *use);
/* Find the processes of threads that run on this system, if events do not */
void cpu_find_running(struct cpu_use *use);
void cpu_free(struct cpu_use *use);

/* Return the index of the thread that has the id now; it is added if unknown */
uint32_t cpu_thread(struct cpu_use *use, uint32_t pid, uint32_t tid);

/* Return whether the log has context switches or samples */
bool cpu_is_known(const struct cpu_use *use);
/* Return the functions, those with most samples first, for the caller to free */
struct cpu_function *cpu_functions(const struct cpu_use *use, uint32_t *count);

/*
 * Print tables with at most @rows processes, threads of each, and functions, and
 * at most @lines lines; 0: any number
 */
void cpu_print_text(const struct cpu_use *use, uint32_t rows, uint32_t lines);
void cpu_print_json(const struct cpu_use *use);

#endif /* EVNT_CPU_H */
