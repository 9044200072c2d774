// SPDX-License-Identifier: MIT
/* Progress messages of verbs: only on a terminal. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The clock of the code under test, which tests advance */
static long long clock_ms = 1000000;

static int test_clock(clockid_t id, struct timespec *now)
{
	(void)id;
	now->tv_sec = clock_ms / 1000;
	now->tv_nsec = clock_ms % 1000 * 1000000;
	return 0;
}

#define clock_gettime	test_clock
#include "tools/common/progress.c"
#include "selftests/unit/common/tap.h"

static int terminal;		/* the program's end */
static int screen;		/* the other end */
static int ends[2];		/* a pipe */
static char path[32] = "/tmp/test_progress.XXXXXX";

static void open_all(void)
{
	screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (screen < 0 || grantpt(screen) || unlockpt(screen))
		abort();
	terminal = open(ptsname(screen), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0 || pipe2(ends, O_CLOEXEC))
		abort();
}

#define END	'$'

/*
 * Read @from up to END: a terminal passes on data with a delay, and in pieces
 */
static const char *read_to_end(int from)
{
	static char text[256];
	struct pollfd ready = { .fd = from, .events = POLLIN };
	size_t length = 0;
	ssize_t n;

	do {
		if (poll(&ready, 1, 60000) != 1)
			break;
		n = read(from, text + length, sizeof(text) - 1 - length);
		if (n <= 0)
			break;
		length += n;
	} while (text[length - 1] != END && length < sizeof(text) - 1);
	text[length ? length - 1 : 0] = 0;
	return text;
}

static void write_end(int to)
{
	const char end = END;

	if (write(to, &end, 1) != 1)
		abort();
}

/*
 * Return the text on @err, from offset @from, of a verb that prints to @out and
 * has read @count of four buffers when half a second has passed by the clock.
 */
static const char *reported(int out, int err, bool prints, int count, int from)
{
	int outs = dup(STDOUT_FILENO), errs = dup(STDERR_FILENO);
	struct progress p = { .total = 4 };

	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	progress_begin(&p, prints);
	while (count-- > 1)
		progress_step(&p);
	clock_ms += PERIOD_MS;
	progress_step(&p);
	progress_end(&p);
	fflush(stderr);
	dup2(outs, STDOUT_FILENO);
	dup2(errs, STDERR_FILENO);
	close(outs);
	close(errs);
	write_end(err);
	return read_to_end(from);
}

static void test_reported(int file)
{
	CHECK(!strcmp(reported(file, terminal, false, 2, screen),
		      CLEAR_LINE "2 of 4 buffers, 50 %" CLEAR_LINE),
	      "progress is shown on a terminal and erased");
	CHECK(!strcmp(reported(file, terminal, true, 4, screen),
		      CLEAR_LINE "4 of 4 buffers, 100 %" CLEAR_LINE),
	      "progress is shown while printing to a file");
	CHECK(!strcmp(reported(terminal, terminal, false, 5, screen),
		      CLEAR_LINE "5 buffers" CLEAR_LINE),
	      "progress is erased before printing to the terminal");
	CHECK(!*reported(terminal, terminal, true, 2, screen),
	      "progress is not shown while printing to the terminal");
	CHECK(!*reported(ends[1], terminal, true, 2, screen),
	      "progress is not shown while printing to a pipe");
	CHECK(!*reported(file, ends[1], false, 2, ends[0]),
	      "progress is not shown in a pipe");
}

static void test_short(void)
{
	int errs = dup(STDERR_FILENO);
	struct progress p = { .total = 4 };

	dup2(terminal, STDERR_FILENO);
	progress_begin(&p, false);
	clock_ms += PERIOD_MS - 1;
	progress_step(&p);
	progress_end(&p);
	fflush(stderr);
	dup2(errs, STDERR_FILENO);
	close(errs);
	write_end(terminal);
	CHECK(p.done == 1 && !*read_to_end(screen),
	      "progress is not shown within half a second");
}

int main(void)
{
	int file = mkstemp(path);

	open_all();
	test_reported(file);
	test_short();
	unlink(path);
	return tap_end();
}
