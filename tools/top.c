// SPDX-License-Identifier: MIT
/* evnt top: live rates by session, CPU and provider, with losses. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "child.h"
#include "evnt.h"
#include "number.h"
#include "top_print.h"
#include "top_read.h"
#include "trace_door.h"

static const char help[] =
"Usage: evnt top [SESSION...] [OPTION...]\n"
"Shows how many events a second come, and are lost: by session, by CPU, and by\n"
"provider; of all sessions, or of those that are named.  On a terminal it shows\n"
"them anew each second; in a pipe it prints one block after another.\n\n"
"  --interval SECONDS  how often, 0.1 to 3600; default: 1\n"
"  --count N           end after so many\n"
"  --once              end after one: --count 1\n"
"  --json              an object of JSON a line; see evnt-top(1) for its keys\n"
"  -h, --help          print this\n\n"
"Ctrl-C ends it.  Providers are counted in what sessions hand out in real-time\n"
"mode, write to log files, or keep in memory: evnt-top(1) says more.\n\n"
"Examples:\n"
"  evnt top\n"
"  evnt top --once --interval 10 server\n"
"  evnt top --json | jq -c '.sessions[] | select(.lost_per_second > 0)'\n";

#define CLEAR		"\033[H\033[2J"
/* A session may have ended, and another have begun */
#define MAX_READERS	(2 * EVNTRACE_MAX_SESSIONS)

/**
 * struct top - what the user wants, and what is known
 * @interval_ms: how often
 * @count: how many times, or 0: until Ctrl-C
 * @json: as JSON
 * @names: of sessions, which ends with NULL; none: all
 * @door: /dev/evntrace
 * @signals: end it
 * @counts: of providers
 * @readers: of sessions
 * @reader_count: how many
 */
struct top {
	unsigned int interval_ms;
	ULONG count;
	bool json;
	char **names;
	int door;
	struct child signals;
	struct counts counts;
	struct reader *readers[MAX_READERS];
	size_t reader_count;
};

static struct reader *find_reader(struct top *top, __u64 handle)
{
	for (size_t i = 0; i < top->reader_count; i++) {
		if (top->readers[i]->handle == handle)
			return top->readers[i];
	}
	return NULL;
}

/* What has ended is read no more */
static void drop_readers(struct top *top, bool all)
{
	size_t kept = 0;

	for (size_t i = 0; i < top->reader_count; i++) {
		if (!all && top->readers[i]->seen)
			top->readers[kept++] = top->readers[i];
		else
			reader_end(top->readers[i]);
	}
	top->reader_count = kept;
}

/* Reads what is new of all sessions */
static void read_sessions(struct top *top, const struct sample *sample,
			  bool is_first)
{
	struct reader *reader;

	for (size_t i = 0; i < top->reader_count; i++)
		top->readers[i]->seen = false;
	for (size_t i = 0; i < sample->count; i++) {
		const struct door_session *s = &sample->sessions[i].session;

		reader = find_reader(top, s->info.handle);
		if (!reader && top->reader_count < MAX_READERS) {
			reader = reader_begin(&top->counts, s, !is_first);
			top->readers[top->reader_count++] = reader;
		}
		if (!reader)
			continue;
		reader->seen = true;
		reader_look(reader, top->door, s);
	}
	drop_readers(top, false);
}

/* Why a session's providers are not counted, or not all of their events; or NULL */
static const char *missing_of(const struct reader *r)
{
	if (r->why)
		return r->why;
	return r->is_gap ? "it has room for less than an interval's events: a"
			   " shorter --interval, or more room, has them" : NULL;
}

/* Whose providers are not counted, or not all of them, and why; to be freed */
static char *unread_text(const struct top *top, const struct sample *sample)
{
	char *text = NULL;
	size_t size;
	FILE *to = must_have(open_memstream(&text, &size));
	const char *between = "Not counted by provider: ";

	for (size_t i = 0; i < top->reader_count; i++) {
		const struct reader *r = top->readers[i];
		const struct session_sample *s = sample_find(sample, r->handle);
		const char *why = missing_of(r);

		if (!why || !s)
			continue;
		fprintf(to, "%s%s'%s', as %s", between,
			r->why ? "" : "all of ", s->session.name, why);
		between = "; ";
	}
	fclose(to);
	return must_have(text);
}

static int by_events(const void *a, const void *b)
{
	const struct provider_count *x = a, *y = b;

	return x->events < y->events ? 1 : x->events > y->events ? -1 : 0;
}

static size_t terminal_rows(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_row < 2)
		return 24;
	return size.ws_row - 1;
}

static void show(struct top *top, const struct sample *before,
		 const struct sample *now, bool is_first)
{
	struct top_view view = {
		.before = before, .now = now, .rows = terminal_rows(),
	};
	struct provider_count *providers;
	char *unread;

	providers = counts_take(&top->counts, &view.provider_count);
	qsort(providers, view.provider_count, sizeof(*providers), by_events);
	unread = unread_text(top, now);
	view.providers = providers;
	view.unread = unread;
	if (top->json) {
		top_print_json(&view);
	} else {
		if (view.rows)
			fputs(CLEAR, stdout);
		else if (!is_first)
			putchar('\n');
		top_print_text(&view);
	}
	fflush(stdout);
	free(unread);
	free(providers);
}

/* Whether to go on: nobody has asked to end, and somebody reads on */
static bool wait_interval(struct top *top)
{
	child_wait(&top->signals, top->interval_ms);
	return !top->signals.interrupted && !ferror(stdout);
}

/* All that are named are there in the beginning */
static int check_names(const struct top *top)
{
	struct door_session session;
	int error = EVNT_DONE;

	for (char **name = top->names; *name && !error; name++)
		error = find_session(top->door, *name, &session);
	return error;
}

static int watch(struct top *top)
{
	struct sample before = { 0 }, now = { 0 };
	ULONG shown = 0;
	int error;

	error = sample_take(&before, top->door, top->names);
	if (!error)
		read_sessions(top, &before, true);
	while (!error && (!top->count || shown < top->count) &&
	       wait_interval(top)) {
		error = sample_take(&now, top->door, top->names);
		if (error)
			break;
		read_sessions(top, &now, false);
		show(top, &before, &now, !shown++);
		sample_free(&before);
		before = now;
		now = (struct sample) { 0 };
		if (*top->names && !before.count) {
			note("the sessions have ended");
			break;
		}
	}
	sample_free(&before);
	sample_free(&now);
	return error;
}

static int run_top(struct top *top)
{
	int error = check_names(top);

	if (error)
		return error;
	child_block_signals();
	/* A block in one piece does not flicker */
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	counts_init(&top->counts);
	error = watch(top);
	drop_readers(top, true);
	counts_free(&top->counts);
	return end_output(error);
}

static int take_interval(struct top *top, const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= 0.1 && seconds <= 3600))
		return misused(&top_verb, "--interval takes 0.1 to 3600 seconds,"
			       " not '%s'", text);
	top->interval_ms = seconds * 1000;
	return EVNT_DONE;
}

static int take_option(struct top *top, int c)
{
	switch (c) {
	case 'i':
		return take_interval(top, optarg);
	case 'c':
		if (!parse_count(optarg, 1, UINT32_MAX, &top->count))
			return misused(&top_verb, "--count takes a number from"
				       " 1, not '%s'", optarg);
		return EVNT_DONE;
	case 'o':
		top->count = 1;
		return EVNT_DONE;
	case 'j':
		top->json = true;
		return EVNT_DONE;
	}
	return EVNT_MISUSED;
}

static int parse_arguments(struct top *top, int argc, char **argv)
{
	static const struct option options[] = {
		{ "interval", required_argument, NULL, 'i' },
		{ "count", required_argument, NULL, 'c' },
		{ "once", no_argument, NULL, 'o' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, error;

	while ((c = next_option(&top_verb, argc, argv, "h",
				options)) != -1) {
		if (c == 'h')
			exit(print_help(&top_verb));
		error = take_option(top, c);
		if (error)
			return error;
	}
	top->names = argv + optind;
	return EVNT_DONE;
}

static int run(int argc, char **argv)
{
	struct top top = { .interval_ms = 1000 };
	int error = parse_arguments(&top, argc, argv);

	if (error)
		return error;
	top.door = door_open();
	if (top.door < 0)
		return EVNT_FAILED;
	error = run_top(&top);
	close(top.door);
	return error;
}

const struct verb top_verb = {
	.name = "top",
	.summary = "show rates of events and losses, live",
	.help = help,
	.run = run,
};
