// SPDX-License-Identifier: GPL-2.0
/*
 * A session that records all events of the kernel, with call stacks, amid the
 * chaos.
 *
 * A context switch names the thread that runs before it, which is the one that
 * the processor's previous switch began.  Where that is another one, at least one
 * switch is missing, so the session must have counted as many losses.  The kernel
 * calls no probe for the last switch, to the idle thread, of a processor that goes
 * offline.
 */
#include <sys/sysinfo.h>

#include "selftests/evntprov/common/etl_scan.h"
#include "torture.h"

#define LOG	BIG_DIR "/system.etl"
#define ALL	(EVNTRACE_SYSTEM_PROCESS | EVNTRACE_SYSTEM_THREAD |	\
		 EVNTRACE_SYSTEM_IMAGE_LOAD | EVNTRACE_SYSTEM_CSWITCH |	\
		 EVNTRACE_SYSTEM_DPC | EVNTRACE_SYSTEM_INTERRUPT |	\
		 EVNTRACE_SYSTEM_SYSTEMCALL | EVNTRACE_SYSTEM_DISK_IO |	\
		 EVNTRACE_SYSTEM_DISK_IO_INIT |				\
		 EVNTRACE_SYSTEM_DISPATCHER |				\
		 EVNTRACE_SYSTEM_PAGE_FAULTS |				\
		 EVNTRACE_SYSTEM_HARD_FAULTS | EVNTRACE_SYSTEM_NETWORK |	\
		 EVNTRACE_SYSTEM_PROFILE)
#define STACKS	(EVNTRACE_SYSTEM_CSWITCH | EVNTRACE_SYSTEM_DISPATCHER |	\
		 EVNTRACE_SYSTEM_PROFILE)
#define CSWITCH	0x0524	/* group and type */
#define STREAMS	1024

static int trace = -1;
static __u64 session;
static uint64_t hotplugs;	/* before the session */

bool system_begin(void)
{
	const struct evntrace_start properties = {
		.log_file_mode = EVNTRACE_MODE_SEQUENTIAL |
				 EVNTRACE_MODE_SYSTEM_LOGGER,
		.buffer_size = 65536, .max_buffers = 128, .flush_ms = 100,
	};

	hotplugs = totals->hotplugs;
	trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	return !dev_start(trace, "system", LOG, &properties, &session) &&
	       !dev_set_number(trace, session, EVNTRACE_LIST_SYSTEM_STACKS,
			       STACKS) &&
	       !dev_set_number(trace, session, EVNTRACE_LIST_SYSTEM_FLAGS, ALL);
}

/* Contents of the file */
struct found {
	uint64_t switches;
	uint64_t breaks;	/* in the sequence of a processor's threads */
	uint64_t returns;	/* the same, with the idle thread */
	uint64_t disorder;
	struct {
		bool is_known;
		uint32_t thread;
		int64_t time;
	} last[STREAMS];
};

static void check_event(const struct etl_event *e, void *context)
{
	struct found *f = context;
	const uint16_t cpu = e->cpu % STREAMS;
	uint32_t to, from;

	f->disorder += e->time < f->last[cpu].time;
	f->last[cpu].time = e->time;
	if (e->kind != 0xc011 || e->id != CSWITCH)
		return;
	to = etl_u32(e->data);
	from = etl_u32(e->data + 4);
	f->switches++;
	if (f->last[cpu].is_known && from != f->last[cpu].thread)
		++*(from ? &f->breaks : &f->returns);
	f->last[cpu].thread = to;
	f->last[cpu].is_known = true;
}

/* Stop the session, and check its file */
bool system_end(void)
{
	struct found *f = calloc(1, sizeof(*f));
	struct evntrace_session q = {};
	struct etl_scan scan = {};
	bool ok = false;
	int err = dev_stop(trace, session, &q);

	/* One may have been under way */
	hotplugs = totals->hotplugs + 1 - hotplugs;
	if (err)
		printf("# the session of the kernel does not stop: %s\n",
		       strerror(err));
	else if (!etl_scan(LOG, &scan, check_event, f))
		printf("# %s: %s\n", LOG, scan.error);
	else
		ok = f->switches && !f->disorder && f->breaks <= q.events_lost &&
		     f->returns <= q.events_lost + hotplugs &&
		     q.events_lost == scan.events_lost &&
		     (q.buffers_lost || q.events == scan.events);
	printf("# events of the kernel: accepted %llu, in the file %llu, lost %llu; %llu switches, %llu breaks, %llu without a way to idle, disorder %llu, buffers lost %llu, header's lost %u\n",
	       q.events, (unsigned long long)scan.events, q.events_lost,
	       (unsigned long long)f->switches,
	       (unsigned long long)f->breaks, (unsigned long long)f->returns,
	       (unsigned long long)f->disorder,
	       q.buffers_lost, scan.events_lost);
	totals->kernel_events += scan.events;
	unlink(LOG);
	free(f);
	close(trace);
	return ok;
}
