// SPDX-License-Identifier: GPL-2.0
/*
 * A hostile neighbour: processes without any privilege that try to keep others
 * from tracing, and are killed at any time.  Some may open only the provider
 * device; some are members of the group that may trace; some have namespaces of
 * their own.
 */
#include <grp.h>
#include <linux/aio_abi.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "neighbour.h"

#define KIB		1024u
#define HOARD_FILES	100	/* 100,000 registrations in all */
/* Processes that end only with the silent file system */
#define MAX_PENDING	60
#define LAST_NR		0x70

struct hostile_totals *hostile;

static gid_t tracing;

/* Memory for arguments: private, and mapped from a silent file */
static char *own, *silent;
/* Zeros, as far as a size of 32 bits reaches */
static char *zeroes;

#define OWN_SIZE	(64 * KIB)
#define ZEROES_SIZE	(4ull * 1024 * 1024 * 1024)

void hostile_setup(void)
{
	struct rlimit limit = { 4096, 4096 };
	struct stat st;

	hostile = mmap(NULL, sizeof(*hostile), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	setrlimit(RLIMIT_NOFILE, &limit);
	stat("/dev/evntrace", &st);
	tracing = st.st_gid;
}

/* Become a user without capabilities, permanently */
static void become(uid_t uid)
{
	const gid_t group = tracing;

	if (setgroups(uid == MEMBER, &group) || setresgid(uid, uid, uid) ||
	    setresuid(uid, uid, uid))
		_exit(1);
	/* The change of ids has reset it */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static int open_prov(void)
{
	return open("/dev/evntprov", O_RDWR | O_CLOEXEC | O_NONBLOCK);
}

static int open_trace(void)
{
	return open("/dev/evntrace", O_RDWR | O_CLOEXEC);
}

static void *map(size_t size, int flags, int fd)
{
	void *p = mmap(NULL, size, PROT_READ | (fd < 0 ? PROT_WRITE : 0), flags,
		       fd, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void map_all(void)
{
	int fd = open(SILENT_DIR "/full", O_RDONLY | O_CLOEXEC);

	own = map(OWN_SIZE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	zeroes = map(ZEROES_SIZE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		     -1);
	silent = map(64 * KIB, MAP_SHARED, fd);
	close(fd);
}

static bool claim(uint64_t *what, uint64_t most)
{
	if (__atomic_fetch_add(what, 1, __ATOMIC_RELAXED) < most)
		return true;
	__atomic_fetch_sub(what, 1, __ATOMIC_RELAXED);
	return false;
}

/* Fill a file with registrations, of one provider or of a different one each */
static void hoard(struct chance *c, int fd, uint32_t file)
{
	const bool is_public = !chance_of(c, 4);
	uint32_t i;

	for (i = 1; i <= EVNTPROV_MAX_REGISTRATIONS; i++) {
		if (dev_register(fd, HANDLE(i, 1), is_public ? PUBLIC_PROVIDER :
				 HOSTILE_FIRST + file * 2048 + i,
				 chance_of(c, 2)))
			break;
		count(&hostile->registrations);
	}
}

/* Register up to the limits, then exit */
static void play_hoarder(struct chance *c)
{
	uint32_t i, files = chance_of(c, 4) ? chance_of(c, 20) : HOARD_FILES;

	become(NOBODY);
	for (i = 0; i < files; i++)
		hoard(c, open_prov(), i);
	usleep(chance_of(c, 2000000));
	_exit(0);
}

/* Register, and exit with a read pending that the file system never answers */
static void leave_pending(struct chance *c)
{
	static char page[4096] __attribute__((aligned(4096)));
	int prov = open_prov(), i;
	int file = open(SILENT_DIR "/full", O_RDONLY | O_DIRECT | O_CLOEXEC);
	struct iocb cb = {
		.aio_fildes = file, .aio_lio_opcode = IOCB_CMD_PREAD,
		.aio_buf = (uintptr_t)page, .aio_nbytes = sizeof(page),
	};
	struct iocb *list = &cb;
	aio_context_t aio = 0;

	/* Many, so that a controller probably examines one during the exit */
	for (i = 1; i < 500; i++)
		dev_register(prov, HANDLE(i, 1), PUBLIC_PROVIDER,
			     EVNTPROV_REGISTER_NOTIFY);
	syscall(SYS_io_setup, 4, &aio);
	if (syscall(SYS_io_submit, aio, 1, &list) == 1)
		count(&hostile->pending);
	usleep(chance_of(c, 20000));
	_exit(0);
}

/* Have children that exit while controllers look up their executables */
static void play_mayflies(struct chance *c)
{
	int fd, i;

	become(NOBODY);
	for (;;) {
		for (i = chance_of(c, 8); i; i--) {
			if (fork())
				continue;
			if (!chance_of(c, 8) &&
			    claim(&hostile->pending, MAX_PENDING))
				leave_pending(c);
			fd = open_prov();
			dev_register(fd, HANDLE(1, 1), PUBLIC_PROVIDER, 1);
			dev_register(fd, HANDLE(2, 1), PUBLIC_PROVIDER, 0);
			dev_write(fd, HANDLE(2, 1), "mayfly", 6);
			usleep(chance_of(c, 3000));
			_exit(0);
		}
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		usleep(chance_of(c, 10000));
	}
}

/* Choose among the sessions of all users; 0 if there is none */
static __u64 some_session(struct chance *c, int fd)
{
	static __u64 handles[EVNTRACE_MAX_SESSIONS];
	struct evntrace_list l = {
		.size = sizeof(l), .kind = EVNTRACE_LIST_SESSIONS,
		.element_size = sizeof(__u64), .elements = (uintptr_t)handles,
		.count = EVNTRACE_MAX_SESSIONS,
	};

	if (do_ioctl(fd, EVNTRACE_IOC_LIST, &l) || !l.count)
		return 0;
	return handles[chance_of(c, l.count)];
}

static uint64_t some_pointer(struct chance *c)
{
	const char *area = chance_of(c, 3) ? own : zeroes;

	if (!chance_of(c, 2000))
		area = silent;	/* a process that touches it waits */
	return area ? (uintptr_t)area + chance_of(c, 8 * KIB) * 8 : 1;
}

static uint64_t some_word(struct chance *c, __u64 session)
{
	struct evntprov_guid id = guid_of(chance_of(c, 2) ? PUBLIC_PROVIDER :
							     QUIET_PROVIDER);
	uint64_t half[2];

	memcpy(half, id.b, sizeof(half));
	switch (chance_of(c, 12)) {
	case 0:
		return session;
	case 1:
		return half[0];
	case 2:
		return half[1];
	case 3:
	case 4:
		return some_pointer(c);
	case 5:
		return chance_of(c, 64);
	case 6:
		return (uint64_t)chance_of(c, 64) << 32 | chance_of(c, 64);
	case 7:
		return HANDLE(chance_of(c, 8), 1);
	case 8:
		return chance_next(c);
	case 9:
		return ~0ull >> chance_of(c, 64);
	}
	return 0;
}

static uint32_t some_size(struct chance *c)
{
	switch (chance_of(c, 32)) {
	case 0:
		return chance_next(c);
	case 1:
		return 4096 + chance_of(c, 2);
	}
	return 8 * (1 + chance_of(c, 26));
}

/* Call any ioctl with any argument */
static void flood_once(struct chance *c, int fd, __u64 session)
{
	uint64_t *arg = (uint64_t *)own;
	uint32_t i, nr = chance_of(c, LAST_NR);

	for (i = 0; i < 32; i++)
		arg[i] = some_word(c, session);
	arg[0] = some_size(c) | (chance_of(c, 4) ? 0 : 1ull << 32);
	count(&hostile->calls);
	if (!chance_of(c, 1000) && zeroes) {
		/*
		 * The longest argument that a size can express, and it is
		 * readable
		 */
		*(uint32_t *)zeroes = ~0u;
		arg = (uint64_t *)zeroes;
	} else if (!chance_of(c, 2000) && silent) {
		arg = (uint64_t *)silent;
	}
	ioctl(fd, _IO(EVNTPROV_IOC_TYPE, nr), arg);
}

static void flood(struct chance *c, bool is_member)
{
	int prov = open_prov(), trace = is_member ? open_trace() : -1;
	char buf[256];
	uint32_t i;

	map_all();
	for (i = 1; i < 8; i++)
		dev_register(prov, HANDLE(i, 1), PUBLIC_PROVIDER,
			     chance_of(c, 4));
	for (i = 1;; i++) {
		flood_once(c, prov, 0);
		if (trace >= 0)
			flood_once(c, trace, some_session(c, trace));
		if (read(prov, buf, sizeof(buf)) < 0)
			continue;
	}
}

static void play_flood(struct chance *c)
{
	become(NOBODY);
	flood(c, false);
}

static void play_member_flood(struct chance *c)
{
	become(MEMBER);
	flood(c, true);
}

/* Flood as root of a user namespace, and init of a pid namespace */
static void play_namespace(struct chance *c)
{
	become(MEMBER);
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID))
		_exit(1);
	write_file("/proc/self/setgroups", "deny");
	write_file("/proc/self/uid_map", "0 65533 1");
	write_file("/proc/self/gid_map", "0 65533 1");
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		flood(c, chance_of(c, 2));
	}
	waitpid(-1, NULL, 0);
	_exit(0);
}

/* Enable by names and ids of processes that come and go */
static void play_scoper(struct chance *c)
{
	static const char names[] = "torture;init;bash";
	struct evntrace_filter filters[2] = {
		{ .ptr = (uintptr_t)names, .len = sizeof(names) - 1,
		  .type = EVNTRACE_FILTER_EXECUTABLE_NAME },
	};
	struct evntrace_start memory = {
		.log_file_mode = EVNTRACE_MODE_BUFFERING, .buffer_size = 4096,
		.flags = EVNTRACE_START_BOUND,
	};
	struct evntrace_enable arg;
	__u32 pids[EVNTRACE_MAX_FILTER_PIDS];
	char name[32];
	__u64 session;
	int fd, i;

	become(MEMBER);
	fd = open_trace();
	snprintf(name, sizeof(name), "scoper-%d", getpid());
	if (!dev_start(fd, name, NULL, &memory, &session))
		count(&hostile->sessions);
	for (;;) {
		for (i = 0; i < EVNTRACE_MAX_FILTER_PIDS; i++)
			pids[i] = getpid() + chance_of(c, 200);
		filters[1] = (struct evntrace_filter) {
			.ptr = (uintptr_t)pids, .len = sizeof(pids),
			.type = EVNTRACE_FILTER_PID,
		};
		arg = enable_arg(PUBLIC_PROVIDER);
		arg.control = chance_of(c, 3);
		arg.timeout_ms = chance_of(c, 4) ? 0 : chance_of(c, 20);
		arg.filters = (uintptr_t)filters;
		arg.filter_count = arg.control == EVNTPROV_CONTROL_ENABLE ?
				   1 + !chance_of(c, 4) : 0;
		dev_ioctl(fd, session, EVNTRACE_IOC_ENABLE, &arg);
		count(&hostile->calls);
	}
}

/* The same, frozen at times */
static void play_frozen(struct chance *c)
{
	write_file(CGROUP "/cgroup.procs", "0");
	play_scoper(c);
}

/* Do something with a session whose log may not answer */
static void use_log(struct chance *c, int fd, int prov, __u64 session,
		    const char *path)
{
	__u16 name[32];
	struct evntrace_start s = start_arg(name, "another", -1);
	struct evntrace_update update = {
		.size = sizeof(update), .flags = EVNTRACE_UPDATE_LOG,
		.log_name = (uintptr_t)name,
		.log_name_len = s.name_len,
	};
	struct evntrace_snapshot snapshot = {
		.size = sizeof(snapshot),
		.log_name = (uintptr_t)name, .log_name_len = s.name_len,
	};
	int log = -1;

	dev_enable(fd, session, PUBLIC_PROVIDER);
	dev_write(prov, HANDLE(1, 1), own, 3000);
	switch (chance_of(c, 5)) {
	case 0:
		dev_control(fd, EVNTRACE_CONTROL_FLUSH, session, NULL);
		break;
	case 1:
		dev_stop(fd, session, NULL);
		break;
	case 2:
		log = new_log(path);
		update.log_fd = log;
		dev_ioctl(fd, session, EVNTRACE_IOC_UPDATE, &update);
		break;
	case 3:
		log = new_log(path);
		snapshot.log_fd = log;
		dev_ioctl(fd, session, EVNTRACE_IOC_SNAPSHOT, &snapshot);
		break;
	case 4:
		dev_control(fd, DEV_QUERY, session, NULL);
		break;
	}
	if (log >= 0)
		close(log);
}

/* Start sessions with logs in file systems that do not answer */
static void play_recorder(struct chance *c)
{
	static const struct evntrace_start kinds[] = {
		{ .buffer_size = 4096, .max_buffers = 8, .flush_ms = 10 },
		{ .buffer_size = 4096, .max_buffers = 8,
		  .flags = EVNTRACE_START_BOUND },
		{ .buffer_size = 4096, .flush_ms = 1,
		  .log_file_mode = EVNTRACE_MODE_REAL_TIME },
		{ .buffer_size = 4096, .max_file_size = 1,
		  .log_file_mode = EVNTRACE_MODE_CIRCULAR },
		{ .buffer_size = 4096, .log_file_mode = EVNTRACE_MODE_APPEND,
		  .clock_type = EVNTRACE_CLOCK_SYSTEM_TIME },
	};
	static const char * const dirs[] = {
		SILENT_DIR, SILENT_DIR, FROZEN_DIR, HOSTILE_DIR,
	};
	const struct evntrace_start *kind;
	char name[32], path[96];
	__u64 session;
	int fd, prov;
	uint32_t i;

	become(MEMBER);
	map_all();
	prov = open_prov();
	dev_register(prov, HANDLE(1, 1), PUBLIC_PROVIDER, 0);
	fd = open_trace();
	for (;;) {
		i = chance_of(c, 1000);
		snprintf(name, sizeof(name), "hostile-%d-%u", getpid(), i);
		kind = &kinds[chance_of(c, 5)];
		snprintf(path, sizeof(path), "%s/%s-%d-%u",
			 dirs[chance_of(c, 4)],
			 kind->log_file_mode & EVNTRACE_MODE_APPEND ? "full" :
								     "log",
			 getpid(), i);
		if (!dev_start(fd, name, path, kind, &session)) {
			count(&hostile->sessions);
			use_log(c, fd, prov, session, path);
		}
		usleep(chance_of(c, 5000));
	}
}

/* Stop and flush sessions of all users */
static void play_stopper(struct chance *c)
{
	int fd;

	become(MEMBER);
	fd = open_trace();
	for (;;) {
		dev_stop(fd, some_session(c, fd), NULL);
		dev_control(fd, EVNTRACE_CONTROL_FLUSH, some_session(c, fd), NULL);
		count(&hostile->calls);
		usleep(chance_of(c, 50000));
	}
}

static void (* const cast[])(struct chance *c) = {
	play_hoarder, play_mayflies, play_flood, play_member_flood,
	play_namespace, play_scoper, play_frozen, play_recorder, play_recorder,
	play_recorder, play_stopper,
};

#define CAST	(sizeof(cast) / sizeof(cast[0]))

static pid_t send(void (*play)(struct chance *c), uint64_t seed)
{
	pid_t pid = fork();
	struct chance c;

	if (pid)
		return pid;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	chance_init(&c, seed);
	play(&c);
	_exit(0);
}

/*
 * Kill it with its children.  It may end no earlier than the silent file
 * system.
 */
static void dismiss(pid_t pid)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	count(&hostile->kills);
}

static volatile sig_atomic_t is_over;

static void on_term(int sig)
{
	(void)sig;
	is_over = 1;
}

static void set_frozen(bool is)
{
	write_file(CGROUP "/cgroup.freeze", is ? "1" : "0");
}

/* Direct the cast. Orphans are reparented to the director, so none is left. */
static void direct(struct chance *c)
{
	pid_t pids[CAST];
	uint32_t i;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGTERM, on_term);
	for (i = 0; i < CAST; i++)
		pids[i] = send(cast[i], chance_next(c));
	while (!is_over) {
		usleep(chance_of(c, 500000));
		set_frozen(chance_of(c, 2));
		i = chance_of(c, CAST);
		dismiss(pids[i]);
		pids[i] = send(cast[i], chance_next(c));
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	set_frozen(false);
	for (i = 0; i < CAST; i++)
		dismiss(pids[i]);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	_exit(0);
}

static pid_t director;

/* @frozen: process that is frozen at times */
void hostile_begin(uint64_t seed, pid_t frozen)
{
	struct chance c;
	char text[16];

	memset(hostile, 0, sizeof(*hostile));
	mkdir(CGROUP, 0755);
	snprintf(text, sizeof(text), "%d", frozen);
	write_file(CGROUP "/cgroup.procs", text);
	director = fork();
	if (director)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	chance_init(&c, seed);
	direct(&c);
}

void hostile_stop(void)
{
	kill(director, SIGTERM);
}

/* Return whether all processes have ended */
bool hostile_end(void)
{
	int i;

	for (i = 0; i < 6000; i++) {
		if (waitpid(director, NULL, WNOHANG) == director)
			return true;
		usleep(10000);
	}
	return false;
}
