// SPDX-License-Identifier: MIT
/*
 * Linked into each program and shared library that scripts/coverage builds:
 * stores gcov's counts when a process ends by _exit(), as each case of the
 * kernel's harness does.  A program and each library have counters, and a
 * __gcov_dump(), of their own.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in gcov.h, which comes with gcc alone */
void __gcov_dump(void);

#define LIBRARIES	16

/* One array in the process: other definitions of it are not used */
__attribute__((weak, visibility("default")))
void (*evnt_coverage_dumps[LIBRARIES])(void);

__attribute__((constructor)) static void add(void)
{
	unsigned int i = 0;

	while (i < LIBRARIES - 1 && evnt_coverage_dumps[i])
		i++;
	evnt_coverage_dumps[i] = __gcov_dump;
}

/* Store counts where a test limits the size of files, or end without them */
static void lift_limit(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_IGN);
}

/* Without messages where counts cannot be stored, as tests compare the output */
static void store(void (*dump)(void))
{
	int errors = dup(STDERR_FILENO), none = open("/dev/null", O_WRONLY);

	/* In a sandbox that refuses to open files, no counts are stored either */
	if (dup2(none, STDERR_FILENO) < 0)
		close(STDERR_FILENO);
	dump();
	dup2(errors, STDERR_FILENO);
	close(none);
	close(errors);
}

/* A library may be unloaded */
__attribute__((destructor)) static void take_away(void)
{
	unsigned int i;

	lift_limit();
	store(__gcov_dump);
	for (i = 0; i < LIBRARIES; i++)
		if (evnt_coverage_dumps[i] == __gcov_dump)
			evnt_coverage_dumps[i] = NULL;
}

__attribute__((visibility("default"))) void _exit(int status)
{
	unsigned int i;

	lift_limit();
	for (i = 0; i < LIBRARIES; i++)
		if (evnt_coverage_dumps[i])
			store(evnt_coverage_dumps[i]);
	for (;;)
		syscall(SYS_exit_group, status);
}
