// SPDX-License-Identifier: MIT
/*
 * Creation of the log of a process that its environment has recorded: no file
 * is there before its header, and a failure has a reason.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"

static bool install(struct sock_filter *code, unsigned short len)
{
	struct sock_fprog program = { len, code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Kill the process when it writes the header */
static bool refuse_header(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_pwrite64, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return install(code, EVNT_ARRAY_SIZE(code));
}

/* Simulate a file system or a kernel without files without a name */
static bool refuse_unnamed(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,
			 O_TMPFILE & ~O_DIRECTORY, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return install(code, EVNT_ARRAY_SIZE(code));
}

/* Simulate a system without /proc, by which a file gets its name */
static bool refuse_link(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_linkat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOENT),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};

	return install(code, EVNT_ARRAY_SIZE(code));
}

/* Register and write an event, with the log @name in the environment */
static int record_to(const char *name)
{
	REGHANDLE r;

	setenv("EVNTPROV_LOG", name, 1);
	setenv("EVNTPROV_PROVIDERS", "11223344-0000-0000-0000-000000000000", 1);
	if (EventRegister(&provider, NULL, NULL, &r) || private_write(r, 1))
		return 1;
	exit(0);
}

static int record_refused(void)
{
	return refuse_header() ? record_to(private_path("refused")) : 77;
}

static int record_named(void)
{
	return refuse_unnamed() ? record_to(private_path("named")) : 77;
}

static int record_unlinked(void)
{
	return refuse_link() ? record_to(private_path("unlinked")) : 77;
}

static int record_second(void)
{
	return record_to(private_path("named"));
}

static bool redirect(void)
{
	return freopen(private_path("errors"), "w", stderr);
}

/* Record to a file system that is full */
static int record_to_full(void)
{
	char folder[160], log[180];

	snprintf(folder, sizeof(folder), "%s_full", private_path("disk"));
	snprintf(log, sizeof(log), "%s/log.etl", folder);
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mkdir(folder, 0700) ||
	    mount("none", folder, "tmpfs", 0, "size=4k"))
		return 77;
	return redirect() ? record_to(log) : 1;
}

static int record_to_nowhere(void)
{
	return redirect() ? record_to("/nowhere/log.etl") : 1;
}

/* Test for a message in the redirected errors */
static bool is_reported(const char *text)
{
	char line[512] = "";
	FILE *file = fopen(private_path("errors"), "r");
	bool found = file && fgets(line, sizeof(line), file) &&
		     strstr(line, text);

	if (file)
		fclose(file);
	return found;
}

/* Number of files of a log: its first one, and those with numbers */
static unsigned int files_of(const char *name)
{
	char command[256];
	unsigned int count = 0;
	FILE *list;

	snprintf(command, sizeof(command), "ls -d %s* 2>/dev/null | wc -l",
		 private_path(name));
	list = popen(command, "r");
	if (!list || fscanf(list, "%u", &count) != 1)
		count = -1;
	if (list)
		pclose(list);
	return count;
}

static void test_files(void)
{
	int status = private_in_child(record_refused);

	if (status == 77) {
		SKIP("this kernel has no seccomp filters");
		return;
	}
	CHECK(status == -1 && !files_of("refused"),
	      "no file is left if the process ends before its header");
	CHECK(!private_in_child(record_named) &&
	      private_count(private_path("named")) == 1,
	      "a log is created on a file system without unnamed files");
	CHECK(!private_in_child(record_unlinked) &&
	      private_count(private_path("unlinked")) == 1,
	      "a log is created where an unnamed file cannot get a name");
	CHECK(!private_in_child(record_second) && files_of("named") == 2 &&
	      private_count(private_path("named")) == 1,
	      "a file that exists is kept");
}

static void test_reasons(void)
{
	int status = private_in_child(record_to_full);

	if (status == 77)
		SKIP("a file system can be mounted by root only");
	else
		CHECK(!status &&
		      is_reported("cannot start a session: the disk is full"),
		      "a full disk is reported");
	CHECK(!private_in_child(record_to_nowhere) &&
	      is_reported("cannot start a session: there is no such folder"),
	      "a missing folder is reported");
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_files();
	test_reasons();
	private_clean();
	return tap_end();
}
