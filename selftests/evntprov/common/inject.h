/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's fault injection for tests: the n-th step that can fail in a
 * task's next system call does fail.
 *
 * There are three injectors: slab objects, pages, and copies between user and
 * kernel memory.  They share one count.  Each reports how many faults it has
 * left, which shows the one that fired.
 */
#ifndef EVNT_TEST_INJECT_H
#define EVNT_TEST_INJECT_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INJECT_ROOT	"/sys/kernel/debug"

enum inject_kind { INJECT_SLAB, INJECT_PAGE, INJECT_COPY, INJECT_KINDS };

static const char *const inject_names[INJECT_KINDS] = {
	"slab", "page", "copy",
};

static const char *const inject_times[INJECT_KINDS] = {
	INJECT_ROOT "/failslab/times",
	INJECT_ROOT "/fail_page_alloc/times",
	INJECT_ROOT "/fail_usercopy/times",
};

/*
 * Fail allocations that may sleep, pages of any order, and pages for vmalloc
 * and tmpfs.  Log none: a stack trace would fail the run.
 */
static const struct {
	const char *path;
	const char *value;
} inject_settings[] = {
	{ INJECT_ROOT "/failslab/verbose", "0" },
	{ INJECT_ROOT "/failslab/probability", "0" },
	{ INJECT_ROOT "/failslab/ignore-gfp-wait", "N" },
	{ INJECT_ROOT "/failslab/cache-filter", "N" },
	{ INJECT_ROOT "/fail_page_alloc/verbose", "0" },
	{ INJECT_ROOT "/fail_page_alloc/probability", "0" },
	{ INJECT_ROOT "/fail_page_alloc/ignore-gfp-wait", "N" },
	{ INJECT_ROOT "/fail_page_alloc/ignore-gfp-highmem", "N" },
	{ INJECT_ROOT "/fail_page_alloc/min-order", "0" },
	{ INJECT_ROOT "/fail_usercopy/verbose", "0" },
	{ INJECT_ROOT "/fail_usercopy/probability", "0" },
	/* Larger than any number of faults: the kernel counts down only then */
	{ INJECT_ROOT "/failslab/times", "1000000000" },
	{ INJECT_ROOT "/fail_page_alloc/times", "1000000000" },
	{ INJECT_ROOT "/fail_usercopy/times", "1000000000" },
	/* A thousand sessions are stopped, each with a grace period */
	{ "/sys/kernel/rcu_expedited", "1" },
};

#define INJECT_SETTINGS	(sizeof(inject_settings) / sizeof(*inject_settings))

/**
 * struct injector - state of fault injection
 * @saved: previous values of the settings
 * @left: faults that each kind has left
 * @nth: the fail-nth file of this thread
 */
struct injector {
	char saved[INJECT_SETTINGS][32];
	long left[INJECT_KINDS];
	int nth;
};

static inline bool inject_put(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = write(fd, value, strlen(value));
	close(fd);
	return n == (ssize_t)strlen(value);
}

static inline bool inject_get(const char *path, char *value, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, value, size - 1);
	close(fd);
	value[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Reason why injection is not available to this user, or NULL */
static inline const char *inject_missing(void)
{
	unsigned int i;

	if (access("/proc/thread-self/fail-nth", W_OK))
		return "this kernel has no fault injection";
	for (i = 0; i < INJECT_SETTINGS; i++) {
		if (access(inject_settings[i].path, W_OK))
			return "fault injection lacks a kind, or debugfs";
	}
	return NULL;
}

/* Reopen the file for each read: it cannot be read twice */
static inline long inject_left(int kind)
{
	char text[32];

	if (!inject_get(inject_times[kind], text, sizeof(text)))
		return -1;
	return strtol(text, NULL, 10);
}

static inline bool inject_open(struct injector *in)
{
	bool ok = true;
	unsigned int i;

	for (i = 0; i < INJECT_SETTINGS; i++) {
		const char *path = inject_settings[i].path;

		ok &= inject_get(path, in->saved[i], sizeof(in->saved[i]));
		ok &= inject_put(path, inject_settings[i].value);
	}
	for (i = 0; i < INJECT_KINDS; i++) {
		in->left[i] = inject_left(i);
		ok &= in->left[i] > 0;
	}
	in->nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	return ok && in->nth >= 0;
}

static inline void inject_close(struct injector *in)
{
	unsigned int i;

	close(in->nth);
	for (i = 0; i < INJECT_SETTINGS; i++)
		inject_put(inject_settings[i].path, in->saved[i]);
}

/* Open the fail-nth file of another task */
static inline int inject_task(unsigned int tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/fail-nth", tid);
	return open(path, O_RDWR | O_CLOEXEC);
}

static inline bool inject_arm(int nth, unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	return pwrite(nth, text, len, 0) == len;
}

/*
 * Disarm the injectors.  Returns the kind that fired since inject_arm(), or -1
 * for none.  If the fault hits this write itself, the tested call had fewer
 * points.
 */
static inline int inject_disarm(struct injector *in, int nth)
{
	bool late = pwrite(nth, "0", 1, 0) != 1;
	int i, kind = -1;

	for (i = 0; i < INJECT_KINDS; i++) {
		long left = inject_left(i);

		if (left != in->left[i] && !late)
			kind = i;
		in->left[i] = left;
	}
	return kind;
}

#endif /* EVNT_TEST_INJECT_H */
