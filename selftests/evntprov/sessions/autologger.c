// SPDX-License-Identifier: GPL-2.0
/*
 * Autologger sessions, which start with the module: they must exist before any
 * program can register, and the module must load whatever its helper does.
 *
 * Unloads and loads the module with its own helpers and descriptions.
 */
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/lib.h"

/* Loading takes long on a kernel with debug checks */
#define SECONDS		200

#define DIR		"/tmp/autologger"
#define HELPER		DIR "/evnt-autologger"
#define SCRIPT		DIR "/helper"
#define CONF		"/etc/evntprov/autologger.d"

/* The GUID that device.h's functions give provider 1 */
#define PROVIDER	"[746e7665-0000-0000-0000-000001000000]\n"
#define SESSION		"Guid = {5a0c0b9e-7a41-4d1c-8a55-2f6a2c7d0001}\nStart=1\n"

static const char *build(void)
{
	return getenv("EVNT_BUILD") ?: "../../build";
}

static const char *module_file(void)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/evntprov.ko",
		 getenv("VM_OUT") ?: build());
	return path;
}

static int run(const char *format, ...)
{
	char command[2048];
	va_list args;
	int status;

	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	status = system(command);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/*
 * Load the module with the longest timeout for its helper, unless @parameters
 * override it: the default of ten seconds is too short on a slow kernel.
 */
static int load(const char *parameters)
{
	return run("insmod %s autologger_seconds=60 %s", module_file(),
		   parameters);
}

static void write_file(const char *path, mode_t mode, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (write(fd, text, strlen(text)) < 0 || fchmod(fd, mode))
		perror(path);
	close(fd);
}

/* Whether the kernel log contains @text since the test began */
static bool is_logged(const char *text)
{
	return !run("dmesg | sed '1,/autologger test %d begins/d' |"
		    " grep -qF -- \"%s\"", getpid(), text);
}

FIXTURE(autologger) {
	bool loaded;
};

/* Bind a folder of links over /etc, which may be shared and read-only */
FIXTURE_SETUP(autologger)
{
	char text[64];

	if (getuid() || access(module_file(), R_OK))
		SKIP(return, "needs root, and the module's file");
	/* Keep the folder if a crashed test has left /etc mounted in it */
	ASSERT_EQ(0, run("! mountpoint -q %s/real && rm -rf %s && mkdir -p %s",
			 DIR, DIR, DIR "/etc " DIR "/real"));
	ASSERT_EQ(0, run("cd %s && mount --bind /etc real && ln -s %s/real/* etc"
			 " && rm -f etc/evntprov && mount --bind etc /etc &&"
			 " mkdir -p %s", DIR, DIR, CONF));
	ASSERT_EQ(0, run("ln -s $(realpath %s)/tools/evnt %s", build(),
			 HELPER));
	ASSERT_EQ(0, run("rmmod evntprov"));
	snprintf(text, sizeof(text), "autologger test %d begins\n", getpid());
	write_file("/dev/kmsg", 0644, text);
}

FIXTURE_TEARDOWN(autologger)
{
	if (getuid() || access(module_file(), R_OK))
		return;
	run("rmmod evntprov 2>/dev/null");
	/* Load without a helper, even if one is installed */
	EXPECT_EQ(0, load("autologger="));
	EXPECT_EQ(0, run("umount /etc %s/real && rm -rf %s", DIR, DIR));
}

static ULONG stop(const char *name)
{
	struct properties p = properties_for("");

	return StopTraceA(0, name, &p.p);
}

static bool runs(const char *name)
{
	struct properties p = properties_for("");

	return !QueryTraceA(0, name, &p.p);
}

/* Write an event as soon as the device can be opened; 0, or the failed step */
static int write_first(void)
{
	unsigned int tries = 100000;
	int fd;

	while ((fd = open("/dev/evntprov", O_RDWR)) < 0 && tries--)
		usleep(1000);
	if (fd < 0 || dev_register(fd, HANDLE(1, 1), 1, 0))
		return 1;
	return dev_write(fd, HANDLE(1, 1), "first", 5) ? 2 : 0;
}

static void count_pid(const struct etl_event *e, void *pid)
{
	if (e->pid == *(unsigned int *)pid)
		*(unsigned int *)pid = 0;
}

TEST_F_TIMEOUT(autologger, a_session_runs_before_any_program_can_register,
	       SECONDS)
{
	struct properties p = properties_for("");
	struct etl_scan scan;
	unsigned int pid;
	int status;

	write_file(CONF "/boot.conf", 0644,
		   "# As early as can be\n"
		   SESSION
		   "FileName = " DIR "/boot.etl\n"
		   "BufferSize = 16\nMinimumBuffers = 20\nMaximumBuffers = 30\n"
		   "FlushTimer = 0x2\nMaxFileSize = 7\nClockType = 2\n"
		   PROVIDER
		   "  enabled = 1\nEnableLevel = 4\n");
	/* A slow helper, while programs keep trying to open the device */
	write_file(SCRIPT, 0755,
		   "#!/bin/sh\nsleep 1\n"
		   "cat /dev/evntprov > /dev/null 2> " DIR "/device\n"
		   "exec " HELPER "\n");
	pid = fork();
	if (!pid)
		_exit(write_first());
	ASSERT_EQ(0, load("autologger=" SCRIPT));
	waitpid(pid, &status, 0);
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, run("grep -q 'No such device$' %s/device", DIR));
	ASSERT_EQ(0, QueryTraceA(0, "boot", &p.p));
	EXPECT_EQ(16, p.p.BufferSize);
	EXPECT_EQ(30, p.p.MaximumBuffers);
	EXPECT_EQ(2, p.p.FlushTimer);
	EXPECT_EQ(7, p.p.MaximumFileSize);
	EXPECT_EQ(2, p.p.Wnode.ClientContext);
	EXPECT_EQ(0x5a0c0b9e, p.p.Wnode.Guid.Data1);
	EXPECT_STREQ(DIR "/boot.etl", p.log);
	/* The session pins the module, and can be stopped like any other */
	EXPECT_NE(0, run("rmmod evntprov 2>/dev/null"));
	EXPECT_EQ(0, stop("boot"));
	EXPECT_TRUE(etl_scan(DIR "/boot.etl", &scan, count_pid, &pid));
	EXPECT_EQ(1, scan.events);
	EXPECT_EQ(0, pid);
	EXPECT_FALSE(is_logged("evntprov: "));
}

TEST_F_TIMEOUT(autologger, errors_are_reported_in_the_kernel_log,
	       SECONDS)
{
	write_file(CONF "/wrong.conf", 0644,
		   SESSION "Bufersize = 16\n[no guid]\n");
	write_file(CONF "/right.conf", 0644,
		   SESSION "FileName = " DIR "/right.etl\n");
	write_file(CONF "/later.conf", 0644,
		   "Guid = {5a0c0b9e-7a41-4d1c-8a55-2f6a2c7d0002}\nStart=0\n"
		   "FileName = " DIR "/later.etl\n");
	write_file(CONF "/none", 0644, "this is no description\n");
	ASSERT_EQ(0, load("autologger=" HELPER));
	EXPECT_TRUE(is_logged("evnt: " CONF "/wrong.conf:3: there is no key"
			      " 'Bufersize' here"));
	EXPECT_TRUE(is_logged("wrong.conf:4: 'no guid' is neither"));
	EXPECT_TRUE(is_logged("evntprov: " HELPER " failed: exit status 1"));
	EXPECT_FALSE(runs("wrong"));
	EXPECT_FALSE(runs("later"));
	EXPECT_EQ(0, stop("right"));
	/* A manual start ignores the Start key */
	EXPECT_EQ(0, run("%s/tools/evnt autologger start later", build()));
	EXPECT_EQ(0, run("%s/tools/evnt autologger start later", build()));
	EXPECT_EQ(0, run("%s/tools/evnt autologger list | grep -q"
			 " '^later  *no  *running  *%s/later.etl$'", build(),
			 DIR));
	EXPECT_EQ(0, stop("later"));
	EXPECT_EQ(1, run("%s/tools/evnt autologger start nobody 2>/dev/null",
			 build()));
}

TEST_F_TIMEOUT(autologger, without_a_helper_the_module_loads_silently,
	       SECONDS)
{
	ASSERT_EQ(0, load("autologger=" DIR "/not-there"));
	EXPECT_FALSE(is_logged("evntprov: "));
	ASSERT_EQ(0, run("rmmod evntprov"));
	ASSERT_EQ(0, load("autologger="));
	EXPECT_FALSE(is_logged("evntprov: "));
}

TEST_F_TIMEOUT(autologger, a_failing_helper_does_not_prevent_loading,
	       SECONDS)
{
	write_file(SCRIPT, 0755, "#!/bin/sh\nexit 7\n");
	ASSERT_EQ(0, load("autologger=" SCRIPT));
	EXPECT_TRUE(is_logged("evntprov: " SCRIPT " failed: exit status 7"));
	ASSERT_EQ(0, run("rmmod evntprov"));
	write_file(SCRIPT, 0755, "#!/bin/sh\nkill -15 $$\n");
	ASSERT_EQ(0, load("autologger=" SCRIPT));
	EXPECT_TRUE(is_logged("evntprov: " SCRIPT " was ended by signal 15"));
	ASSERT_EQ(0, run("rmmod evntprov"));
	/* A script that is not executable */
	write_file(SCRIPT, 0644, "#!/bin/sh\n");
	ASSERT_EQ(0, load("autologger=" SCRIPT));
	EXPECT_TRUE(is_logged("evntprov: cannot run " SCRIPT ": error 13"));
	EXPECT_EQ(0, close(open("/dev/evntprov", O_RDWR)));
}

TEST_F_TIMEOUT(autologger, a_helper_that_hangs_is_killed,
	       SECONDS)
{
	struct timespec before, after;

	write_file(SCRIPT, 0755,
		   "#!/bin/sh\ntrap '' TERM INT\nwhile :; do :; done\n");
	clock_gettime(CLOCK_MONOTONIC, &before);
	ASSERT_EQ(0, load("autologger=" SCRIPT " autologger_seconds=1"));
	clock_gettime(CLOCK_MONOTONIC, &after);
	EXPECT_GT(SECONDS / 2, after.tv_sec - before.tv_sec);
	EXPECT_TRUE(is_logged("evntprov: " SCRIPT " took too long and was"
			      " killed"));
	EXPECT_NE(0, run("pgrep -f 'sh .*/[h]elper$' >/dev/null"));
	EXPECT_EQ(0, close(open("/dev/evntprov", O_RDWR)));
}

TEST_F_TIMEOUT(autologger, FileMax_keeps_the_newest_logs,
	       SECONDS)
{
	static const char * const newest[] = { "0001", "0002", "0001" };
	struct properties p;
	unsigned int i;
	char log[64];

	write_file(CONF "/ring.conf", 0644,
		   SESSION "FileMax = 2\nFileName = " DIR "/ring.etl\n");
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, load("autologger=" HELPER));
		p = properties_for("");
		ASSERT_EQ(0, QueryTraceA(0, "ring", &p.p));
		snprintf(log, sizeof(log), DIR "/ring.etl.%s", newest[i]);
		EXPECT_STREQ(log, p.log);
		EXPECT_EQ(0, stop("ring"));
		ASSERT_EQ(0, run("rmmod evntprov"));
		usleep(20000);
	}
}

TEST_HARNESS_MAIN
