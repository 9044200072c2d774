// SPDX-License-Identifier: MIT
/* logman: parses the command lines of Windows' logman */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/logman/logman.h"
#include "tools/session/complete.h"
#include "tools/session/mode.h"
#include "tools/common/number.h"

/**
 * struct argument_reader - state of parsing a command line
 * @logman: result
 * @next: next argument
 * @option: current option, for messages
 * @negated: the option begins with two hyphens
 * @named: the name was given
 */
struct argument_reader {
	struct logman *logman;
	char **next;
	const char *option;
	bool negated;
	bool named;
};

/* Return whether an argument is an option */
static bool is_option(const char *text)
{
	return text && text[0] == '-' && text[1];
}

static bool has_value(const struct argument_reader *reader)
{
	return *reader->next && !is_option(*reader->next);
}

static int bad(const struct argument_reader *reader, const char *what)
{
	const char *value = *reader->next;

	return logman_error(LOGMAN_BAD_ARGUMENT, "%s: %s%s%s%s", reader->option,
			    what, value ? ", not '" : "", value ? value : "",
			    value ? "'" : "");
}

static int take_name(struct argument_reader *reader)
{
	struct collector *set = &reader->logman->set;

	if (!has_value(reader) || !**reader->next ||
	    strlen(*reader->next) >= COLLECTOR_NAME)
		return bad(reader, "a name is needed, of less than 256 bytes");
	snprintf(set->name, COLLECTOR_NAME, "%s", *reader->next++);
	reader->named = true;
	return EVNT_DONE;
}

static int take_logger(struct argument_reader *reader)
{
	struct collector *set = &reader->logman->set;

	if (!has_value(reader) || strlen(*reader->next) >= COLLECTOR_NAME)
		return bad(reader, "a name is needed, of less than 256 bytes");
	snprintf(set->request, COLLECTOR_NAME, "%s", *reader->next++);
	return EVNT_DONE;
}

static int take_ets(struct argument_reader *reader)
{
	reader->logman->ets = true;
	return EVNT_DONE;
}

static int take_flush(struct argument_reader *reader)
{
	reader->logman->flush = true;
	return EVNT_DONE;
}

static bool is_number(const char *text)
{
	ULONGLONG number;

	return text && parse_number(text, strlen(text), &number);
}

static int keep_provider(const struct argument_reader *reader,
			 struct spec_list *to, const struct spec *spec)
{
	if (spec_add(to, spec))
		return EVNT_DONE;
	return logman_error(LOGMAN_WIN32(ERROR_NOT_ENOUGH_MEMORY), "%s",
			    reader->option);
}

/*
 * Add a provider with optional KEYWORDS and LEVEL, which may be empty; a
 * provider without keywords is enabled with all
 */
static int add_provider(struct argument_reader *reader, struct spec_list *to,
			const char *provider, const char *keywords,
			const char *level)
{
	struct spec spec = { .level = 0 };
	char why[512];

	if (!spec_provider(provider, &spec, why, sizeof(why)))
		return logman_error(LOGMAN_BAD_ARGUMENT, "%s: %s",
				    reader->option, why);
	if (keywords && *keywords &&
	    !parse_number(keywords, strlen(keywords), &spec.keywords))
		return logman_error(LOGMAN_BAD_ARGUMENT, "%s: keywords are a"
				    " number, not '%s': their names are not"
				    " known here", reader->option, keywords);
	if (level && *level && !spec_level(level, &spec.level))
		return logman_error(LOGMAN_BAD_ARGUMENT, "%s: a level is 0 to"
				    " 255 or a name, not '%s'", reader->option,
				    level);
	spec_remove(to, &spec);
	return keep_provider(reader, to, &spec);
}

static int take_provider(struct argument_reader *reader)
{
	const char *provider, *keywords = NULL, *level = NULL;
	struct logman *logman = reader->logman;
	struct spec spec = { .level = 0 };
	char why[512];

	if (!has_value(reader))
		return bad(reader, "a provider is needed");
	provider = *reader->next++;
	/*
	 * Without a name so far, a word after -p's provider is the set's name
	 */
	if (has_value(reader) &&
	    (!**reader->next || is_number(*reader->next) || reader->named)) {
		keywords = *reader->next++;
		if (has_value(reader))
			level = *reader->next++;
	}
	if (!reader->negated)
		return add_provider(reader, &logman->set.options.specs,
				    provider, keywords, level);
	if (!spec_provider(provider, &spec, why, sizeof(why)))
		return logman_error(LOGMAN_BAD_ARGUMENT, "%s: %s",
				    reader->option, why);
	spec_remove(&logman->set.options.specs, &spec);
	return keep_provider(reader, &logman->removed, &spec);
}

/* Return the next word of a line, quoted or not; NULL at its end */
static char *next_word(char **line)
{
	char *start = *line + strspn(*line, " \t\r\n"), *end;

	if (!*start || *start == ';' || *start == '#')
		return NULL;
	if (*start == '"') {
		start++;
		end = start + strcspn(start, "\"\r\n");
	} else {
		end = start + strcspn(start, " \t\r\n");
	}
	*line = end + (*end != '\0');
	*end = '\0';
	return start;
}

static int take_line(struct argument_reader *reader, char *line)
{
	const char *provider = next_word(&line), *keywords, *level;

	if (!provider)
		return EVNT_DONE;
	keywords = next_word(&line);
	level = keywords ? next_word(&line) : NULL;
	return add_provider(reader, &reader->logman->set.options.specs,
			    provider, keywords, level);
}

static int take_provider_file(struct argument_reader *reader)
{
	char *line = NULL;
	size_t size = 0;
	int error = EVNT_DONE;
	FILE *file;

	if (!has_value(reader))
		return bad(reader, "a file is needed");
	file = fopen(*reader->next, "re");
	if (!file)
		return logman_error(LOGMAN_WIN32(ERROR_FILE_NOT_FOUND),
				    "%s: %s", *reader->next, strerror(errno));
	reader->next++;
	while (!error && getline(&line, &size, file) >= 0)
		error = take_line(reader, line);
	free(line);
	fclose(file);
	return error;
}

/*
 * Take the log file's name, and append .etl if it has no extension, as Windows'
 * logman does
 */
static int take_output(struct argument_reader *reader)
{
	char *whole = NULL;
	const char *base;

	if (!has_value(reader) || !**reader->next)
		return bad(reader, "a file is needed");
	base = strrchr(*reader->next, '/');
	base = base ? base + 1 : *reader->next;
	if (asprintf(&whole, "%s%s", *reader->next,
		     strchr(base, '.') ? "" : ".etl") < 0)
		whole = NULL;
	collector_set_file(&reader->logman->set, must_have(whole));
	free(whole);
	reader->logman->has_file = true;
	reader->next++;
	return EVNT_DONE;
}

static int take_format(struct argument_reader *reader)
{
	ULONG *mode = &reader->logman->set.options.mode;

	if (has_value(reader) && !strcasecmp(*reader->next, "bincirc"))
		*mode |= EVENT_TRACE_FILE_MODE_CIRCULAR;
	else if (has_value(reader) && !strcasecmp(*reader->next, "bin"))
		*mode &= ~EVENT_TRACE_FILE_MODE_CIRCULAR;
	else
		return bad(reader, "the format is bin or bincirc");
	reader->next++;
	return EVNT_DONE;
}

static int take_mode(struct argument_reader *reader)
{
	if (!has_value(reader) ||
	    !mode_parse(*reader->next, &reader->logman->set.options.mode))
		return bad(reader, "modes are names joined by commas, or a"
			   " number");
	reader->next++;
	return EVNT_DONE;
}

static int take_clock(struct argument_reader *reader)
{
	if (!has_value(reader) ||
	    !clock_parse(*reader->next, &reader->logman->set.options.clock))
		return bad(reader, "the clock is perf, system or cycle");
	reader->next++;
	return EVNT_DONE;
}

static int take_number(struct argument_reader *reader, ULONG least, ULONG most,
		       const char *what, ULONG *to)
{
	if (!has_value(reader) || !parse_count(*reader->next, least, most, to))
		return bad(reader, what);
	reader->next++;
	return EVNT_DONE;
}

static int take_buffer_size(struct argument_reader *reader)
{
	return take_number(reader, 4, 16384, "a size of 4 to 16384 KB is needed",
			   &reader->logman->set.options.buffer_kb);
}

static int take_buffers(struct argument_reader *reader)
{
	struct session_options *options = &reader->logman->set.options;
	static const char what[] = "two numbers from 1 to 65536 are needed";
	int error;

	error = take_number(reader, 1, 65536, what, &options->min_buffers);
	if (!error)
		error = take_number(reader, 1, 65536, what,
				    &options->max_buffers);
	if (!error && options->max_buffers < options->min_buffers)
		error = logman_error(LOGMAN_BAD_ARGUMENT, "%s: the second"
				     " number is less than the first",
				     reader->option);
	return error;
}

static int take_max(struct argument_reader *reader)
{
	if (reader->negated) {
		reader->logman->set.options.max_mb = 0;
		return EVNT_DONE;
	}
	return take_number(reader, 1, 1000000,
			   "a size of 1 to 1000000 MB is needed",
			   &reader->logman->set.options.max_mb);
}

/* Parse [[hh:]mm:]ss into seconds */
static bool parse_time(const char *text, ULONG *seconds)
{
	ULONG part, sum = 0;
	char *end;

	for (int i = 0; i < 3; i++) {
		if (*text < '0' || *text > '9')
			return false;
		part = strtoul(text, &end, 10);
		if (part > 86400 || end - text > 5)
			return false;
		sum = sum * 60 + part;
		if (!*end) {
			*seconds = sum;
			return sum <= 86400;
		}
		if (*end != ':')
			return false;
		text = end + 1;
	}
	return false;
}

static int take_flush_timer(struct argument_reader *reader)
{
	if (!has_value(reader) ||
	    !parse_time(*reader->next, &reader->logman->set.options.flush))
		return bad(reader, "a time [[hh:]mm:]ss up to a day is needed");
	reader->next++;
	reader->logman->has_flush_timer = true;
	return EVNT_DONE;
}

static void set_mode(struct argument_reader *reader, ULONG flag)
{
	ULONG *mode = &reader->logman->set.options.mode;

	*mode = reader->negated ? *mode & ~flag : *mode | flag;
}

static int take_real_time(struct argument_reader *reader)
{
	set_mode(reader, EVENT_TRACE_REAL_TIME_MODE);
	reader->logman->has_real_time = true;
	return EVNT_DONE;
}

static int take_append(struct argument_reader *reader)
{
	set_mode(reader, EVENT_TRACE_FILE_MODE_APPEND);
	return EVNT_DONE;
}

static int take_overwrite(struct argument_reader *reader)
{
	reader->logman->set.overwrite = !reader->negated;
	return EVNT_DONE;
}

/* The time after which a file ends may be 0: none */
static int take_new_file(struct argument_reader *reader)
{
	ULONG seconds;

	if (has_value(reader)) {
		if (!parse_time(*reader->next, &seconds) || seconds)
			return logman_error(LOGMAN_WIN32(ERROR_NOT_SUPPORTED),
					    "-cnf: a new file begins at a"
					    " size, not at a time");
		reader->next++;
	}
	set_mode(reader, EVENT_TRACE_FILE_MODE_NEWFILE);
	return EVNT_DONE;
}

/* Refuse an option; one that only resets it changes nothing */
static int refuse(struct argument_reader *reader)
{
	if (reader->negated)
		return EVNT_DONE;
	return logman_error(LOGMAN_WIN32(ERROR_NOT_SUPPORTED), "%s: schedules,"
			    " other computers and users, and versions of files"
			    " are not supported", reader->option);
}

/*
 * Options as on Windows: their value, explanation, and the kind of value for
 * complete_value(). Options that are refused have no explanation.
 */
static const struct {
	const char *name;
	const char *value;
	const char *text;
	int (*take)(struct argument_reader *reader);
	bool can_be_negated;
	const char *complete;
} known[] = {
	{ .name = "n", "NAME", "the name, if it does not come first", take_name },
	{ .name = "ets", "", "manage the session itself, without a stored set",
	  take_ets },
	{ .name = "p", "PROVIDER [KEYWORDS [LEVEL]]",
	  "a provider: GUID, *NAME, or the name that it registered with; --p"
	  " removes it", take_provider, true, "PROVIDER" },
	{ .name = "pf", "FILE", "a file with a provider per line, as for -p",
	  take_provider_file, false, "FILE" },
	{ .name = "o", "FILE",
	  "the log file; .etl is appended if it has no extension", take_output,
	  false, "FILE.etl" },
	{ .name = "f", "bin|bincirc",
	  "a sequential file, or a circular file of -max MB", take_format,
	  false, "bin bincirc" },
	{ .name = "max", "MB", "maximum size of the file", take_max, true },
	{ .name = "cnf", "", "begin a new file at that size", take_new_file, true },
	{ .name = "a", "", "append to an existing file", take_append, true },
	{ .name = "ow", "", "overwrite an existing file", take_overwrite, true },
	{ .name = "mode", "NAME,...", "logging modes, by name or number", take_mode,
	  false, "MODE" },
	{ .name = "rt", "", "real-time mode", take_real_time, true },
	{ .name = "bs", "KB", "size of a buffer", take_buffer_size },
	{ .name = "nb", "MIN MAX", "number of buffers", take_buffers },
	{ .name = "ft", "[[HH:]MM:]SS", "flush timer", take_flush_timer },
	{ .name = "fd", "", "update: flush the buffers", take_flush },
	{ .name = "ct", "perf|system|cycle", "clock", take_clock, false,
	  "perf system cycle" },
	{ .name = "ln", "NAME", "the session's name, if it is not the set's",
	  take_logger },
	/* There are no prompts, and commands are always synchronous */
	{ .name = "y", "", "ignored", NULL },
	{ .name = "as", "", "ignored", NULL },
	{ .name = "s", NULL, NULL, refuse },
	{ .name = "config", NULL, NULL, refuse },
	{ .name = "u", NULL, NULL, refuse, true },
	{ .name = "m", NULL, NULL, refuse },
	{ .name = "rf", NULL, NULL, refuse },
	{ .name = "b", NULL, NULL, refuse },
	{ .name = "e", NULL, NULL, refuse },
	{ .name = "r", NULL, NULL, refuse, true },
	{ .name = "v", NULL, NULL, refuse, true },
	{ .name = "rc", NULL, NULL, refuse, true },
	{ .name = "ul", NULL, NULL, refuse, true },
};

#define KNOWN		(sizeof(known) / sizeof(known[0]))
#define HELP_COLUMN	26

void logman_print_options(void)
{
	char option[64];

	for (size_t i = 0; i < KNOWN; i++) {
		snprintf(option, sizeof(option), "  -%s %s", known[i].name,
			 known[i].value ? known[i].value : "");
		if (known[i].text)
			print_option(option, known[i].text, HELP_COLUMN);
	}
	print_option("  -?, --help", "print this help", HELP_COLUMN);
}

bool logman_complete_value(const char *option)
{
	for (size_t i = 0; i < KNOWN; i++) {
		if (!known[i].value || !*known[i].value || *option != '-' ||
		    strcasecmp(option + 1, known[i].name) != 0)
			continue;
		if (known[i].complete)
			complete_value(known[i].complete);
		return true;
	}
	return false;
}

void logman_complete_options(void)
{
	char option[64];

	for (size_t i = 0; i < KNOWN; i++) {
		snprintf(option, sizeof(option), "-%s", known[i].name);
		if (known[i].text)
			complete_word(option, known[i].text);
	}
}

static int take_option(struct argument_reader *reader)
{
	const char *name;

	reader->option = *reader->next++;
	name = reader->option + 1;
	reader->negated = *name == '-';
	name += reader->negated;
	for (size_t i = 0; i < KNOWN; i++) {
		if (!strcasecmp(name, known[i].name) &&
		    (known[i].can_be_negated || !reader->negated))
			return known[i].take ? known[i].take(reader) :
					       EVNT_DONE;
	}
	return logman_error(LOGMAN_BAD_ARGUMENT, "there is no option '%s':"
			    " 'logman -?' lists them", reader->option);
}

int logman_arguments(struct logman *logman, char **argv)
{
	struct argument_reader reader = { .logman = logman, .next = argv };
	int error = EVNT_DONE;

	/* The kind of collector may precede the name: start trace NAME */
	if (has_value(&reader) && !strcasecmp(argv[0], "trace") && argv[1] &&
	    !is_option(argv[1]))
		reader.next++;
	while (!error && *reader.next) {
		if (is_option(*reader.next)) {
			error = take_option(&reader);
		} else if (!reader.named) {
			reader.option = "the name";
			error = take_name(&reader);
		} else {
			error = logman_error(LOGMAN_BAD_ARGUMENT,
					     "unexpected argument '%s': only"
					     " one name is needed",
					     *reader.next);
		}
	}
	return error;
}
