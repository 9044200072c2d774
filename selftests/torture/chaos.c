// SPDX-License-Identifier: GPL-2.0
/*
 * Disturbances around the measured sessions: processes that write, control,
 * read, use up memory and take processors offline, and are killed at random.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>

#include <evntcons.h>

#include "torture.h"

#define KIB		1024u
#define NAMES		10
#define LOGS		16
#define BLOCK_SIZE	(64 * KIB)

/* Make some allocations of this process fail, if the kernel can */
static void fail_allocations(void)
{
	write_file("/proc/self/make-it-fail", "1");
}

/* Repeatedly remove pages that are being written from */
static void *take_pages(void *p)
{
	for (;;) {
		madvise(p, BLOCK_SIZE, MADV_DONTNEED);
		mprotect(p, 4 * KIB, PROT_NONE);
		sched_yield();
		mprotect(p, 4 * KIB, PROT_READ | PROT_WRITE);
	}
	return NULL;
}

static void *block_whose_pages_vanish(void)
{
	void *p = mmap(NULL, BLOCK_SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;

	pthread_create(&thread, NULL, take_pages, p);
	return p;
}

static void chaos_write(struct chance *c, int fd, __u64 handle, char *block)
{
	struct evntprov_data data[4];
	struct evntprov_write arg;
	uint32_t i, n = chance_of(c, 5);

	for (i = 0; i < n; i++) {
		data[i] = (struct evntprov_data) {
			.ptr = (uintptr_t)block + chance_of(c, 8 * KIB),
			.len = chance_of(c, 8) ? chance_of(c, 200) :
						 chance_of(c, 20 * KIB),
		};
	}
	arg = write_arg(handle, data, n);
	arg.descriptor.level = chance_of(c, 6);
	arg.descriptor.keyword = 1ull << chance_of(c, 4);
	arg.exclude = chance_of(c, 10) ? 0 : chance_next(c);
	arg.flags = chance_of(c, 2) ? 0 : EVNTPROV_WRITE_RELATED;
	do_ioctl(fd, EVNTPROV_IOC_WRITE, &arg);
	count(&totals->chaos_writes);
}

/* Register, write, fork, share descriptors, unregister or not */
static void play_writer(struct chance *c)
{
	char *block = block_whose_pages_vanish();
	uint32_t gen, i, n;
	int fd;

	for (gen = 1;; gen++) {
		fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC | O_NONBLOCK);
		n = 1 + chance_of(c, 20);
		for (i = 0; i < n; i++)
			dev_register(fd, HANDLE(i, gen), CHAOS_PROVIDER +
				     chance_of(c, CHAOS_PROVIDERS),
				     chance_of(c, 2) ?
				     EVNTPROV_REGISTER_NOTIFY : 0);
		if (!chance_of(c, 4) && !fork()) {
			chaos_write(c, fd, HANDLE(0, gen), block);
			_exit(0);
		}
		for (i = chance_of(c, 300); i; i--)
			chaos_write(c, fd, HANDLE(chance_of(c, n), gen), block);
		if (read(fd, block, KIB) < 0)
			(void)0;	/* no data, or absent memory */
		for (i = 0; i < n; i++)
			if (chance_of(c, 3))
				dev_unregister(fd, HANDLE(i, gen));
		close(fd);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
}

/* Return the session in the slot of a registration, or 0 */
static __u64 enabler(int fd, __u64 handle)
{
	const volatile struct evntprov_enable *area =
		mmap(NULL, EVNTPROV_ENABLE_AREA_SIZE, PROT_READ, MAP_SHARED,
		     fd, 0);
	__u64 session;

	if (area == MAP_FAILED)
		return 0;
	session = area[(handle & EVNTPROV_HANDLE_SLOT_MASK) /
		       EVNTPROV_SLOT_SIZE].session;
	munmap((void *)area, EVNTPROV_ENABLE_AREA_SIZE);
	return session;
}

/* Write to the last session reported, or to one that lost or never had it */
static void chaos_trace(struct chance *c, int fd, __u64 handle, char *block,
			__u64 *session)
{
	__u64 now;
	struct evntprov_data data = {
		.ptr = (uintptr_t)block + chance_of(c, 8 * KIB),
		.len = chance_of(c, 8) ? chance_of(c, 200) :
					 chance_of(c, 20 * KIB),
	};
	struct evntprov_write arg = {
		.size = sizeof(arg), .handle = handle,
		.flags = EVNTPROV_TRACE_EVENT * (1 + chance_of(c, 3)),
		.class_id = guid_of(chance_of(c, 4)),
		.data = (uintptr_t)&data, .data_count = chance_of(c, 2),
	};

	now = chance_of(c, 4) ? 0 : enabler(fd, handle);
	if (now)
		*session = now;
	arg.session = chance_of(c, 20) ? *session : chance_next(c);
	if (arg.flags == EVNTPROV_TRACE_MESSAGE)
		arg.descriptor.task = chance_next(c) &
				      (EVNTPROV_MESSAGE_GUID |
				       EVNTPROV_MESSAGE_TIMESTAMP |
				       EVNTPROV_MESSAGE_SYSTEMINFO);
	do_ioctl(fd, EVNTPROV_IOC_WRITE, &arg);
	count(&totals->chaos_writes);
}

/* A classic provider that two sessions take from each other */
static void play_classic(struct chance *c)
{
	char *block = block_whose_pages_vanish();
	__u64 session = 0;
	uint32_t gen, i, n;
	int fd;

	for (gen = 1;; gen++) {
		fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC | O_NONBLOCK);
		n = 1 + chance_of(c, 6);
		for (i = 0; i < n; i++)
			dev_register(fd, HANDLE(i, gen), CHAOS_PROVIDER +
				     chance_of(c, CHAOS_PROVIDERS),
				     EVNTPROV_REGISTER_CLASSIC |
				     chance_of(c, 2));
		for (i = chance_of(c, 1000); i; i--)
			chaos_trace(c, fd, HANDLE(chance_of(c, n), gen), block,
				    &session);
		if (read(fd, block, KIB) < 0)
			(void)0;	/* no data, or absent memory */
		close(fd);
	}
}

static uint32_t name_units(struct chance *c, __u16 *name)
{
	char text[16];
	uint32_t i;

	snprintf(text, sizeof(text), "chaos-%u", chance_of(c, NAMES));
	for (i = 0; text[i]; i++)
		name[i] = text[i];
	return i;
}

static void chaos_start(struct chance *c, int fd)
{
	static const __u32 sizes[] = { 4 * KIB, 8 * KIB, 64 * KIB, 256 * KIB };
	static const __u32 flushes[] = { 0, 1, 10, 1000 };
	__u16 name[16];
	struct evntrace_start arg = start_arg(name, "", -1);
	char path[64];

	arg.name_len = name_units(c, name);
	arg.log_name_len = arg.name_len;
	snprintf(path, sizeof(path), "%s/chaos-%u.etl",
		 chance_of(c, 2) ? SMALL_DIR : BIG_DIR, chance_of(c, LOGS));
	arg.flags = chance_of(c, 2) ? EVNTRACE_START_BOUND : 0;
	if (!chance_of(c, 3)) {
		arg.log_file_mode = EVNTRACE_MODE_SYSTEM_LOGGER |
				    EVNTRACE_MODE_SEQUENTIAL;
		arg.max_file_size = 4;
	}
	arg.buffer_size = sizes[chance_of(c, 4)];
	arg.max_buffers = chance_of(c, 32);
	arg.flush_ms = flushes[chance_of(c, 4)];
	arg.log_fd = new_log(path);
	/* Readers may still find it by its name for a moment */
	if (chance_of(c, 2))
		unlink(path);
	do_ioctl(fd, EVNTRACE_IOC_START, &arg);
	if (arg.log_fd >= 0)
		close(arg.log_fd);
	if (!chance_of(c, 4))
		unlink(path);
}

/* Find any chaos session by its name, whichever process started it */
static __u64 chaos_find(struct chance *c, int fd)
{
	__u16 name[16];
	struct evntrace_open arg = {
		.size = sizeof(arg), .flags = EVNTRACE_OPEN_MAXIMUM,
		.name = (uintptr_t)name,
		.name_len = name_units(c, name),
	};

	do_ioctl(fd, EVNTRACE_IOC_OPEN, &arg);
	return arg.handle;
}

static void chaos_enable(struct chance *c, int fd, __u64 session)
{
	struct evntrace_enable arg =
		enable_arg(chance_of(c, 10) ?
			   CHAOS_PROVIDER + chance_of(c, CHAOS_PROVIDERS) :
			   MEASURED_CLASSIC);

	arg.control = chance_of(c, 3);
	arg.level = chance_of(c, 6);
	arg.match_any = chance_of(c, 16);
	arg.timeout_ms = chance_of(c, 4) ? 0 : chance_of(c, 20);
	dev_ioctl(fd, session, EVNTRACE_IOC_ENABLE, &arg);
}

static void chaos_list(struct chance *c, int fd)
{
	static const __u32 sizes[] = {
		sizeof(__u64), sizeof(struct evntrace_registration),
		sizeof(struct evntrace_enablement),
	};
	static struct evntrace_registration room[256];
	struct evntrace_list arg = {
		.size = sizeof(arg), .kind = chance_of(c, 3),
		.elements = (uintptr_t)room, .count = chance_of(c, 200),
	};

	arg.element_size = sizes[arg.kind];
	do_ioctl(fd, EVNTRACE_IOC_LIST, &arg);
}

/* Any events of the kernel, and stacks, or the interval of the profile */
static void chaos_system(struct chance *c, int fd)
{
	const __u32 flags = chance_next(c) & chance_next(c);

	if (chance_of(c, 4))
		dev_set_number(fd, chaos_find(c, fd), chance_of(c, 3) ?
			       EVNTRACE_LIST_SYSTEM_FLAGS :
			       EVNTRACE_LIST_SYSTEM_STACKS, flags);
	else
		dev_set_number(fd, 0, EVNTRACE_LIST_PROFILE_INTERVAL,
			       5000 << chance_of(c, 8));
}

static void play_controller(struct chance *c)
{
	int fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);

	fail_allocations();
	for (;;) {
		switch (chance_of(c, 12)) {
		case 0:
		case 1:
			chaos_start(c, fd);
			break;
		case 2:
			dev_stop(fd, chaos_find(c, fd), NULL);
			break;
		case 3:
			dev_control(fd, EVNTRACE_CONTROL_FLUSH, chaos_find(c, fd),
				    NULL);
			break;
		case 4:
			dev_control(fd, DEV_QUERY, chaos_find(c, fd), NULL);
			break;
		case 5:
			chaos_list(c, fd);
			break;
		case 6:
			/* Bound sessions end here */
			close(fd);
			fd = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
			break;
		case 7:
		case 8:
			chaos_system(c, fd);
			break;
		default:
			chaos_enable(c, fd, chaos_find(c, fd));
		}
		count(&totals->controls);
	}
}

static void WINAPI ignore_event(PEVENT_RECORD record)
{
	(void)record;
}

/* Read logs as they grow, complete or not, like any consumer */
static void play_reader(struct chance *c)
{
	char path[64];
	EVENT_TRACE_LOGFILEA log;
	TRACEHANDLE handle;

	for (;;) {
		snprintf(path, sizeof(path), chance_of(c, 2) ?
			 BIG_DIR "/chaos-%u.etl" : BIG_DIR "/measured-%u.etl",
			 chance_of(c, LOGS));
		memset(&log, 0, sizeof(log));
		log.LogFileName = path;
		log.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD;
		log.EventRecordCallback = ignore_event;
		handle = OpenTraceA(&log);
		if (handle != INVALID_PROCESSTRACE_HANDLE) {
			ProcessTrace(&handle, 1, NULL, NULL);
			CloseTrace(handle);
			count(&totals->reads);
		}
		usleep(chance_of(c, 50000));
	}
}

/* Use up memory, and free it */
static void play_hog(struct chance *c)
{
	struct sysinfo info;
	uint64_t take;
	void *p;

	for (;;) {
		sysinfo(&info);
		take = info.freeram * info.mem_unit;
		take -= take / (2 + chance_of(c, 6));
		p = mmap(NULL, take, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			 MAP_ANONYMOUS | MAP_POPULATE | MAP_NORESERVE, -1, 0);
		usleep(chance_of(c, 300000));
		if (p != MAP_FAILED)
			munmap(p, take);
		usleep(chance_of(c, 1000000));
	}
}

static void play_hotplug(struct chance *c)
{
	unsigned int cpu;

	for (;;) {
		cpu = 1 + chance_of(c, get_nprocs_conf() - 1);
		set_online(cpu, false);
		usleep(chance_of(c, 200000));
		set_online(cpu, true);
		count(&totals->hotplugs);
		usleep(chance_of(c, 400000));
	}
}

/* The module is in use, so unloading it must fail */
static void play_unloader(struct chance *c)
{
	for (;;) {
		if (syscall(SYS_delete_module, "evntprov", O_NONBLOCK))
			count(&totals->refused_unloads);
		usleep(chance_of(c, 100000));
	}
}

/* Start excessive numbers of threads and processes */
static void play_forker(struct chance *c)
{
	int fd = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	uint32_t i;

	dev_register(fd, HANDLE(1, 1), CHAOS_PROVIDER, 0);
	for (;;) {
		for (i = chance_of(c, 12); i; i--) {
			if (!fork()) {
				dev_write(fd, HANDLE(1, 1), "child", 5);
				_exit(0);
			}
		}
		while (waitpid(-1, NULL, 0) > 0)
			;
		usleep(chance_of(c, 100000));
	}
}

static void (* const cast[])(struct chance *c) = {
	play_writer, play_writer, play_writer, play_classic,
	play_controller, play_controller, play_controller,
	play_reader, play_hog, play_unloader, play_forker,
};

#define CAST	(sizeof(cast) / sizeof(cast[0]))

static pid_t director;

static pid_t send_on_stage(void (*play)(struct chance *c), uint64_t seed)
{
	pid_t pid = fork();
	struct chance c;

	if (!pid) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		chance_init(&c, seed);
		play(&c);
	}
	return pid;
}

/* Kill the process with its children, which are in its process group */
static void take_off_stage(pid_t pid)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static volatile sig_atomic_t curtain;

static void on_term(int sig)
{
	(void)sig;
	curtain = 1;
}

/* Kill one process after the other at random, and start the next */
static void direct(struct chance *c)
{
	pid_t pids[CAST], plug;
	uint32_t i;

	signal(SIGTERM, on_term);
	/* The hotplug process is not killed, as it could leave CPUs offline */
	plug = send_on_stage(play_hotplug, chance_next(c));
	for (i = 0; i < CAST; i++)
		pids[i] = send_on_stage(cast[i], chance_next(c));
	while (!curtain) {
		usleep(chance_of(c, 100000));
		i = chance_of(c, CAST);
		take_off_stage(pids[i]);
		count(&totals->kills);
		pids[i] = send_on_stage(cast[i], chance_next(c));
	}
	for (i = 0; i < CAST; i++)
		take_off_stage(pids[i]);
	take_off_stage(plug);
	_exit(0);
}

void chaos_begin(uint64_t seed)
{
	director = send_on_stage(direct, seed);
}

/* Stop all processes, and bring all CPUs back online */
void chaos_end(void)
{
	kill(director, SIGTERM);
	waitpid(director, NULL, 0);
	set_all_online();
}
