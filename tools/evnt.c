// SPDX-License-Identifier: MIT
/* evnt: the table of verbs, and the options without a verb */
#include <stdio.h>
#include <string.h>

#include "tools/evnt.h"
#include "tools/common/options.h"
#include "tools/session/complete.h"

static const struct verb *const verbs[] = {
	&record_verb,
	&start_verb,
	&stop_verb,
	&query_verb,
	&update_verb,
	&flush_verb,
	&snapshot_verb,
	&enable_verb,
	&disable_verb,
	&capture_state_verb,
	&sessions_verb,
	&clean_verb,
	&providers_verb,
	&access_verb,
	&autologger_verb,
	&tail_verb,
	&dump_verb,
	&stat_verb,
	&activities_verb,
	&export_verb,
	&merge_verb,
	&top_verb,
	&doctor_verb,
};

#define VERBS	(sizeof(verbs) / sizeof(verbs[0]))

static void print_overview(FILE *to)
{
	fputs("Usage: evnt VERB [ARGUMENT...]\n"
	      "Records events as Event Tracing for Windows does, and reads"
	      " them.\n\n", to);
	for (size_t i = 0; i < VERBS; i++)
		fprintf(to, "  %-13s %s\n", verbs[i]->name, verbs[i]->summary);
	fputs("  help          show the help of a verb: evnt help VERB\n\n"
	      "  --version     print the version\n\n"
	      "Example: evnt record -p '*Evntprov-Sample' -o sample.etl --"
	      " evnt-sample\n"
	      "         evnt dump sample.etl\n", to);
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < VERBS; i++) {
		if (!strcmp(verbs[i]->name, name))
			return verbs[i];
	}
	return NULL;
}

static int unknown_verb(const char *name)
{
	fprintf(stderr, "evnt: there is no verb '%s'; 'evnt help' lists them\n",
		name);
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
		complete_word(verbs[i]->name, verbs[i]->summary);
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
