// SPDX-License-Identifier: MIT
/* evnt: the table of verbs, and the options without a verb */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/common/options.h"
#include "tools/common/suggest.h"
#include "tools/session/complete.h"

/**
 * struct listed - a verb in the overview
 * @verb: the verb
 * @group: title of the group that begins with it, or NULL
 * @is_first: a verb of the first hour
 */
static const struct listed {
	const struct verb *verb;
	const char *group;
	bool is_first;
} verbs[] = {
	{ .verb = &record_verb, .group = "Recording", .is_first = true },
	{ .verb = &start_verb },
	{ .verb = &stop_verb },
	{ .verb = &update_verb },
	{ .verb = &flush_verb },
	{ .verb = &snapshot_verb },
	{ .verb = &autologger_verb },
	{ .verb = &providers_verb, .group = "Providers", .is_first = true },
	{ .verb = &enable_verb },
	{ .verb = &disable_verb },
	{ .verb = &capture_state_verb },
	{ .verb = &access_verb },
	{ .verb = &tail_verb, .group = "Events", .is_first = true },
	{ .verb = &dump_verb, .is_first = true },
	{ .verb = &activities_verb, .is_first = true },
	{ .verb = &stat_verb },
	{ .verb = &cpu_verb },
	{ .verb = &why_verb },
	{ .verb = &export_verb },
	{ .verb = &report_verb },
	{ .verb = &merge_verb },
	{ .verb = &top_verb, .group = "State", .is_first = true },
	{ .verb = &doctor_verb, .is_first = true },
	{ .verb = &sessions_verb },
	{ .verb = &query_verb },
	{ .verb = &clean_verb },
};

#define VERBS	(sizeof(verbs) / sizeof(verbs[0]))

static void print_verb(FILE *to, const struct verb *verb)
{
	fprintf(to, "  %-13s %s\n", verb->name, verb->summary);
}

/* Print an overview for a terminal of 24 lines */
static void print_overview(FILE *to)
{
	fputs("Usage: evnt VERB [ARGUMENT...]\n"
	      "Records events as Event Tracing for Windows does, and reads"
	      " them.\n\n", to);
	for (size_t i = 0; i < VERBS; i++) {
		if (verbs[i].is_first)
			print_verb(to, verbs[i].verb);
	}
	fputs("\nAll verbs:", to);
	for (size_t i = 0; i < VERBS; i++) {
		if (verbs[i].group)
			fprintf(to, "\n  %-10s", verbs[i].group);
		fprintf(to, " %s", verbs[i].verb->name);
	}
	fputs(" help\n\n"
	      "'evnt help VERB' explains a verb; 'evnt help all' has a line for"
	      " each.\n"
	      "'evnt --version' prints the version.\n\n"
	      "Example: evnt record -p '*Evntprov-Sample' -o sample.etl --"
	      " evnt-sample\n"
	      "         evnt dump sample.etl\n", to);
}

static void print_all(void)
{
	for (size_t i = 0; i < VERBS; i++) {
		if (verbs[i].group)
			printf("%s%s:\n", i ? "\n" : "", verbs[i].group);
		print_verb(stdout, verbs[i].verb);
	}
	puts("  help          show the help of a verb: evnt help VERB");
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < VERBS; i++) {
		if (!strcmp(verbs[i].verb->name, name))
			return verbs[i].verb;
	}
	return NULL;
}

static int unknown_verb(const char *name)
{
	struct suggest suggest;

	suggest_begin(&suggest, name);
	for (size_t i = 0; i < VERBS && *name; i++)
		suggest_look_at(&suggest, verbs[i].verb->name);
	suggest_end(&suggest);
	if (suggest.found)
		failed("there is no verb '%s': did you mean %s?", name,
		       suggest.text);
	else
		failed("there is no verb '%s'; 'evnt help' lists them", name);
	free(suggest.text);
	return EVNT_USAGE;
}

static bool is_help(const char *text)
{
	return !strcmp(text, "help") || !strcmp(text, "--help") ||
	       !strcmp(text, "-h");
}

static int help(const char *name)
{
	const struct verb *verb;

	if (!name || is_help(name)) {
		print_overview(stdout);
		return end_output(EVNT_DONE);
	}
	if (!strcmp(name, "all")) {
		print_all();
		return end_output(EVNT_DONE);
	}
	verb = find_verb(name);
	return verb ? print_help(verb) : unknown_verb(name);
}

/* Complete the last of @words */
static int complete(int count, char **words)
{
	const struct verb *verb;

	if (count > 1 && !is_help(words[0])) {
		verb = find_verb(words[0]);
		if (verb)
			complete_verb(verb, count, words);
		return end_output(EVNT_DONE);
	}
	for (size_t i = 0; i < VERBS; i++)
		complete_word(verbs[i].verb->name, verbs[i].verb->summary);
	complete_word("help", "print the help of a verb");
	if (count == 1)
		complete_word("--version", "print the version");
	return end_output(EVNT_DONE);
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
	char title[64];

	/* getopt_long() prefixes its messages with argv[0] */
	snprintf(title, sizeof(title), "evnt %s", verb->name);
	argv[0] = title;
	return verb->run(argc, argv);
}

int main(int argc, char **argv)
{
	const struct verb *verb;

	start_program();
	if (autologger_is_helper(argv[0]))
		return autologger_help_out();
	if (argc < 2) {
		print_overview(stderr);
		return EVNT_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("evnt " EVNT_VERSION);
		return end_output(EVNT_DONE);
	}
	if (is_help(argv[1]))
		return help(argv[2]);
	if (!strcmp(argv[1], "--complete") && argc > 2)
		return complete(argc - 2, argv + 2);
	verb = find_verb(argv[1]);
	if (!verb)
		return unknown_verb(argv[1]);
	return run_verb(verb, argc - 1, argv + 1);
}
