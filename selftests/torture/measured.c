// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions that are checked amid the chaos.  Whatever happens to their writers,
 * their disk and their machine:
 *
 * - the file contains no event twice, none that was not written, and each
 *   thread's events in the order of writing;
 * - it contains each accepted event, if all of it could be written;
 * - events in the file + events lost = events that the session wanted.
 *
 * For a writer that is killed, it is unknown for at most one event whether it
 * was written.
 *
 * Each writer is also a classic provider, which keeps writing to the checked
 * session when others take it over; and writes by the library, to a ring, whose
 * events may be lost after their write has returned.
 *
 * One session is read while it runs, see live.c.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

#include <evntprov.h>

#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/ring/ring_parameters.h"
#include "torture.h"

#define H		HANDLE(3, 1)
#define H_CLASSIC	HANDLE(4, 1)
#define PROCESSES	6	/* half of them at a time */
#define THREADS		2
#define WRITERS		(PROCESSES * THREADS)
#define PER_WRITER	40000

/*
 * Kinds of events: modern, by TraceEvent and TraceEventInstance, or by EventWrite
 * with a ring
 */
#define WAY_EVENT	0
#define WAY_CLASSIC	1
#define WAY_RING	2
#define WAYS		3

/* Events of one thread of one kind */
struct record_of {
	uint32_t attempted;
	uint32_t done;
	uint32_t unexpected;	/* errors that are not documented losses */
	bool accepted[PER_WRITER];
};

/* Events of one thread, in memory that outlives it */
struct writer {
	uint32_t pid;
	uint32_t tid;
	struct record_of way[WAYS];
};

static struct {
	bool stop;
	__u64 classic_session;
	struct writer writers[WRITERS];
} *shared;

struct payload {
	uint32_t writer;
	uint32_t number;
	uint8_t fill[200];
};

/* The sessions: log, enablement, and whether they may lose events */
static struct session {
	const char *name;
	const char *log;
	uint32_t way;
	struct evntrace_start properties;
	uint8_t level;
	bool disk_is_small;
	__u64 handle;
} sessions[] = {
	{
		.name = "measured-0", .log = BIG_DIR "/measured-0.etl",
		.properties = { .buffer_size = 65536, .max_buffers = 64,
				.flush_ms = 100 },
	}, {
		.name = "measured-1", .log = BIG_DIR "/measured-1.etl",
		.properties = { .buffer_size = 4096, .max_buffers = 1,
				.flush_ms = 1 },
		.level = 3,
	}, {
		.name = "measured-2", .log = SMALL_DIR "/measured-2.etl",
		.properties = { .buffer_size = 8192, .max_buffers = 16 },
		.level = 4, .disk_is_small = true,
	}, {
		.name = "measured-rings", .way = WAY_RING,
		.log = BIG_DIR "/measured-rings.etl",
		.properties = { .buffer_size = 16384, .max_buffers = 128,
				.flush_ms = 50 },
	}, {
		.name = "measured-ring", .way = WAY_RING,
		.log = BIG_DIR "/measured-ring.etl",
		.properties = { .buffer_size = 4096, .max_buffers = 96,
				.flush_ms = 1 },
		.level = 3,
	}, {
		.name = "measured-classic", .way = WAY_CLASSIC,
		.log = BIG_DIR "/measured-classic.etl",
		.properties = { .buffer_size = 16384, .max_buffers = 32,
				.flush_ms = 50 },
	}, {
		.name = "measured-live", .log = BIG_DIR "/measured-live.etl",
		.properties = { .log_file_mode = EVNTRACE_MODE_REAL_TIME,
				.buffer_size = 16384, .max_buffers = 64,
				.flush_ms = 50 },
	},
};

#define SESSIONS	(sizeof(sessions) / sizeof(sessions[0]))
#define LIVE		(&sessions[SESSIONS - 1])
#define CLASSIC		(&sessions[SESSIONS - 2])

static int trace = -1;
static uint32_t processors;
static pid_t supervisor;

static uint8_t level_of(uint32_t number)
{
	return 1 + number % 5;
}

static uint32_t length_of(uint32_t number)
{
	return 8 + number % 193;
}

static bool wants(const struct session *s, uint32_t number)
{
	return !s->level || level_of(number) <= s->level;
}

static struct payload payload_of(const struct writer *w, uint32_t number)
{
	struct payload p = {
		.writer = w - shared->writers, .number = number,
	};

	memset(p.fill, number, sizeof(p.fill));
	return p;
}

/* Record that the event is about to be written, or the result */
static void begin_one(struct record_of *r, uint32_t number)
{
	__atomic_store_n(&r->attempted, number + 1, __ATOMIC_SEQ_CST);
}

static void end_one(struct record_of *r, uint32_t number, int err)
{
	r->accepted[number] = !err;
	r->unexpected += err && err != ENOBUFS && err != EAGAIN;
	__atomic_store_n(&r->done, number + 1, __ATOMIC_SEQ_CST);
}

static void write_one(struct writer *w, int fd, uint32_t number)
{
	struct payload payload = payload_of(w, number);
	struct evntprov_data data = {
		.ptr = (uintptr_t)&payload, .len = length_of(number),
	};
	struct evntprov_write arg = write_arg(H, &data, 1);

	arg.descriptor.level = level_of(number);
	begin_one(&w->way[WAY_EVENT], number);
	end_one(&w->way[WAY_EVENT], number,
		do_ioctl(fd, EVNTPROV_IOC_WRITE, &arg));
}

static void trace_one(struct writer *w, int fd, uint32_t number)
{
	struct payload payload = payload_of(w, number);
	struct evntprov_data data = {
		.ptr = (uintptr_t)&payload, .len = length_of(number),
	};
	struct evntprov_write arg = {
		.size = sizeof(arg), .handle = H_CLASSIC,
		.session = shared->classic_session,
		.flags = number % 2 ? EVNTPROV_TRACE_INSTANCE :
				      EVNTPROV_TRACE_EVENT,
		.descriptor.level = level_of(number),
		.class_id = guid_of(number % 7),
		.descriptor.keyword = number % 2 ? number : 0,
		.data = (uintptr_t)&data, .data_count = 1,
	};

	begin_one(&w->way[WAY_CLASSIC], number);
	end_one(&w->way[WAY_CLASSIC], number,
		do_ioctl(fd, EVNTPROV_IOC_WRITE, &arg));
}

/* An event that a full session refuses is counted as lost */
static void put_one(struct writer *w, REGHANDLE handle, uint32_t number)
{
	struct payload payload = payload_of(w, number);
	EVENT_DESCRIPTOR descriptor = { .Level = level_of(number) };
	EVENT_DATA_DESCRIPTOR data;
	ULONG code;

	EventDataDescCreate(&data, &payload, length_of(number));
	begin_one(&w->way[WAY_RING], number);
	code = EventWrite(handle, &descriptor, 1, &data);
	end_one(&w->way[WAY_RING], number,
		code == ERROR_NOT_ENOUGH_MEMORY ? ENOBUFS : (int)code);
}

struct job {
	pthread_t thread;
	REGHANDLE handle;
	struct writer *writer;
	int fd;
	struct chance chance;
};

/* Write in bursts with pauses */
static void *write_all(void *p)
{
	struct job *j = p;
	uint32_t number = 0, burst;

	j->writer->pid = getpid();
	j->writer->tid = syscall(SYS_gettid);
	while (number < PER_WRITER &&
	       !__atomic_load_n(&shared->stop, __ATOMIC_RELAXED)) {
		for (burst = chance_of(&j->chance, 500);
		     burst && number < PER_WRITER; burst--) {
			write_one(j->writer, j->fd, number);
			trace_one(j->writer, j->fd, number);
			put_one(j->writer, j->handle, number++);
		}
		usleep(chance_of(&j->chance, 30000));
	}
	return NULL;
}

static void write_as_process(uint32_t index, uint64_t seed)
{
	struct job jobs[THREADS];
	int fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	const struct evntprov_guid id = guid_of(MEASURED_RING);
	REGHANDLE handle;
	uint32_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (EventRegister((const GUID *)&id, NULL, NULL, &handle) ||
	    dev_register(fd, H, MEASURED_PROVIDER, 0) ||
	    dev_register(fd, H_CLASSIC, MEASURED_CLASSIC,
			 EVNTPROV_REGISTER_CLASSIC))
		_exit(1);
	for (i = 0; i < THREADS; i++) {
		jobs[i].writer = &shared->writers[index * THREADS + i];
		jobs[i].fd = fd;
		jobs[i].handle = handle;
		chance_init(&jobs[i].chance, seed + i);
		pthread_create(&jobs[i].thread, NULL, write_all, &jobs[i]);
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(jobs[i].thread, NULL);
	_exit(0);
}

static pid_t start_writer(uint32_t index, uint64_t seed)
{
	pid_t pid = fork();

	if (!pid)
		write_as_process(index, seed);
	return pid;
}

/* The first half is killed at random moments, and the second takes over */
static void supervise(struct chance *c)
{
	pid_t pids[PROCESSES];
	uint32_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < PROCESSES / 2; i++)
		pids[i] = start_writer(i, chance_next(c));
	for (; i < PROCESSES; i++) {
		usleep(500000 + chance_of(c, 5000000));
		kill(pids[i - PROCESSES / 2], SIGKILL);
		waitpid(pids[i - PROCESSES / 2], NULL, 0);
		count(&totals->kills);
		pids[i] = start_writer(i, chance_next(c));
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
	_exit(0);
}

void measured_setup(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	setenv("EVNTPROV_RINGS", "force", 1);
	processors = get_nprocs_conf();
}

static __u32 provider_of(const struct session *s)
{
	static const __u32 providers[WAYS] = {
		[WAY_EVENT] = MEASURED_PROVIDER,
		[WAY_CLASSIC] = MEASURED_CLASSIC,
		[WAY_RING] = MEASURED_RING,
	};

	return providers[s->way];
}

static bool start_session(struct session *s)
{
	struct evntrace_enable e;

	if (dev_start(trace, s->name, s->log, &s->properties, &s->handle))
		return false;
	e = enable_arg(provider_of(s));
	e.level = s->level;
	return !dev_ioctl(trace, s->handle, EVNTRACE_IOC_ENABLE, &e);
}

/* Must be called before the disturbances */
bool measured_begin(uint64_t seed)
{
	struct chance c;
	uint32_t i;

	memset(shared, 0, sizeof(*shared));
	trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	if (!set_rings('Y'))
		return false;
	for (i = 0; i < SESSIONS; i++) {
		if (!start_session(&sessions[i])) {
			printf("# session %s does not start: %s\n",
			       sessions[i].name, strerror(errno));
			return false;
		}
	}
	shared->classic_session = CLASSIC->handle;
	chance_init(&c, seed);
	live_begin(LIVE->handle, chance_next(&c));
	supervisor = fork();
	if (!supervisor)
		supervise(&c);
	return true;
}

/* Contents of a session's file */
struct check {
	const struct session *session;
	uint32_t strange;
	uint32_t twice;
	uint32_t of_rings;
	int64_t (*time)[PER_WRITER];	/* 0: not found */
};

static bool is_whole(const struct session *s, const struct etl_event *e,
		     const struct payload *p)
{
	const struct writer *w;
	uint32_t i;

	if (e->data_len < 8 || p->writer >= WRITERS ||
	    p->number >= PER_WRITER || e->data_len != length_of(p->number) ||
	    e->level != level_of(p->number))
		return false;
	for (i = 8; i < e->data_len; i++)
		if (e->data[i] != (uint8_t)p->number)
			return false;
	w = &shared->writers[p->writer];
	return e->tid == w->tid && e->pid == w->pid &&
	       p->number < w->way[s->way].attempted;
}

static void check_event(const struct etl_event *e, void *context)
{
	const struct payload *p = (const struct payload *)e->data;
	struct check *c = context;

	if (!is_whole(c->session, e, p) || !wants(c->session, p->number)) {
		c->strange++;
		return;
	}
	c->twice += c->time[p->writer][p->number] != 0;
	c->of_rings += e->cpu >= processors;
	c->time[p->writer][p->number] = e->time;
}

/* Sums over all writers of the expected events */
struct sums {
	uint64_t wanted;
	uint64_t undecided;
	uint64_t missing;	/* accepted, but not found */
	uint64_t phantom;	/* refused, but found */
	uint64_t disorder;
	uint64_t unexpected;
};

static void add_writer(struct sums *sums, const struct check *c, uint32_t w)
{
	const struct record_of *r = &shared->writers[w].way[c->session->way];
	int64_t last = 0, time;
	uint32_t i;

	sums->unexpected += r->unexpected;
	for (i = 0; i < r->attempted; i++) {
		if (!wants(c->session, i))
			continue;
		time = c->time[w][i];
		sums->wanted++;
		if (i >= r->done)
			sums->undecided++;
		else if (r->accepted[i])
			sums->missing += !time;
		else
			sums->phantom += time != 0;
		sums->disorder += time && time < last;
		last = time ? time : last;
	}
}

/* Events in rings are lost one by one, even if their write has returned */
static bool may_miss(const struct session *s, const struct evntrace_session *q)
{
	return q->buffers_lost || (s->way == WAY_RING && q->events_lost);
}

static bool evaluate(const struct session *s, const struct check *c,
		     const struct etl_scan *scan,
		     const struct evntrace_session *q)
{
	struct sums sums = {};
	uint64_t found = scan->events + q->events_lost;
	const bool is_of_rings = s->way == WAY_RING;
	uint32_t i;

	for (i = 0; i < WRITERS; i++)
		add_writer(&sums, c, i);
	printf("# %s: wanted %llu, in the file %llu, lost %llu, undecided %llu, of rings %u\n",
	       s->name, (unsigned long long)sums.wanted,
	       (unsigned long long)scan->events, q->events_lost,
	       (unsigned long long)sums.undecided, c->of_rings);
	totals->written += sums.wanted;
	totals->kept += scan->events;
	totals->lost += q->events_lost;
	if (!c->strange && !c->twice && !sums.phantom && !sums.disorder &&
	    !sums.unexpected && (!sums.missing || may_miss(s, q)) &&
	    (s->disk_is_small || !q->buffers_lost) &&
	    found <= sums.wanted && found + sums.undecided >= sums.wanted &&
	    q->events_lost == scan->events_lost &&
	    is_of_rings == !!c->of_rings)
		return true;
	printf("# %s: strange %u, twice %u, phantom %llu, disorder %llu, unexpected errors %llu, missing %llu, buffers lost %llu, header's lost %u\n",
	       s->name, c->strange, c->twice, (unsigned long long)sums.phantom,
	       (unsigned long long)sums.disorder,
	       (unsigned long long)sums.unexpected,
	       (unsigned long long)sums.missing, q->buffers_lost,
	       scan->events_lost);
	return false;
}

/* The last event found may be one of unknown result */
static bool is_run(const struct check *c, uint32_t w)
{
	const struct record_of *r = &shared->writers[w].way[c->session->way];
	uint32_t i = 0, last = PER_WRITER;

	while (i < PER_WRITER && !c->time[w][i])
		i++;
	while (last > i && !c->time[w][last - 1])
		last--;
	for (; i + 1 < last; i++) {
		if (r->accepted[i] == !c->time[w][i]) {
			printf("# writer %u: event %u of up to %u was %s, and is %sthere\n",
			       w, i, last - 1,
			       r->accepted[i] ? "accepted" : "refused",
			       c->time[w][i] ? "" : "not ");
			return false;
		}
	}
	return true;
}

bool measured_is_run(const char *log)
{
	struct check c = { .session = LIVE };
	struct etl_scan scan;
	uint32_t w;
	bool ok;

	c.time = calloc(WRITERS, sizeof(*c.time));
	ok = etl_scan(log, &scan, check_event, &c) && !c.strange && !c.twice;
	for (w = 0; w < WRITERS && ok; w++)
		ok = is_run(&c, w);
	if (!ok)
		printf("# %s: %s, strange %u, twice %u\n", log,
		       scan.error ?: "no run", c.strange, c.twice);
	free(c.time);
	return ok;
}

static bool check_session(const struct session *s)
{
	struct check c = { .session = s };
	struct evntrace_session q;
	struct etl_scan scan;
	bool ok = false;
	int err = dev_stop(trace, s->handle, &q);

	c.time = calloc(WRITERS, sizeof(*c.time));
	if (err)
		printf("# %s does not stop: %s\n", s->name, strerror(err));
	else if (!etl_scan(s->log, &scan, check_event, &c))
		printf("# %s: %s\n", s->log, scan.error);
	else
		ok = evaluate(s, &c, &scan, &q);
	free(c.time);
	if (s == LIVE)
		ok &= live_end(s->log);
	unlink(s->log);
	return ok;
}

/* End the writers, then the sessions, and check the files */
bool measured_end(void)
{
	bool ok = true;
	uint32_t i;

	__atomic_store_n(&shared->stop, true, __ATOMIC_RELAXED);
	waitpid(supervisor, NULL, 0);
	live_stop();
	for (i = 0; i < SESSIONS; i++)
		ok &= check_session(&sessions[i]);
	close(trace);
	return ok;
}
