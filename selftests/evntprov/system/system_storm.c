// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions that record events of the kernel start, change, change their files and
 * stop while processes, threads, mappings and requests to a disk come and go on
 * all processors.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/system/disk.h"
#include "selftests/evntprov/system/system_log.h"
#include <evntsystem.h>

#define FLAGS	(EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD |	\
		 EVENT_TRACE_FLAG_IMAGE_LOAD | EVENT_TRACE_FLAG_CSWITCH |	\
		 EVENT_TRACE_FLAG_DISPATCHER | EVENT_TRACE_FLAG_PROFILE |	\
		 EVENT_TRACE_FLAG_DISK_IO | EVENT_TRACE_FLAG_DISK_IO_INIT |	\
		 EVENT_TRACE_FLAG_SYSTEMCALL | EVENT_TRACE_FLAG_INTERRUPT |	\
		 EVENT_TRACE_FLAG_DPC | EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS |	\
		 EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS |			\
		 EVENT_TRACE_FLAG_NETWORK_TCPIP)
#define WORKERS	4

static void *do_nothing(void *context)
{
	return NULL;
}

/*
 * Read from and write to the disk, map and unmap this program as code, start a
 * thread, fork and execute
 */
static void act(struct disk *d, unsigned int i)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *map = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	pthread_t thread;
	pid_t child;

	if (i % 4 == 1 && pread(d->fd, d->buffer, 4096, 0) == 4096)
		pwrite(d->fd, d->buffer, 4096, 4096);
	if (!pthread_create(&thread, NULL, do_nothing, NULL))
		pthread_join(thread, NULL);
	child = fork();
	if (!child) {
		if (i % 4 == 0)
			execl("/bin/true", "true", "argument", NULL);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	if (map != MAP_FAILED)
		munmap(map, 4096);
	close(fd);
}

static void work(struct disk *d)
{
	unsigned int i;

	for (i = 0;; i++)
		act(d, i);
}

FIXTURE(storm) {
	struct disk disk;
	pid_t worker[WORKERS];
};

FIXTURE_SETUP(storm)
{
	unsigned int i;

	ASSERT_TRUE(disk_make(&self->disk));
	for (i = 0; i < WORKERS; i++) {
		self->worker[i] = fork();
		ASSERT_LE(0, self->worker[i]);
		if (!self->worker[i])
			work(&self->disk);
	}
}

FIXTURE_TEARDOWN(storm)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		kill(self->worker[i], SIGKILL);
		waitpid(self->worker[i], NULL, 0);
	}
	disk_remove(&self->disk);
}

/* Start a session with room for the events of the storm, and for its rundown */
static ULONG start(const char *path, TRACEHANDLE *h)
{
	struct properties p = properties_for(path);

	p.p.LogFileMode = EVENT_TRACE_SYSTEM_LOGGER_MODE;
	p.p.EnableFlags = FLAGS;
	p.p.BufferSize = 256;
	p.p.MinimumBuffers = 64;
	return StartTraceA(h, path + 5, &p.p);
}

/*
 * Start a session that keeps all probes attached.  QEMU with a thread for each
 * processor translates code that the kernel changes at that moment, and may never
 * notice the change: each time that probes are attached or detached, there is a
 * small risk that the machine hangs.
 */
static ULONG hold_probes(TRACEHANDLE *h)
{
	struct properties p = properties_for("");

	p.p.LogFileMode = EVENT_TRACE_SYSTEM_LOGGER_MODE |
			  EVENT_TRACE_BUFFERING_MODE;
	p.p.EnableFlags = FLAGS;
	return StartTraceA(h, "system-storm-held", &p.p);
}

/* Take a snapshot, or have a session continue in another file */
static ULONG begin_file(TRACEHANDLE h, const char *path, ULONG code)
{
	struct properties p = properties_for(path);

	p.p.EnableFlags = FLAGS;
	return ControlTraceA(h, NULL, &p.p, code);
}

/* Set a bit for each type of events about this process */
static void WINAPI note_own(EVENT_RECORD *r)
{
	uint32_t pid;

	if (r->EventHeader.ProviderId.Data1 != PROCESS || r->UserDataLength < 12)
		return;
	memcpy(&pid, (char *)r->UserData + 8, sizeof(pid));
	if (pid == (uint32_t)getpid())
		*(unsigned int *)r->UserContext |=
			1u << r->EventHeader.EventDescriptor.Opcode;
}

TEST_F_TIMEOUT(storm, sessions_start_change_and_stop_while_processes_come_and_go,
	       600)
{
	const int class = TraceSystemTraceEnableFlagsInfo;
	const char *path[4] = { "/tmp/system-storm0.etl",
				"/tmp/system-storm1.etl",
				"/tmp/system-storm2.etl",
				"/tmp/system-storm3.etl" };
	ULONG masks[8] = { EVENT_TRACE_FLAG_PROCESS };
	unsigned int own = 0;
	EVENT_TRACE_LOGFILEA log = {
		.LogFileName = (char *)path[0],
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = note_own,
		.Context = &own,
	};
	const CLASSIC_EVENT_ID stacks[5] = {
		{ PerfInfoGuid, SAMPLE }, { ThreadGuid, CSWITCH },
		{ ThreadGuid, READY }, { PerfInfoGuid, CALL_ENTER },
		{ PageFaultGuid, SOFT_FAULT },
	};
	/* On PREEMPT_RT one thread runs all processors, so there is no risk */
	const unsigned int held_rounds = is_rt() ? 0 : 13;
	TRACEHANDLE h[2], held = 0;
	unsigned int i, j;

	if (held_rounds)
		ASSERT_EQ(0, hold_probes(&held));
	for (i = 0; i < 15; i++) {
		if (held && i == held_rounds) {
			EXPECT_EQ(0, session_stop(held, NULL));
			held = 0;
		}
		for (j = 0; j < 2; j++)
			ASSERT_EQ(0, start(path[j], &h[j]));
		EXPECT_EQ(0, TraceSetInformation(h[0], TraceStackTracingInfo,
						 (PVOID)stacks,
						 sizeof(stacks)));
		usleep(i % 5 * 10000);
		EXPECT_EQ(0, begin_file(h[1], path[2],
					EVENT_TRACE_CONTROL_UPDATE));
		if (held)
			EXPECT_EQ(0, begin_file(held, path[3],
						EVENT_TRACE_CONTROL_FLUSH));
		EXPECT_EQ(0, TraceSetInformation(h[1], class, masks,
						 sizeof(masks)));
		for (j = 0; j < 2; j++)
			EXPECT_EQ(0, session_stop(h[j], NULL));
	}
	ASSERT_EQ(0, log_process(&log));
	TH_LOG("%u events lost", log.LogfileHeader.EventsLost);
	EXPECT_EQ(1 << DCSTART | 1 << DCEND, own);
	for (j = 0; j < 4; j++)
		unlink(path[j]);
}

TEST_HARNESS_MAIN
