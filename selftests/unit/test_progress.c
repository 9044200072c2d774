// SPDX-License-Identifier: MIT
/*
 * How far verbs tell that they are: on a terminal, and nowhere else.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../tools/progress.c"
#include "tap.h"

static int terminal;		/* the end that a program has */
static int screen;		/* and the other one */
static int ends[2];		/* a pipe */
static char path[32] = "/tmp/test_progress.XXXXXX";

static void open_all(void)
{
	screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (screen < 0 || grantpt(screen) || unlockpt(screen))
		abort();
	terminal = open(ptsname(screen), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0 || pipe2(ends, O_NONBLOCK | O_CLOEXEC))
		abort();
	fcntl(screen, F_SETFL, O_NONBLOCK);
}

/*
 * What a verb tells on @err that prints to @out, when it has read @count of four
 * buffers and half a second is over; read at @from
 */
static const char *told(int out, int err, bool prints, int count, int from)
{
	static char text[256];
	int outs = dup(STDOUT_FILENO), errs = dup(STDERR_FILENO);
	struct progress p = { .total = 4 };
	ssize_t n;

	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	progress_begin(&p, prints);
	while (count-- > 1)
		progress_step(&p);
	usleep(600000);
	progress_step(&p);
	progress_end(&p);
	fflush(stderr);
	dup2(outs, STDOUT_FILENO);
	dup2(errs, STDERR_FILENO);
	close(outs);
	close(errs);
	n = read(from, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = 0;
	return text;
}

static void test_told(int file)
{
	CHECK(!strcmp(told(file, terminal, false, 2, screen),
		      CLEAR_LINE "2 of 4 buffers, 50 %" CLEAR_LINE),
	      "told on a terminal, and wiped out");
	CHECK(!strcmp(told(file, terminal, true, 4, screen),
		      CLEAR_LINE "4 of 4 buffers, 100 %" CLEAR_LINE),
	      "told while a file is printed to");
	CHECK(!strcmp(told(terminal, terminal, false, 5, screen),
		      CLEAR_LINE "5 buffers" CLEAR_LINE),
	      "told before the terminal is printed to; more than was said");
	CHECK(!*told(terminal, terminal, true, 2, screen),
	      "not told while the terminal is printed to");
	CHECK(!*told(ends[1], terminal, true, 2, screen),
	      "not told while a pipe is printed to");
	CHECK(!*told(file, ends[1], false, 2, ends[0]), "not told to a pipe");
}

static void test_short(void)
{
	int errs = dup(STDERR_FILENO);
	struct progress p = { .total = 4 };
	char text[16];

	dup2(terminal, STDERR_FILENO);
	progress_begin(&p, false);
	progress_step(&p);
	progress_end(&p);
	fflush(stderr);
	dup2(errs, STDERR_FILENO);
	close(errs);
	CHECK(p.done == 1 && read(screen, text, sizeof(text)) < 0,
	      "not told of what is done at once");
}

int main(void)
{
	int file = mkstemp(path);

	open_all();
	test_told(file);
	test_short();
	unlink(path);
	return tap_end();
}
