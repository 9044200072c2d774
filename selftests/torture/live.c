// SPDX-License-Identifier: GPL-2.0
/*
 * Readers of a measured session while it runs: a consumer that reads all the
 * time, a slow one, one that is killed and restarted at random, and one that
 * takes snapshots.
 *
 * The session also has a file, with all its buffers in the order in which
 * consumers get them.  So each step of a consumer can be checked: from one
 * buffer to the next, its counters must include each missed buffer in between,
 * and each event in these.
 */
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/consumer.h"
#include "torture.h"

#define SNAPSHOT	BIG_DIR "/snapshot.etl"
#define LIVES		64	/* of the one that is killed */
#define READERS		(2 + LIVES)
#define STEPS		40000

/* A buffer that a consumer got, and its losses since the one before */
struct step {
	uint64_t sequence;
	uint64_t buffers_missed;
	uint64_t events_missed;
	uint64_t events;
};

/* Results of a consumer, in memory that outlives it */
struct reader {
	uint32_t pause_us;	/* maximum, after each buffer */
	uint32_t count;
	bool has_ended;		/* it has reached the end of the session */
	bool is_broken;		/* a buffer was malformed */
	struct step last;	/* losses after the last buffer */
	struct step steps[STEPS];
};

static struct {
	bool stop;
	uint64_t ready;		/* number of open consumers */
	uint64_t snapshots;
	uint64_t wrong_snapshots;
	struct reader readers[READERS];
} *live;

static __u64 session;
static pid_t pids[2], restarter, photographer;

void live_setup(void)
{
	live = mmap(NULL, sizeof(*live), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static bool is_over(void)
{
	return __atomic_load_n(&live->stop, __ATOMIC_RELAXED);
}

/* Take a buffer; @step has the losses before it */
static void take(struct reader *r, struct consumer *c, uint32_t index,
		 struct step *step)
{
	uint64_t before = c->scan.events;

	step->sequence = etl_u64(consumer_buffer(c, index) + 0x18);
	if (consumer_scan(c, index, NULL, NULL))
		r->is_broken = true;
	step->events = c->scan.events - before;
	if (consumer_release(c, index))
		r->is_broken = true;
	r->steps[r->count] = *step;
	/* Count the step only when complete, as this process may be killed */
	__atomic_store_n(&r->count, r->count + 1, __ATOMIC_RELEASE);
	*step = (struct step) {};
}

static void read_on(struct reader *r, uint64_t seed)
{
	struct evntrace_next next = {};
	struct step step = {};
	struct consumer c;
	struct chance chance;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	chance_init(&chance, seed);
	if (consumer_open(&c, session))
		_exit(1);
	count(&live->ready);
	while (r->count < STEPS && !(next.state & EVNTRACE_NEXT_END)) {
		if (consumer_next(&c, &next, -1))
			break;
		step.buffers_missed += next.buffers_missed;
		step.events_missed += next.events_missed;
		if (next.state & EVNTRACE_NEXT_BUFFER)
			take(r, &c, next.index, &step);
		if (r->pause_us)
			usleep(chance_of(&chance, r->pause_us));
	}
	r->last = step;
	r->has_ended = next.state & EVNTRACE_NEXT_END;
	_exit(0);
}

static pid_t start_reader(uint32_t i, uint64_t seed)
{
	pid_t pid = fork();

	if (!pid)
		read_on(&live->readers[i], seed);
	return pid;
}

/* Kill and restart the consumer at random moments */
static void restart(struct chance *c)
{
	uint32_t i;
	pid_t pid;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 2; i < READERS && !is_over(); i++) {
		pid = start_reader(i, chance_next(c));
		usleep(chance_of(c, 1500000));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		count(&totals->kills);
	}
	_exit(0);
}

static int snapshot(int trace)
{
	int fd = open(SNAPSHOT, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct evntrace_snapshot arg = {
		.size = sizeof(arg), .log_fd = fd,
	};
	int err = dev_ioctl(trace, session, EVNTRACE_IOC_SNAPSHOT, &arg);

	close(fd);
	return err;
}

static void take_snapshots(struct chance *c)
{
	int err, trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!is_over()) {
		err = snapshot(trace);
		if (!err) {
			live->snapshots++;
			live->wrong_snapshots += !measured_is_run(SNAPSHOT);
		} else if (err != ENOMEM) {
			printf("# a snapshot fails: %s\n", strerror(err));
			live->wrong_snapshots++;
		}
		usleep(chance_of(c, 500000));
	}
	unlink(SNAPSHOT);
	_exit(0);
}

/* Buffers from before a consumer came are not its losses */
static void await_readers(uint64_t how_many)
{
	int i;

	for (i = 0; i < 10000 && __atomic_load_n(&live->ready,
						 __ATOMIC_RELAXED) < how_many;
	     i++)
		usleep(1000);
}

static void forget(void)
{
	uint32_t i;

	live->stop = false;
	live->ready = 0;
	live->snapshots = 0;
	live->wrong_snapshots = 0;
	for (i = 0; i < READERS; i++)
		memset(&live->readers[i], 0, offsetof(struct reader, steps));
}

/* Must be called before the first write */
void live_begin(__u64 handle, uint64_t seed)
{
	struct chance c;
	uint32_t i;

	session = handle;
	forget();
	chance_init(&c, seed);
	live->readers[1].pause_us = 20000;
	for (i = 0; i < 2; i++)
		pids[i] = start_reader(i, chance_next(&c));
	await_readers(2);
	restarter = fork();
	if (!restarter)
		restart(&c);
	photographer = fork();
	if (!photographer)
		take_snapshots(&c);
}

/* Stop readers that do not end with the session */
void live_stop(void)
{
	__atomic_store_n(&live->stop, true, __ATOMIC_RELAXED);
	waitpid(restarter, NULL, 0);
	waitpid(photographer, NULL, 0);
}

/* The session's file: events by position; positions by sequence number */
struct shelf {
	uint64_t count;
	uint64_t *events_before;
	uint64_t sequences;
	uint64_t *positions;	/* from 1; 0: none */
};

static void shelve(struct shelf *s, const uint8_t *b, struct etl_scan *scan)
{
	uint64_t sequence = etl_u64(b + 0x18), more;

	while (sequence >= s->sequences) {
		more = s->sequences ? s->sequences * 2 : 1024;
		s->positions = realloc(s->positions, more * 8);
		memset(s->positions + s->sequences, 0,
		       (more - s->sequences) * 8);
		s->sequences = more;
	}
	s->positions[sequence] = ++s->count;
	etl_scan_buffer(b, scan, NULL, NULL);
	s->events_before = realloc(s->events_before, (s->count + 1) * 8);
	s->events_before[s->count] = scan->events;
}

static void fill_shelf(struct shelf *s, const char *log)
{
	int fd = open(log, O_RDONLY | O_CLOEXEC);
	struct etl_scan scan = {};
	struct stat st = {};
	uint64_t at;
	uint8_t *f;

	fstat(fd, &st);
	s->events_before = calloc(1, 8);
	f = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (f == MAP_FAILED || etl_scan_header(f, st.st_size, &scan))
		return;
	for (at = scan.buffer_size; at + scan.buffer_size <= (uint64_t)st.st_size;
	     at += scan.buffer_size)
		shelve(s, f + at, &scan);
	munmap(f, st.st_size);
}

/* Whether a reader's losses match what is between two positions */
static bool is_between(const struct shelf *s, uint64_t from, uint64_t to,
		       const struct step *step)
{
	return to > from && to - from - 1 == step->buffers_missed &&
	       s->events_before[to - 1] - s->events_before[from] ==
	       step->events_missed;
}

static uint64_t position(const struct shelf *s, const struct step *step)
{
	return step->sequence < s->sequences ? s->positions[step->sequence] : 0;
}

/* @at: the first position, or ~0 if unknown */
static bool evaluate_reader(const struct shelf *s, const struct reader *r,
			    uint64_t at)
{
	const struct step *step;
	uint64_t next;
	uint32_t i;

	for (i = 0; i < r->count; i++) {
		step = &r->steps[i];
		next = position(s, step);
		if (!next || s->events_before[next] -
			     s->events_before[next - 1] != step->events ||
		    (at != ~0ull && !is_between(s, at, next, step)))
			return false;
		totals->consumed += step->events;
		totals->missed += at == ~0ull ? 0 : step->events_missed;
		at = next;
	}
	return !r->is_broken &&
	       (!r->has_ended || is_between(s, at, s->count + 1, &r->last));
}

static bool evaluate_readers(const struct shelf *s)
{
	uint32_t i;
	bool ok = true;

	for (i = 0; i < READERS; i++) {
		if (evaluate_reader(s, &live->readers[i], i < 2 ? 0 : ~0ull) &&
		    (i >= 2 || live->readers[i].has_ended))
			continue;
		printf("# consumer %u: its account is wrong, or broken (%d), or it has not come to the end (%d)\n",
		       i, live->readers[i].is_broken,
		       live->readers[i].has_ended);
		ok = false;
	}
	return ok;
}

/* The session has been stopped, so its file is complete */
bool live_end(const char *log)
{
	struct shelf s = {};
	uint32_t i;
	bool ok;

	for (i = 0; i < 2; i++)
		waitpid(pids[i], NULL, 0);
	fill_shelf(&s, log);
	ok = evaluate_readers(&s);
	free(s.events_before);
	free(s.positions);
	totals->snapshots += live->snapshots;
	if (live->wrong_snapshots)
		printf("# %llu of %llu snapshots are wrong\n",
		       (unsigned long long)live->wrong_snapshots,
		       (unsigned long long)live->snapshots);
	return ok && live->snapshots && !live->wrong_snapshots;
}
