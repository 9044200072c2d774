// SPDX-License-Identifier: GPL-2.0
/*
 * A process that writes noise to all that it shares with the module: over each
 * byte, and as records with any size, handle, time, kind, flags, items and writer,
 * while the module copies them.  It cannot harm the events of another process, or
 * write any but its own.  The session has both.
 *
 * EVNT_RING_NOISE is the number of such processes, each of which is killed at the
 * end; EVNT_SEED repeats the noise of another run.
 */
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "core/etl.h"
#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/ring/ring_raw.h"
#include "selftests/evntprov/ring/ring_writers.h"

#define PROCESSES	5
#define ROUNDS		3u	/* of a process */
#define BURST		500u	/* events of each other thread in a round */
#define DRAINS		20u	/* of each ring in a round: bounds the log */
#define PART		64u	/* records or other noise between two drains */
#define RINGS		2u
#define SOUND_SIZES	6u	/* number of sizes that a record may have */
#define SECOND		(2 * OWN)	/* registration that comes and goes */
#define LEVEL		100	/* of the session that has a part of the noise */

/* Shared with the noisy process */
static struct noise {
	_Atomic unsigned int allowed;	/* rounds */
	_Atomic unsigned int done;
	_Atomic bool has_failed;
	_Atomic pid_t main_thread;
	pid_t beside;
} *noise;

/* Noise in one ring */
struct source {
	struct raw raw;
	uint64_t state;	/* of the random numbers */
	_Atomic unsigned int parts;	/* written */
	_Atomic unsigned int drains;	/* begun, one for each part */
};

static uint64_t random64(struct source *s)
{
	s->state ^= s->state << 13;
	s->state ^= s->state >> 7;
	s->state ^= s->state << 17;
	return s->state * 0x2545f4914f6cdd1d;
}

static uint32_t random_of(struct source *s, uint32_t n)
{
	return (random64(s) >> 32) % n;
}

static uint64_t any_time(struct source *s)
{
	const int64_t now = boot_ns();
	const int64_t times[] = {
		0, 1, -1, now, now - 3600000000000, now + 3600000000000,
		INT64_MIN, INT64_MAX, random64(s),
	};

	return times[random_of(s, sizeof(times) / sizeof(*times))];
}

static uint64_t any_handle(struct source *s)
{
	const uint64_t handles[] = {
		OWN, OWN, OWN, SECOND, SECOND, shared->handle, 0,
		OWN | 1ull << 32, EVNTPROV_MAX_SLOTS * EVNTPROV_SLOT_SIZE,
		random64(s),
	};

	return handles[random_of(s, sizeof(handles) / sizeof(*handles))];
}

static struct etl_ext_item any_item(struct source *s, bool is_sound)
{
	struct etl_ext_item item = {
		.size = 24, .type = ETL_EXT_SCHEMA_TL,
		.data_size = 9 + random_of(s, 8),
	};

	if (!is_sound) {
		item.size = 8 * random_of(s, 6);
		item.type = random_of(s, 16);
		item.linkage = random_of(s, 3);
		item.data_size = random_of(s, 48);
	}
	return item;
}

/*
 * The next record, sound but for what the module sets, or with anything in some
 * fields.  There is none without room, as otherwise nothing would come out.
 */
static void put_record(struct source *s)
{
	static const uint16_t sizes[] = {
		80, 88, 81, 144, 1000, 2048, 0, 8, 79, 2049, 0x8000, 0xffff,
	};
	const bool is_sound = random_of(s, 8);
	const struct etl_ext_item item = any_item(s, is_sound);
	struct evntprov_ring *state = s->raw.state;
	const GUID other = provider_id(PROVIDER);
	uint64_t commit = state->commit, of = OWN;
	struct etl_event_header h;
	uint64_t any[sizeof(h) / 8];
	uint8_t *at;

	if (commit - state->tail > EVNTPROV_RING_SIZE)
		commit = state->tail;
	if (commit - state->tail > EVNTPROV_RING_SIZE / 2)
		return;
	for (unsigned int i = 0; i < sizeof(any) / sizeof(*any); i++)
		any[i] = random64(s);
	memcpy(&h, any, sizeof(h));
	h.process_id = noise->beside;
	h.time_stamp = any_time(s);
	h.size = sizes[random_of(s, SOUND_SIZES)];
	h.flags = random_of(s, 4);
	if (h.size < sizeof(h) + item.size)
		h.flags &= ~EVNTPROV_RING_ITEMS;
	if (!is_sound) {
		h.size = sizes[random_of(s, sizeof(sizes) / sizeof(*sizes))];
		h.flags = random_of(s, 65536);
		of = any_handle(s);
	}
	memcpy(h.provider, &of, sizeof(of));
	memcpy(h.provider + 8, (const uint8_t *)&other + 8, 8);
	at = raw_at(&s->raw, commit);
	memcpy(at, &h, sizeof(h));
	memcpy(at + sizeof(h), &item, sizeof(item));
	__atomic_store_n(&state->commit, commit + ((h.size + 7) & ~7u),
			 __ATOMIC_RELEASE);
}

/* Mostly records, so that some are copied, and bytes over what is there */
static void put_noise(struct source *s)
{
	struct evntprov_ring *state = s->raw.state;
	const uint32_t at = random_of(s, MAP_SIZE);
	uint32_t i, len = random_of(s, 64);
	uint8_t *all = (uint8_t *)state;

	switch (random_of(s, 512)) {
	case 0:
		state->commit = random64(s);
		break;
	case 1:
		state->commit = state->tail +
				random_of(s, EVNTPROV_RING_SIZE + 64);
		break;
	case 2:
		state->commit -= random_of(s, 4096);
		break;
	case 3:
		state->tail = random64(s);
		break;
	case 4:
		state->id = random64(s);
		state->lost = random64(s);
		state->flags = random64(s);
		break;
	case 5:
		memset(all, random_of(s, 256), 4096);
		break;
	case 6:
		memset(all, random_of(s, 256), MAP_SIZE);
		break;
	case 7 ... 100:
		for (i = at; i < at + len && i < MAP_SIZE; i++)
			all[i] = random_of(s, 256);
		break;
	default:
		put_record(s);
	}
}

/* Wait until another round is allowed, without a processor */
static void wait_for_round(void)
{
	while (noise->done >= noise->allowed)
		usleep(50);
}

/* Write a part, and the next one while the first is copied */
static void *make_noise(void *arg)
{
	struct source *s = arg;
	unsigned int n;

	while (true) {
		while (s->parts != s->drains) {
			wait_for_round();
			sched_yield();
		}
		for (n = 0; n < PART; n++)
			put_noise(s);
		s->parts++;
	}
	return NULL;
}

/* Have each ring copied, and request the same of rings of other files */
static void drain_all(struct source *source)
{
	for (unsigned int i = 0; i < DRAINS * RINGS; i++) {
		struct source *s = &source[i % RINGS];

		while (s->parts == s->drains)
			sched_yield();
		s->drains++;
		raw_drain(&s->raw, s->raw.id);
		raw_drain(&s->raw, i);
	}
}

/* A thread writes noise to each ring, and this one has it copied */
static void be_noisy(unsigned int seed)
{
	static struct source source[RINGS];
	pthread_t thread;
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	noise->main_thread = syscall(SYS_gettid);
	for (i = 0; i < RINGS; i++) {
		source[i].state = seed + i + 0x9e3779b97f4a7c15;
		if (!raw_open(&source[i].raw))
			noise->has_failed = true;
		else
			pthread_create(&thread, NULL, make_noise, &source[i]);
	}
	while (true) {
		wait_for_round();
		for (i = 0; i < RINGS; i++)
			raw_register(source[i].raw.fd, SECOND);
		drain_all(source);
		for (i = 0; i < RINGS; i++)
			dev_unregister(source[i].raw.fd, SECOND);
		noise->done++;
	}
}

static pid_t start_noise(unsigned int seed, pid_t beside)
{
	pid_t child;

	memset(noise, 0, sizeof(*noise));
	noise->beside = beside;
	child = fork();
	if (!child)
		be_noisy(seed);
	return child;
}

/* Wait until the noisy process has done some rounds */
static bool wait_for_noise(pid_t noisy, unsigned int rounds)
{
	while (noise->done < rounds) {
		if (noise->has_failed || waitpid(noisy, NULL, WNOHANG))
			return false;
		usleep(50);
	}
	return true;
}

/* The two writers of a log, and what it has that it must not have */
struct writers {
	pid_t noisy;
	pid_t beside;
	int64_t begin;
	int64_t end;
	unsigned int own;	/* events of the noisy process */
	unsigned int items;	/* events of @own with extended items */
	const char *wrong;
};

/* Check all that the module sets in an event of the noisy process */
static bool is_own(const struct etl_event *e, const struct writers *w)
{
	unsigned int at;

	for (at = e->size; at % 8; at++) {
		if (e->record[at])
			return false;
	}
	return (pid_t)e->pid == w->noisy &&
	       (pid_t)e->tid == noise->main_thread && e->kind == 0xc013 &&
	       e->flags <= 1 && !etl_u16(e->record + 6) &&
	       e->time >= w->begin && e->time <= w->end &&
	       e->cpu >= processors && e->size <= EVNTPROV_RING_MAX_RECORD;
}

static void check_writer(const struct etl_event *e, void *context)
{
	const GUID id = provider_id(PROVIDER);
	const GUID other = provider_id(OTHER_PROVIDER);
	struct writers *w = context;

	if (!memcmp(e->provider, &other, sizeof(other))) {
		w->own++;
		w->items += !!e->ext;
		if (!is_own(e, w))
			w->wrong = "an event of the noise has fields of others";
	} else if ((pid_t)e->pid == w->noisy) {
		w->wrong = "an event of the noise has another provider";
	} else if (!memcmp(e->provider, &id, sizeof(id)) &&
		   (pid_t)e->pid != w->beside) {
		w->wrong = "an event beside the noise has another writer";
	}
}

/* As check_writer(), for the session that has a part of the noise alone */
static void check_part(const struct etl_event *e, void *context)
{
	const GUID other = provider_id(OTHER_PROVIDER);
	struct writers *w = context;

	check_writer(e, w);
	if ((pid_t)e->pid == w->beside)
		w->wrong = "a session has events that it has not enabled";
	if (!memcmp(e->provider, &other, sizeof(other)) && e->level > LEVEL)
		w->wrong = "a session has events of another level";
}

static const char *check_log(const char *path, etl_event_fn fn,
			     struct writers *w)
{
	struct etl_scan scan;

	return etl_scan(path, &scan, fn, w) ? w->wrong : scan.error;
}

/*
 * Enable the noise in another session in every other round, and disable it in the
 * others: the module copies records otherwise if only one session wants them
 */
static ULONG enable_part(TRACEHANDLE session, bool is_enabled)
{
	GUID id = provider_id(OTHER_PROVIDER);

	return EnableTraceEx2(session, &id,
			      is_enabled ? EVENT_CONTROL_CODE_ENABLE_PROVIDER :
					   EVENT_CONTROL_CODE_DISABLE_PROVIDER,
			      LEVEL, 0, 0, 0, NULL);
}

/* Write beside a noisy process, then kill both; returns an error text or NULL */
static const char *write_beside_noise(TRACEHANDLE session, TRACEHANDLE part,
				      unsigned int seed, struct writers *w)
{
	struct properties p = properties_for("");
	unsigned int round, t;

	w->begin = boot_ns();
	w->beside = run_writers(0);
	w->noisy = start_noise(seed, w->beside);
	for (round = 1; round <= ROUNDS; round++) {
		shared->allowed = round * BURST;
		noise->allowed = round;
		/* Also copies all rings.  There is room for two rounds */
		if (ControlTraceA(session, NULL, &p.p,
				  EVENT_TRACE_CONTROL_FLUSH))
			return "a flush has failed";
		if (enable_part(part, round % 2))
			return "a session cannot be changed";
		if (!wait_for_noise(w->noisy, round))
			return "the noisy process has ended";
		for (t = 0; t < THREADS; t++)
			wait_for_writes(t, round * BURST);
	}
	kill(w->beside, SIGKILL);
	waitpid(w->beside, NULL, 0);
	/* It ends in the midst of a round */
	noise->allowed = UINT32_MAX;
	if (!wait_for_noise(w->noisy, ROUNDS + 1))
		return "the noisy process has ended";
	kill(w->noisy, SIGKILL);
	waitpid(w->noisy, NULL, 0);
	w->end = boot_ns();
	return shared->codes ? "a write beside the noise has failed" : NULL;
}

/* Check that no event beside the noise is missing */
static const char *check_beside(pid_t beside)
{
	struct found f;

	scan("ring_beside", beside, &f);
	if (f.wrong)
		return f.wrong;
	for (unsigned int t = 0; t < THREADS; t++) {
		if (f.count[t] != ROUNDS * BURST || f.first[t])
			return "events beside the noise are missing";
	}
	return f.gaps ? "events beside the noise are missing" : NULL;
}

/* Events that came out of all noise */
static struct {
	unsigned long own;
	unsigned long part;
	unsigned long items;
	unsigned long lost;
} sums;

/* Run a noisy process; returns an error text or NULL */
static const char *run_noise(unsigned int seed)
{
	TRACEHANDLE session = start("ring_beside", 16384);
	TRACEHANDLE part = start_for("ring_noise", 2048, OTHER_PROVIDER);
	struct writers w = { 0 };
	struct properties out;
	const char *wrong;

	if (!session || !part || session_enable(session, OTHER_PROVIDER) ||
	    enable_part(part, true))
		return "there are no sessions";
	wrong = write_beside_noise(session, part, seed, &w);
	if (wrong)
		return wrong;
	if (session_stop(session, &out) || session_stop(part, NULL))
		return "a session has ended";
	wrong = check_log("/tmp/ring_noise.etl", check_part, &w);
	unlink("/tmp/ring_noise.etl");
	sums.part += w.own;
	w.own = 0;
	w.items = 0;
	if (!wrong)
		wrong = check_log("/tmp/ring_beside.etl", check_writer, &w);
	sums.own += w.own;
	sums.items += w.items;
	sums.lost += out.p.EventsLost;
	return wrong ? wrong : check_beside(w.beside);
}

TEST_F_TIMEOUT(rings, noise_in_a_ring_harms_only_its_own_events, 36000)
{
	const unsigned int count = number_of("EVNT_RING_NOISE", many(PROCESSES));
	const unsigned int seed = number_of("EVNT_SEED", getpid());
	const char *wrong;

	noise = mmap(NULL, sizeof(*noise), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	TH_LOG("%u processes, EVNT_SEED=%u", count, seed);
	for (unsigned int n = 0; n < count; n++) {
		wrong = run_noise(seed + n * RINGS);
		ASSERT_EQ(NULL, wrong) TH_LOG("process %u: %s", n, wrong);
		ASSERT_EQ(self->before, count_of("rings"));
	}
	TH_LOG("%lu events of the noise are recorded, %lu of them with items, and %lu are lost; %lu are in the other session",
	       sums.own, sums.items, sums.lost, sums.part);
	EXPECT_LT(0, sums.own);
	EXPECT_LT(0, sums.part);
	EXPECT_LT(0, sums.items);
	EXPECT_LT(0, sums.lost);
}

TEST_HARNESS_MAIN
