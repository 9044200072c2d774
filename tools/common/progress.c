// SPDX-License-Identifier: MIT
/* Progress of a verb that reads long files, shown on a terminal */
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/progress.h"

#define PERIOD_MS	500
#define CLEAR_LINE	"\r\033[K"

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

static bool stdout_is_file(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISREG(st.st_mode);
}

void progress_begin(struct progress *p, bool prints)
{
	p->done = 0;
	p->is_shown = false;
	p->is_reported = isatty(STDERR_FILENO) && (!prints || stdout_is_file());
	p->next = now_ms() + PERIOD_MS;
}

/*
 * A file that a session still writes to may have more buffers than its header
 * states
 */
static void report(const struct progress *p)
{
	if (p->done <= p->total)
		fprintf(stderr, CLEAR_LINE "%llu of %llu buffers, %llu %%",
			p->done, p->total, p->done * 100 / p->total);
	else
		fprintf(stderr, CLEAR_LINE "%llu buffers", p->done);
	fflush(stderr);
}

void progress_step(struct progress *p)
{
	long long now;

	p->done++;
	if (!p->is_reported)
		return;
	now = now_ms();
	if (now < p->next)
		return;
	p->next = now + PERIOD_MS;
	p->is_shown = true;
	report(p);
}

void progress_end(struct progress *p)
{
	if (p->is_shown)
		fputs(CLEAR_LINE, stderr);
	p->is_shown = false;
}
