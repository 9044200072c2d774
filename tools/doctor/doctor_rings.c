// SPDX-License-Identifier: MIT
/*
 * Rings, into which threads write events without system calls: whether there are
 * any, their clock, and the processes and sessions without them
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/process.h"
#include "tools/doctor/doctor.h"
#include "tools/session/registered.h"
#include "tools/session/rings.h"
#include "tools/session/session_list.h"

#define RINGS		"rings"
#define COUNTS		"/sys/kernel/debug/evntprov/counts"
#define CLOCK_SOURCE	"/sys/devices/system/clocksource/clocksource0/"
#define MODE		"EVNTPROV_RINGS"
/* Name of arm64's counter, which is always available there; x86's is tsc */
#define ARM64_COUNTER	"arch_sys_counter"

/**
 * struct ring_use - use of rings by the processes that have registered providers
 * @rings: number of rings
 * @processes: number of processes that have some
 * @full: process that has as many as it may have, or 0
 * @without: number of processes that have registered without rings
 * @one_without: one of these
 */
struct ring_use {
	unsigned int rings;
	unsigned int processes;
	unsigned int full;
	unsigned int without;
	unsigned int one_without;
};

static int by_pid(const void *a, const void *b)
{
	const struct evntrace_registration *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Add a process by one of its registrations, which have the same flag */
static void add_process(struct ring_use *use,
			const struct evntrace_registration *r)
{
	const unsigned int count = rings_of_process(r->pid);

	use->rings += count;
	use->processes += !!count;
	if (count >= rings_max() / 2)
		use->full = r->pid;
	if (r->flags & EVNTPROV_REGISTER_RING)
		return;
	use->without++;
	use->one_without = r->pid;
}

static void find_use(struct ring_use *use, int device)
{
	struct evntrace_registration *r;
	size_t count;

	/* On an error, another check reports it, and the list is empty */
	list_registrations(device, &r, &count);
	qsort(r, count, sizeof(*r), by_pid);
	for (size_t i = 0; i < count; i++) {
		/* The kernel, and processes of other pid namespaces, have 0 */
		if (r[i].pid && (!i || r[i].pid != r[i - 1].pid))
			add_process(use, &r[i]);
	}
	free(r);
}

/* Return the number of rings in the module, or -1: only root may read it */
static long count_all(const struct doctor *d)
{
	char path[PATH_MAX], line[64];
	long count = -1;
	FILE *file = fopen(doctor_path(d, path, "%s", COUNTS), "re");

	if (!file)
		return -1;
	while (fgets(line, sizeof(line), file))
		sscanf(line, "rings %ld", &count);
	fclose(file);
	return count;
}

static void check_count(struct doctor *d, const struct ring_use *use)
{
	const unsigned int max = rings_max();
	const long all = count_all(d);
	const unsigned long count = all < 0 ? use->rings : (unsigned long)all;
	json_object *object;

	if (count < max) {
		found(&d->f, FINDING_OK, RINGS, "on: %lu of %u are in use, with"
		      " %lu KiB; a process may have %u, and so may all of a"
		      " user together", count, max, count * RING_KB, max / 2);
	} else {
		found(&d->f, FINDING_NOTE, RINGS, "on: all %u are in use, with"
		      " %lu KiB: other threads write by system calls", max,
		      count * RING_KB);
		advise(&d->f, "end idle programs, or start them with " MODE
		       "=off");
	}
	object = finding_object(&d->f);
	if (object) {
		json_add_number(object, "rings", count);
		json_add_number(object, "max_rings", max);
		json_add_number(object, "kb", count * RING_KB);
	}
}

/* Return whether a list of names, separated by blanks, contains one */
static bool has_name(const char *list, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = list; *at; at += strspn(at, " ")) {
		if (strcspn(at, " ") == len && !strncmp(at, name, len))
			return true;
		at += strcspn(at, " ");
	}
	return false;
}

static void check_clock(struct doctor *d)
{
	char is_on[8], source[64], available[256];
	const char *counter = "tsc";
	json_object *object;
	bool is_counter;

	doctor_line(d, RING_PARAMETER "_counter", is_on, sizeof(is_on));
	doctor_line(d, CLOCK_SOURCE "current_clocksource", source,
		    sizeof(source));
	doctor_line(d, CLOCK_SOURCE "available_clocksource", available,
		    sizeof(available));
	if (has_name(available, ARM64_COUNTER))
		counter = ARM64_COUNTER;
	is_counter = *is_on == 'Y' && !strcmp(source, counter);
	if (is_counter) {
		found(&d->f, FINDING_OK, RINGS, "threads read the time from the"
		      " processor's counter (%s), as the kernel does", counter);
	} else if (*is_on != 'Y') {
		found(&d->f, FINDING_NOTE, RINGS, "threads read the time by"
		      " clock_gettime(), in four times the instructions of the"
		      " processor's counter: rings_counter is off");
		advise(&d->f, "'echo Y > " RING_PARAMETER "_counter' as root");
	} else {
		found(&d->f, FINDING_NOTE, RINGS, "threads read the time by"
		      " clock_gettime(), as the kernel's clock source is %s, not"
		      " the processor's counter (%s)",
		      *source ? source : "unknown", counter);
		if (has_name(available, counter))
			advise(&d->f, "if the counter is sound, 'echo %s > "
			       CLOCK_SOURCE "current_clocksource' as root",
			       counter);
	}
	object = finding_object(&d->f);
	if (object)
		json_add_text(object, "clock",
			      is_counter ? counter : "clock_gettime");
}

static void check_environment(struct doctor *d)
{
	const char *mode = getenv(MODE);

	if (!mode)
		return;
	if (!strcmp(mode, "off")) {
		found(&d->f, FINDING_NOTE, RINGS, MODE " is off: programs that"
		      " are started from here have none");
		advise(&d->f, "'unset " MODE "'");
	} else if (!strcmp(mode, "force")) {
		found(&d->f, FINDING_OK, RINGS, MODE " is force: programs that"
		      " are started from here have them from the first event of"
		      " each thread");
	} else {
		found(&d->f, FINDING_NOTE, RINGS, MODE " is '%s', which has no"
		      " effect", mode);
		advise(&d->f, "'" MODE "=off' or '" MODE "=force' have");
	}
}

/* Report a process that has as many rings as it may have, or none */
static void check_processes(struct doctor *d, const struct ring_use *use)
{
	char name[64];

	if (use->full) {
		found(&d->f, FINDING_NOTE, RINGS, "process %u (%s) has %u, as"
		      " many as it may have: its other threads write by system"
		      " calls", use->full,
		      process_name(use->full, name, sizeof(name)),
		      rings_max() / 2);
		advise(&d->f, "have fewer threads write: rings of threads that"
		       " have ended serve others");
	}
	if (use->without) {
		found(&d->f, FINDING_NOTE, RINGS, "%u %s registered without"
		      " rings, such as process %u (%s): " MODE "=off in the"
		      " environment, or an older library", use->without,
		      use->without == 1 ? "process has" : "processes have",
		      use->one_without,
		      process_name(use->one_without, name, sizeof(name)));
		advise(&d->f, "start it without " MODE ", or with this version"
		       " of the library");
	}
}

static void check_sessions(struct doctor *d, int device)
{
	struct session_rings rings;
	struct session_list list;
	json_object *object;

	/* On an error, another check reports it, and the list is empty */
	list_sessions(device, &list);
	for (size_t i = 0; i < list.count; i++) {
		rings_of_session(device, &list.sessions[i], &rings);
		if (!*rings.why)
			continue;
		found(&d->f, FINDING_NOTE, RINGS, "'%s' has no events from"
		      " rings, and what it enables is written by system calls:"
		      " %s", list.sessions[i].name, rings.why);
		advise(&d->f, "to change that, stop it and start it again");
		object = finding_object(&d->f);
		if (object)
			json_add_text(object, "session",
				      list.sessions[i].name);
	}
	free_sessions(&list);
}

void doctor_rings(struct doctor *d, int device)
{
	struct ring_use use = {};
	char is_on[8];

	doctor_line(d, RING_PARAMETER, is_on, sizeof(is_on));
	/* An older module has none */
	if (!*is_on)
		return;
	if (*is_on != 'Y') {
		found(&d->f, FINDING_NOTE, RINGS, "off: threads write each"
		      " event by a system call");
		advise(&d->f, "'echo Y > " RING_PARAMETER "' as root turns them"
		       " on for sessions started from then on; for good, remove"
		       " 'options evntprov rings=N' from /etc/modprobe.d");
		return;
	}
	if (sysconf(_SC_PAGESIZE) > EVNTPROV_RING_SIZE) {
		found(&d->f, FINDING_NOTE, RINGS, "on, but this kernel's pages"
		      " are too large: threads write each event by a system"
		      " call");
		return;
	}
	if (device >= 0)
		find_use(&use, device);
	check_count(d, &use);
	check_clock(d);
	check_environment(d);
	check_processes(d, &use);
	if (device >= 0)
		check_sessions(d, device);
}
