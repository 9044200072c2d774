// SPDX-License-Identifier: MIT
/*
 * The library's half of a ring, with a file in memory in place of the module:
 * the form of a record, and when an event is left to the ioctl.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "lib/ring/ring.h"
#include "selftests/unit/common/tap.h"

#define HANDLE	((REGHANDLE)0x1234500020)

static const EVENT_DESCRIPTOR descriptor = {
	.Id = 7, .Level = 3, .Keyword = 0x10,
};
static const GUID activity = { 1, 2, 3, { 4 } };
static int file;

static bool put(ULONG count, const EVENT_DATA_DESCRIPTOR *data)
{
	return evnt_ring_put(&evnt_thread, false, 0, HANDLE, &descriptor,
			     &activity, count, data, &file);
}

/* Write an event of one block if it is one of those that are written fast */
static bool put_short(unsigned short flags, const EVENT_DATA_DESCRIPTOR *data)
{
	if (evnt_ring_short_len(data) > EVNT_RING_SHORT)
		return false;
	/* Constant flags, as the library's */
	return flags ? evnt_ring_put(&evnt_thread, true, EVNTPROV_RING_COUNTER,
				     HANDLE, &descriptor, &activity, 1, data,
				     NULL) :
		       evnt_ring_put(&evnt_thread, true, 0, HANDLE, &descriptor,
				     &activity, 1, data, NULL);
}

static bool put_bytes(ULONG len)
{
	static char bytes[4096];
	EVENT_DATA_DESCRIPTOR data = { .Ptr = (uintptr_t)bytes, .Size = len };

	return put(1, &data);
}

/* The state that a new mapping of the file has */
static void reset_file(void)
{
	static const struct evntprov_ring none;

	if (pwrite(file, &none, sizeof(none), EVNTPROV_RING_OFFSET) < 0)
		perror("pwrite");
}

static void test_record(void)
{
	EVENT_DATA_DESCRIPTOR data[2] = {
		{ .Ptr = (uintptr_t)"abcde", .Size = 5 },
		{ .Ptr = (uintptr_t)"fg", .Size = 2 },
	};
	const struct etl_event_header *h;
	struct timespec before, after;
	struct evnt_ring *ring;

	clock_gettime(CLOCK_BOOTTIME, &before);
	CHECK(put(2, data), "the first event maps a ring");
	clock_gettime(CLOCK_BOOTTIME, &after);
	ring = evnt_thread.ring;
	h = (const void *)ring->data;
	CHECK(ring->state->commit == 88 && h->size == 87 &&
	      !memcmp(h + 1, "abcdefg", 7), "a record contains the data");
	CHECK(!memcmp(h->provider, &(REGHANDLE){ HANDLE }, 8) &&
	      !memcmp(&h->descriptor, &descriptor, 16) &&
	      !memcmp(h->activity, &activity, 16),
	      "a record contains handle, descriptor and activity");
	CHECK(h->time_stamp >= before.tv_sec * 1000000000ll + before.tv_nsec &&
	      h->time_stamp <= after.tv_sec * 1000000000ll + after.tv_nsec,
	      "a record has the time of the write");
}

/* Write a block of this length, at the end of its memory, and compare the record */
static bool is_written_fast(unsigned short flags, ULONG len)
{
	struct evnt_ring *ring = evnt_thread.ring;
	char *bytes = malloc(len ?: 1);
	const EVENT_DATA_DESCRIPTOR data = {
		.Ptr = (uintptr_t)bytes, .Size = len,
	};
	const struct etl_event_header *h;
	bool same;
	ULONG i;

	for (i = 0; i < len; i++)
		bytes[i] = i * 7 + len;
	ring->state->tail = ring->head;
	ring->limit = ring->head + EVNTPROV_RING_SIZE;
	h = (void *)(ring->data + ring->head % EVNTPROV_RING_SIZE);
	same = put_short(flags, &data) && h->size == 80 + len &&
	       h->flags == flags && !memcmp(h + 1, bytes, len) &&
	       !memcmp(&h->descriptor, &descriptor, 16) &&
	       ring->state->commit == ring->head;
	free(bytes);
	return same;
}

static void test_short_blocks(void)
{
	struct evnt_ring *ring = evnt_thread.ring;
	EVENT_DATA_DESCRIPTOR data = { .Ptr = (uintptr_t)"a", .Size = 1 };
	const unsigned short max = EVNT_RING_COUNTER;
	unsigned short flags;
	ULONGLONG head;
	ULONG len;

	for (flags = 0; flags <= max; flags++) {
		evnt_thread.reads_counter = flags;
		for (len = 0; len <= EVNT_RING_SHORT; len++) {
			if (!is_written_fast(flags, len))
				break;
		}
		CHECK(len > EVNT_RING_SHORT,
		      "each short block is written fast, %u", len);
		head = ring->head;
		CHECK(!is_written_fast(flags, EVNT_RING_SHORT + 1),
		      "a longer one is not");
		data.Type = 1;
		CHECK(!put_short(flags, &data), "nor one with a type");
		data.Type = 0;
		evnt_thread.is_busy = 1;
		CHECK(!put_short(flags, &data), "nor one within another");
		evnt_thread.is_busy = 0;
		ring->limit = head + 80;
		CHECK(!put_short(flags, &data), "nor one without room");
		ring->limit = head + 88;
		ring->state->lost++;
		CHECK(!put_short(flags, &data), "nor one after a loss");
		ring->state->lost--;
		ring->owner = NULL;
		CHECK(!put_short(flags, &data), "nor one without a ring");
		ring->owner = &evnt_thread;
		CHECK(ring->head == head && put_short(flags, &data) &&
		      ring->head == head + 88,
		      "none of these has changed the ring");
	}
	evnt_thread.reads_counter = 0;
	CHECK(!max || !put_short(max, &data),
	      "the counter is not read unless the module asks for it");
}

static bool put_items(LPCGUID related, bool is_typed, ULONG traits_len,
		      ULONG count, const EVENT_DATA_DESCRIPTOR *data)
{
	return evnt_ring_put_items(HANDLE, &descriptor, &activity, related,
				   is_typed, traits_len, count, data, &file);
}

static void test_items(void)
{
	static const BYTE items[] = {
		24, 0, 1, 0, 1, 0, 16, 0,	/* related activity */
		1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 0, 0, 0,
		16, 0, 12, 0, 1, 0, 3, 0, 3, 0, 'p', 0, 0, 0, 0, 0,
		16, 0, 11, 0, 0, 0, 5, 0, 5, 0, 0, 'e', 0, 0, 0, 0,
		'a', 'b', 'c',
	};
	const EVENT_DATA_DESCRIPTOR data[] = {
		{ .Ptr = (uintptr_t)"ab", .Size = 2 },
		{ .Ptr = (uintptr_t)"\5\0", .Size = 3, .Type = 1 },
		{ .Ptr = (uintptr_t)"\3\0p", .Size = 3, .Type = 2 },
		{ .Ptr = (uintptr_t)"e", .Size = 2, .Type = 1 },
		{ .Ptr = (uintptr_t)"c", .Size = 1 },
	}, unknown = { .Ptr = 1, .Size = 1, .Type = 3 };
	struct evnt_ring *ring = evnt_thread.ring;
	const ULONGLONG head = ring->head;
	const struct etl_event_header *h =
		(void *)(ring->data + head % EVNTPROV_RING_SIZE);

	CHECK(put_items(&activity, true, 3, 5, data) &&
	      h->size == 80 + sizeof(items) && h->flags == EVNTPROV_RING_ITEMS &&
	      !memcmp(h + 1, items, sizeof(items)),
	      "items stand between header and data, as in a log");
	CHECK(!put_items(&activity, true, 4, 5, data),
	      "traits of another size than the registration's are left");
	CHECK(!put_items(NULL, true, 0, 1, data), "an event without items is left");
	CHECK(!put_items(&activity, true, 0, 1, &unknown) &&
	      !put_items(&activity, false, 0, 1, &unknown) &&
	      !put_items(&activity, false, 0, 1, NULL), "errors are left");
	CHECK(ring->head == head + 144, "nothing of them is in the ring");
}

static void test_left_to_the_ioctl(void)
{
	const ULONGLONG before = evnt_thread.ring->state->commit;
	EVENT_DATA_DESCRIPTOR typed = { .Ptr = 1, .Size = 0, .Type = 1 };

	CHECK(!put_bytes(EVNTPROV_RING_MAX_RECORD - 79) &&
	      put_bytes(EVNTPROV_RING_MAX_RECORD - 80),
	      "an event that is longer than a record may be is left");
	CHECK(!put(1, &typed), "types of data are left");
	CHECK(!put(1, NULL) && !put(129, &typed), "errors are left");
	evnt_thread.is_busy = 1;
	CHECK(!put(0, NULL), "an event within another one is left");
	evnt_thread.is_busy = 0;
	CHECK(evnt_thread.ring->state->commit == before + 2048,
	      "nothing of them is in the ring");
}

static void test_room(void)
{
	struct evnt_ring *ring = evnt_thread.ring;

	while (ring->head + 2048 <= ring->limit)
		put_bytes(1968);
	ring->state->tail = ring->head;
	CHECK(put_bytes(1968) && ring->head - ring->state->tail == 2048,
	      "what was copied is overwritten");
	while (ring->head + 2048 <= ring->limit)
		put_bytes(1968);
	CHECK(!put_bytes(1968) && !evnt_thread.ring,
	      "a ring that nothing empties is given up");
	reset_file();
	CHECK(put_bytes(0) && evnt_thread.ring == ring && ring->head == 80,
	      "another one takes its place");
}

/* The module has counted a lost event, whatever had it copied */
static void test_loss(void)
{
	struct evnt_ring *ring = evnt_thread.ring;
	const ULONGLONG head = ring->head;

	ring->state->lost++;
	CHECK(!put_bytes(0) && !put_bytes(0) && ring->head == head,
	      "after a loss, events are left to the ioctl");
	evnt_ring_written();
	CHECK(put_bytes(0) && put_bytes(0) && ring->head == head + 160,
	      "once one was written by it, the ring is used again");
}

static int in_child(void)
{
	struct evnt_ring *ring;

	reset_file();
	if (!put_bytes(0) || !evnt_thread.ring)
		return 1;
	ring = evnt_thread.ring;
	return ring->thread != getpid() || ring->head != 80;
}

/* Run @fn in a child that was made by fork(), or without its handlers */
static int run_child(int (*fn)(void), bool handlers)
{
	pid_t child = handlers ? fork() : _Fork();
	int status;

	if (!child)
		_exit(fn());
	waitpid(child, &status, 0);
	return status;
}

/* A child that gets no ring does not look for one at the next write either */
static int in_child_without_ring(void)
{
	const EVENT_DATA_DESCRIPTOR data = { .Ptr = 1 };

	file = -1;
	return put_bytes(0) || evnt_thread.ring || put_short(1, &data);
}

/* Write without a ring, as a process that shares the memory of its parent */
static int put_as_child(void *arg)
{
	(void)arg;
	evnt_thread.ring = NULL;
	return put_bytes(0) || evnt_thread.ring;
}

static int share_memory(void)
{
	static char stack[64 * 1024] __attribute__((aligned(64)));
	int status;
	pid_t child;

	if (in_child())
		return 1;
	child = clone(put_as_child, stack + sizeof(stack),
		      CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	return child < 0 || waitpid(child, &status, 0) != child || status;
}

static struct evntprov_ring *interrupted;

static int write_on(void)
{
	interrupted->commit = 1;
	return 0;
}

static void test_fork(void)
{
	const ULONGLONG head = evnt_thread.ring->head;

	madvise(evnt_thread.ring->state, 4096 + 2 * EVNTPROV_RING_SIZE,
		MADV_DONTFORK);
	CHECK(!run_child(in_child, true), "a child maps a ring of its own");
	CHECK(!run_child(in_child, false), "so it does without fork handlers");
	evnt_thread.reads_counter = 1;
	CHECK(!run_child(in_child_without_ring, false),
	      "a child that gets no ring goes on without one");
	evnt_thread.reads_counter = 0;
	CHECK(!run_child(share_memory, true),
	      "a child that shares the memory of its parent maps none");
	interrupted = evnt_thread.ring->state;
	interrupted->commit = head;
	evnt_thread.is_busy = 1;
	CHECK(!run_child(write_on, true) && interrupted->commit == head,
	      "a child completes a write that a handler has interrupted");
	evnt_thread.is_busy = 0;
	CHECK(evnt_thread.ring->head == head, "the parent's ring is unchanged");
}

#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define TRAP_FLAG	0x100l
#define VDSO_SIZE	0x4000

static pid_t self_pid;
static volatile int forks, failures;

/* Fork before each instruction; the child goes on from there */
static void fork_in_handler(int signal, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	unsigned long ip = at->uc_mcontext.gregs[REG_RIP];
	pid_t child;
	int status;

	(void)signal;
	(void)info;
	/* There, the clock is read again if it has changed */
	if (ip - getauxval(AT_SYSINFO_EHDR) < VDSO_SIZE)
		return;
	child = fork();
	if (!child) {
		at->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	waitpid(child, &status, 0);
	forks++;
	failures += status != 0;
}

/* Write an event step by step; a child ends behind it */
static void put_in_steps(void)
{
	__asm__ __volatile__("pushf; orq %0, (%%rsp); popf"
			     : : "i" (TRAP_FLAG) : "cc", "memory");
	put(0, NULL);
	__asm__ __volatile__("pushf; andq %0, (%%rsp); popf"
			     : : "i" (~TRAP_FLAG) : "cc", "memory");
	if (getpid() != self_pid)
		_exit(0);
}

static void test_fork_within_a_write(void)
{
	struct evnt_ring *ring = evnt_thread.ring;
	const struct sigaction on = {
		.sa_sigaction = fork_in_handler, .sa_flags = SA_SIGINFO,
	}, off = { .sa_handler = SIG_DFL };

	self_pid = getpid();
	sigaction(SIGTRAP, &on, NULL);
	put_in_steps();
	ring->limit = ring->head;
	put_in_steps();
	CHECK(evnt_thread.ring == ring && forks > 200 && !failures,
	      "a handler may fork before any instruction of a write");
	ring->head += EVNTPROV_RING_SIZE;
	forks = 0;
	put_in_steps();
	CHECK(!evnt_thread.ring && forks > 50 && !failures,
	      "or of one that gives the ring up");
	sigaction(SIGTRAP, &off, NULL);
	reset_file();
	put_bytes(0);
}
#else
static void test_fork_within_a_write(void)
{
}
#endif

static void test_revoke(void)
{
	struct evnt_ring *ring = evnt_thread.ring;
	struct evntprov_ring *state = ring->state;

	evnt_rings_revoke(true);
	state->commit = 5;
	CHECK(ring->data[0] == 0, "memory stays in the place of a ring");
	CHECK(!put_bytes(0) && !evnt_thread.ring,
	      "the next write gives the ring up");
	reset_file();
	CHECK(put_bytes(0) && evnt_thread.ring->head == 80,
	      "and maps another one");
}

/* Begin a write, set *@arg, and complete the write a little later */
static void *put_slowly(void *arg)
{
	struct evnt_thread *self = &evnt_thread;
	struct evnt_ring_write w;

	reset_file();
	if (put_bytes(0) && evnt_ring_begin(&w, self, false, 0, 0, &file)) {
		__atomic_store_n((bool *)arg, true, __ATOMIC_RELEASE);
		usleep(10000);
		evnt_ring_put_header(w.header, sizeof(*w.header), 0, HANDLE,
				     &descriptor, &activity);
		evnt_ring_end(&w, self, 0);
	}
	return NULL;
}

/* The memory is the file's: what the module would copy */
static void test_revoke_within_a_write(void)
{
	struct evntprov_ring state = {};
	bool has_begun = false;
	pthread_t thread;
	unsigned int i;

	pthread_create(&thread, NULL, put_slowly, &has_begun);
	for (i = 0; i < 5000 && !__atomic_load_n(&has_begun, __ATOMIC_ACQUIRE);
	     i++)
		usleep(1000);
	evnt_rings_revoke(true);
	pthread_join(thread, NULL);
	CHECK(pread(file, &state, sizeof(state), EVNTPROV_RING_OFFSET) ==
	      sizeof(state) && state.commit == 160,
	      "an event that a thread is writing is in the ring that ends");
}

static void *put_one(void *arg)
{
	reset_file();
	put_bytes(0);
	*(struct evnt_ring **)arg = evnt_thread.ring;
	return arg;
}

static void test_ended_thread(void)
{
	struct evnt_ring *rings[2] = {};
	pthread_t thread;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, put_one, &rings[i]);
		pthread_join(thread, NULL);
		/* The kernel knows a thread for a moment after its end */
		while (rings[i] && !syscall(SYS_tgkill, getpid(),
					    rings[i]->thread, 0))
			sched_yield();
	}
	CHECK(rings[0] && rings[0] == rings[1] && rings[0] != evnt_thread.ring,
	      "the ring of a thread that has ended is used again");
}

int main(void)
{
	setenv("EVNTPROV_RINGS", "force", 1);
	file = memfd_create("ring", MFD_CLOEXEC);
	if (ftruncate(file, EVNTPROV_RING_OFFSET + (1 << 20)))
		perror("ftruncate");
	test_record();
	test_short_blocks();
	test_items();
	test_left_to_the_ioctl();
	test_room();
	test_fork();
	test_fork_within_a_write();
	test_revoke();
	test_ended_thread();
	test_loss();
	test_revoke_within_a_write();
	return tap_end();
}
