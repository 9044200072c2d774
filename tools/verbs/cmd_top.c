// SPDX-License-Identifier: MIT
/* evnt top: live rates by session, CPU and provider, with losses */
#include <getopt.h>
#include <stddef.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "core/etl.h"
#include "tools/events/decode.h"
#include "tools/events/kernel_symbols.h"
#include "tools/events/process_names.h"
#include "tools/session/child.h"
#include "tools/common/options.h"
#include "tools/common/number.h"
#include "tools/top/top_print.h"
#include "tools/top/top_read.h"
#include "tools/session/control.h"

static const char about[] =
"Shows the rates of events and losses per second by session, CPU, provider and\n"
"process; of all sessions, or of the named ones.  On a terminal, the display is\n"
"updated every second, with the events of the last 60 intervals as a curve; in a\n"
"pipe, updates are printed one after another.\n\n"
"--cpu shows the CPU time of processes, threads and functions instead, from a\n"
"session with events of the kernel.\n";

static const char notes[] =
"Ctrl-C ends it.  Providers are counted in the events that sessions deliver in\n"
"real-time mode, write to log files, or keep in memory: see evnt-top(1).\n\n"
"Examples:\n"
"  evnt top\n"
"  evnt top --once --interval 10 server\n"
"  sudo evnt top --cpu\n"
"  evnt top --json | jq -c '.sessions[] | select(.lost_per_second > 0)'\n";

#define CLEAR		"\033[H\033[2J"
/* Every session may have ended and been replaced by another one */
#define MAX_READERS	(2 * EVNTRACE_MAX_SESSIONS)

/**
 * struct top - options and state of the verb
 * @interval_ms: interval in ms
 * @count: number of updates; 0: until Ctrl-C
 * @json: print JSON
 * @cpu: print CPU time
 * @cpu_session: handle of the session whose CPU time is printed, or 0
 * @use: sums of CPU time since the last update
 * @names: session names, NULL-terminated; empty: all
 * @device: descriptor of /dev/evntrace
 * @signals: signals that end the verb
 * @counts: counters by provider
 * @readers: readers of sessions
 * @reader_count: number of readers
 * @history: events per second of the latest intervals
 */
struct top {
	unsigned int interval_ms;
	ULONG count;
	bool json;
	bool cpu;
	__u64 cpu_session;
	struct cpu_use use;
	char **names;
	int device;
	struct child signals;
	struct counts counts;
	struct top_reader *readers[MAX_READERS];
	size_t reader_count;
	struct top_history history;
};

static struct top_reader *find_reader(struct top *top, __u64 handle)
{
	for (size_t i = 0; i < top->reader_count; i++) {
		if (top->readers[i]->handle == handle)
			return top->readers[i];
	}
	return NULL;
}

/* Stop reading sessions that have ended */
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

/* Return whether a session is read; for CPU time, only the first suitable one */
static bool is_wanted(struct top *top, const struct dev_session *s)
{
	if (top->cpu && !top->cpu_session &&
	    s->info.log_file_mode & EVNTRACE_MODE_SYSTEM_LOGGER) {
		top->cpu_session = s->info.handle;
		/* ProcessTrace() sorts events, files are read as they are */
		top->use.is_unordered = !(s->info.log_file_mode &
					  EVENT_TRACE_REAL_TIME_MODE);
	}
	return !top->cpu || s->info.handle == top->cpu_session;
}

/* Read the new events of all sessions */
static void read_sessions(struct top *top, const struct sample *sample,
			  bool is_first)
{
	struct top_reader *reader;

	for (size_t i = 0; i < top->reader_count; i++)
		top->readers[i]->seen = false;
	for (size_t i = 0; i < sample->count; i++) {
		const struct dev_session *s = &sample->sessions[i].session;

		if (!is_wanted(top, s))
			continue;
		reader = find_reader(top, s->info.handle);
		if (!reader && top->reader_count < MAX_READERS) {
			reader = reader_begin(&top->counts, s, !is_first);
			top->readers[top->reader_count++] = reader;
		}
		if (!reader)
			continue;
		reader->seen = true;
		reader_look(reader, top->device, s);
	}
	drop_readers(top, false);
}

/*
 * Return the sessions whose providers are counted incompletely, with the
 * reasons; the caller frees the text
 */
static char *unread_text(const struct top *top, const struct sample *sample)
{
	char *text = NULL;
	size_t size;
	FILE *to = must_have(open_memstream(&text, &size));
	const char *between = top->cpu ? "Not counted: " :
					 "Not counted by provider: ";

	for (size_t i = 0; i < top->reader_count; i++) {
		const struct top_reader *r = top->readers[i];
		const struct session_sample *s = sample_find(sample, r->handle);
		const char *why = r->why;

		if (!why && r->is_gap)
			why = "it keeps less than an interval's events: use a"
			      " shorter --interval, or more buffers";
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
	const struct event_count *x = a, *y = b;
	const bool x_is_provider = x->pid == NO_PROCESS;
	const bool y_is_provider = y->pid == NO_PROCESS;

	if (x_is_provider != y_is_provider)
		return x_is_provider ? -1 : 1;
	return x->events < y->events ? 1 : x->events > y->events ? -1 : 0;
}

/* Set the lines and columns available */
static void set_size(struct top_view *view)
{
	struct winsize size = { 0 };

	if (!isatty(STDOUT_FILENO))
		return;
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	view->rows = size.ws_row < 2 ? 24 : size.ws_row - 1;
	view->columns = size.ws_col ? size.ws_col : 80;
}

/* Print the CPU time since the last update */
static void show_cpu(struct top *top, const struct top_view *view)
{
	pthread_mutex_lock(&top->counts.lock);
	cpu_find_running(&top->use);
	cpu_finish(&top->use);
	if (top->json)
		cpu_print_json(&top->use);
	else
		top_print_cpu(view, &top->use);
	cpu_restart(&top->use);
	pthread_mutex_unlock(&top->counts.lock);
}

static void show(struct top *top, const struct sample *before,
		 const struct sample *now, bool is_first)
{
	struct top_view view = { .before = before, .now = now };
	struct event_count *providers;
	size_t count;
	char *unread;

	set_size(&view);
	providers = counts_take(&top->counts, &count);
	if (view.rows)
		view.history = &top->history;
	qsort(providers, count, sizeof(*providers), by_events);
	while (view.provider_count < count &&
	       providers[view.provider_count].pid == NO_PROCESS)
		view.provider_count++;
	view.process_count = count - view.provider_count;
	unread = unread_text(top, now);
	view.providers = providers;
	view.unread = unread;
	if (!top->json && view.rows)
		fputs(CLEAR, stdout);
	else if (!top->json && !is_first)
		putchar('\n');
	if (top->cpu)
		show_cpu(top, &view);
	else if (top->json)
		top_print_json(&view);
	else
		top_print_text(&view);
	fflush(stdout);
	free(unread);
	counts_taken_free(providers, count);
}

static int watch(struct top *top)
{
	struct sample before = { 0 }, now = { 0 };
	ULONG shown = 0;
	int error;

	error = sample_take(&before, top->device, top->names);
	if (!error)
		read_sessions(top, &before, true);
	if (!error && top->cpu && !top->cpu_session)
		error = failed("no session has events of the kernel: 'evnt record"
			       " --system cpu' starts one");
	while (!error && (!top->count || shown < top->count)) {
		child_wait(&top->signals, top->interval_ms);
		if (top->signals.interrupted || ferror(stdout))
			break;
		error = sample_take(&now, top->device, top->names);
		if (error)
			break;
		read_sessions(top, &now, false);
		show(top, &before, &now, !shown++);
		sample_free(&before);
		before = now;
		now = (struct sample) { 0 };
		if (top->cpu ? !top->reader_count :
			       *top->names && !before.count) {
			note("the sessions have ended");
			break;
		}
	}
	sample_free(&before);
	sample_free(&now);
	return error;
}

static int take_interval(const struct option_value *v)
{
	unsigned int *interval_ms = v->field;
	char *end;
	double seconds = strtod(v->text, &end);

	if (end == v->text || *end || !(seconds >= 0.1 && seconds <= 3600))
		return usage_error(v->verb,
				   "--interval takes 0.1 to 3600 seconds,"
				   " not '%s'",
				   v->text);
	*interval_ms = seconds * 1000;
	return EVNT_DONE;
}

/* --count, and --once */
static int take_updates(const struct option_value *v)
{
	ULONG *count = v->field;

	*count = 1;
	if (!v->text || parse_count(v->text, 1, UINT32_MAX, count))
		return EVNT_DONE;
	return usage_error(v->verb, "--count takes a number from 1, not '%s'",
			   v->text);
}

static int run(int argc, char **argv)
{
	struct top top = { .interval_ms = 1000 };
	struct timespec now, up;
	struct dev_session session;
	int error = parse_options(&top_verb, argc, argv, &top);

	if (error)
		return error;
	top.names = argv + optind;
	top.device = dev_open();
	if (top.device < 0)
		return EVNT_FAILED;
	/* All named sessions must exist at the start */
	for (char **name = top.names; *name && !error; name++)
		error = find_session(top.device, *name, &session);
	if (error)
		goto close_device;
	child_block_signals();
	/* Buffer each update as a whole to avoid flicker */
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	counts_init(&top.counts);
	if (top.cpu) {
		top.counts.cpu = &top.use;
		clock_gettime(CLOCK_REALTIME, &now);
		clock_gettime(CLOCK_BOOTTIME, &up);
		kernel_symbols_use(ETL_FILETIME_EPOCH +
				   (now.tv_sec - up.tv_sec) * 10000000ll);
	}
	error = watch(&top);
	drop_readers(&top, true);
	counts_free(&top.counts);
	cpu_free(&top.use);
	kernel_symbols_free();
	decode_free();
	error = end_output(error);
close_device:
	close(top.device);
	return error;
}

#define AT(field)	offsetof(struct top, field)

static const struct option_row options[] = {
	OPTION_ROW("interval", 0, "SECONDS",
		   "time between updates, 0.1 to 3600; default: 1", AT(interval_ms),
		   take_interval),
	OPTION_ROW("count", 0, "N", "end after N updates", AT(count), take_updates),
	OPTION_ROW("once", 0, NULL, "the same as --count 1", AT(count), take_updates),
	OPTION_ROW("cpu", 0, NULL,
		   "print the CPU time of processes, threads and functions", AT(cpu)),
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per line; see evnt-top(1) for its keys",
		   AT(json)),
	HELP_ROW,
	{}
};

const struct verb top_verb = {
	.name = "top",
	.summary = "show live rates of events and losses",
	.synopsis = "[SESSION...] [OPTION...]",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "SESSION" },
	.run = run,
};
