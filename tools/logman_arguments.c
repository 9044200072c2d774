// SPDX-License-Identifier: MIT
/* evnt logman: reads a command line as Windows' logman takes it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "logman.h"
#include "mode.h"
#include "number.h"

/**
 * struct reader - the command line, as far as it is read
 * @logman: what it says
 * @next: the next argument
 * @option: the option that is being read, for messages
 * @negated: it has another hyphen
 * @named: the name was there
 */
struct reader {
	struct logman *logman;
	char **next;
	const char *option;
	bool negated;
	bool named;
};

/* An option's name, and not a negative number, or a file's name */
static bool is_option(const char *text)
{
	return text && text[0] == '-' && text[1];
}

static bool has_value(const struct reader *reader)
{
	return *reader->next && !is_option(*reader->next);
}

static int bad(const struct reader *reader, const char *what)
{
	const char *value = *reader->next;

	return logman_error(LOGMAN_BAD_ARGUMENT, "%s: %s%s%s%s", reader->option,
			    what, value ? ", not '" : "", value ? value : "",
			    value ? "'" : "");
}

static int take_name(struct reader *reader)
{
	struct collector *set = &reader->logman->set;

	if (!has_value(reader) || !**reader->next ||
	    strlen(*reader->next) >= COLLECTOR_NAME)
		return bad(reader, "a name is needed, of less than 256 bytes");
	snprintf(set->name, COLLECTOR_NAME, "%s", *reader->next++);
	reader->named = true;
	return EVNT_DONE;
}

static int take_logger(struct reader *reader)
{
	struct collector *set = &reader->logman->set;

	if (!has_value(reader) || strlen(*reader->next) >= COLLECTOR_NAME)
		return bad(reader, "a name is needed, of less than 256 bytes");
	snprintf(set->logger, COLLECTOR_NAME, "%s", *reader->next++);
	return EVNT_DONE;
}

static int take_ets(struct reader *reader)
{
	reader->logman->ets = true;
	return EVNT_DONE;
}

static int take_flush(struct reader *reader)
{
	reader->logman->flush = true;
	return EVNT_DONE;
}

static bool is_number(const char *text)
{
	ULONGLONG number;

	return text && parse_number(text, strlen(text), &number);
}

static int keep_provider(const struct reader *reader, struct spec_list *to,
			 const struct spec *spec)
{
	if (spec_add(to, spec))
		return EVNT_DONE;
	return logman_error(LOGMAN_WIN32(ERROR_NOT_ENOUGH_MEMORY), "%s",
			    reader->option);
}

/* [KEYWORDS [LEVEL]] behind a provider: none of them means all */
static int add_provider(struct reader *reader, struct spec_list *to,
			const char *provider, const char *keywords,
			const char *level)
{
	struct spec spec = { .level = 0 };
	char why[512];

	if (!spec_provider(provider, &spec, why, sizeof(why)))
		return logman_error(LOGMAN_BAD_ARGUMENT, "%s: %s",
				    reader->option, why);
	if (keywords && !parse_number(keywords, strlen(keywords),
				      &spec.keywords))
		return logman_error(LOGMAN_BAD_ARGUMENT, "%s: keywords are a"
				    " number, not '%s': their names are not"
				    " known here", reader->option, keywords);
	if (level && !spec_level(level, &spec.level))
		return logman_error(LOGMAN_BAD_ARGUMENT, "%s: a level is 0 to"
				    " 255 or a name, not '%s'", reader->option,
				    level);
	spec_remove(to, &spec);
	return keep_provider(reader, to, &spec);
}

static int take_provider(struct reader *reader)
{
	const char *provider, *keywords = NULL, *level = NULL;
	struct logman *logman = reader->logman;
	struct spec spec = { .level = 0 };
	char why[512];

	if (!has_value(reader))
		return bad(reader, "a provider is needed");
	provider = *reader->next++;
	/* A name that follows -p's provider is the set's, if it has none yet */
	if (has_value(reader) &&
	    (is_number(*reader->next) || reader->named)) {
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

/* A word, quoted or not, of a line; NULL at its end */
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

static int take_line(struct reader *reader, char *line)
{
	const char *provider = next_word(&line), *keywords, *level;

	if (!provider)
		return EVNT_DONE;
	keywords = next_word(&line);
	level = keywords ? next_word(&line) : NULL;
	return add_provider(reader, &reader->logman->set.options.specs,
			    provider, keywords, level);
}

static int take_provider_file(struct reader *reader)
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

/* With an extension, as logman does it */
static int take_output(struct reader *reader)
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

static int take_format(struct reader *reader)
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

static int take_mode(struct reader *reader)
{
	if (!has_value(reader) ||
	    !mode_parse(*reader->next, &reader->logman->set.options.mode))
		return bad(reader, "modes are names joined by commas, or a"
			   " number");
	reader->next++;
	return EVNT_DONE;
}

static int take_clock(struct reader *reader)
{
	if (!has_value(reader) ||
	    !clock_parse(*reader->next, &reader->logman->set.options.clock))
		return bad(reader, "the clock is perf, system or cycle");
	reader->next++;
	return EVNT_DONE;
}

static int take_count(struct reader *reader, ULONG least, ULONG most,
		      const char *what, ULONG *to)
{
	if (!has_value(reader) || !parse_count(*reader->next, least, most, to))
		return bad(reader, what);
	reader->next++;
	return EVNT_DONE;
}

static int take_buffer_size(struct reader *reader)
{
	return take_count(reader, 4, 16384, "a size of 4 to 16384 KB is needed",
			  &reader->logman->set.options.buffer_kb);
}

static int take_buffers(struct reader *reader)
{
	struct session_options *options = &reader->logman->set.options;
	static const char what[] = "two numbers from 1 to 65536 are needed";
	int error;

	error = take_count(reader, 1, 65536, what, &options->min_buffers);
	if (!error)
		error = take_count(reader, 1, 65536, what,
				   &options->max_buffers);
	if (!error && options->max_buffers < options->min_buffers)
		error = logman_error(LOGMAN_BAD_ARGUMENT, "%s: the second"
				     " number is less than the first",
				     reader->option);
	return error;
}

static int take_max(struct reader *reader)
{
	if (reader->negated) {
		reader->logman->set.options.max_mb = 0;
		return EVNT_DONE;
	}
	return take_count(reader, 1, 1000000,
			  "a size of 1 to 1000000 MB is needed",
			  &reader->logman->set.options.max_mb);
}

/* [[hh:]mm:]ss in seconds */
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

static int take_flush_timer(struct reader *reader)
{
	if (!has_value(reader) ||
	    !parse_time(*reader->next, &reader->logman->set.options.flush))
		return bad(reader, "a time [[hh:]mm:]ss up to a day is needed");
	reader->next++;
	reader->logman->has_flush_timer = true;
	return EVNT_DONE;
}

static void set_mode(struct reader *reader, ULONG flag)
{
	ULONG *mode = &reader->logman->set.options.mode;

	*mode = reader->negated ? *mode & ~flag : *mode | flag;
}

static int take_real_time(struct reader *reader)
{
	set_mode(reader, EVENT_TRACE_REAL_TIME_MODE);
	reader->logman->has_real_time = true;
	return EVNT_DONE;
}

static int take_append(struct reader *reader)
{
	set_mode(reader, EVENT_TRACE_FILE_MODE_APPEND);
	return EVNT_DONE;
}

static int take_overwrite(struct reader *reader)
{
	reader->logman->set.overwrite = !reader->negated;
	return EVNT_DONE;
}

static int take_new_file(struct reader *reader)
{
	if (has_value(reader))
		return logman_error(LOGMAN_WIN32(ERROR_NOT_SUPPORTED),
				    "-cnf: a new file begins at a size, not at"
				    " a time");
	set_mode(reader, EVENT_TRACE_FILE_MODE_NEWFILE);
	return EVNT_DONE;
}

static int refuse(struct reader *reader)
{
	return logman_error(LOGMAN_WIN32(ERROR_NOT_SUPPORTED), "%s: schedules,"
			    " other computers and users, and versions of files"
			    " are not there", reader->option);
}

static const struct {
	const char *name;
	int (*take)(struct reader *reader);
	bool can_be_negated;
} known[] = {
	{ "n", take_name, false },
	{ "ets", take_ets, false },
	{ "p", take_provider, true },
	{ "pf", take_provider_file, false },
	{ "o", take_output, false },
	{ "f", take_format, false },
	{ "max", take_max, true },
	{ "cnf", take_new_file, true },
	{ "a", take_append, true },
	{ "ow", take_overwrite, true },
	{ "mode", take_mode, false },
	{ "rt", take_real_time, true },
	{ "bs", take_buffer_size, false },
	{ "nb", take_buffers, false },
	{ "ft", take_flush_timer, false },
	{ "fd", take_flush, false },
	{ "ct", take_clock, false },
	{ "ln", take_logger, false },
	{ "y", NULL, false },	/* nothing is asked, nor done later */
	{ "as", NULL, false },
	{ "s", refuse, false },
	{ "config", refuse, false },
	{ "u", refuse, true },
	{ "m", refuse, false },
	{ "rf", refuse, false },
	{ "b", refuse, false },
	{ "e", refuse, false },
	{ "r", refuse, true },
	{ "v", refuse, true },
	{ "rc", refuse, true },
	{ "ul", refuse, true },
};

static int take_option(struct reader *reader)
{
	const char *name;

	reader->option = *reader->next++;
	name = reader->option + 1;
	reader->negated = *name == '-';
	name += reader->negated;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
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
	struct reader reader = { .logman = logman, .next = argv };
	int error = EVNT_DONE;

	while (!error && *reader.next) {
		if (is_option(*reader.next)) {
			error = take_option(&reader);
		} else if (!reader.named) {
			reader.option = "the name";
			error = take_name(&reader);
		} else {
			error = logman_error(LOGMAN_BAD_ARGUMENT,
					     "what is '%s'? only one name is"
					     " needed", *reader.next);
		}
	}
	return error;
}
