// SPDX-License-Identifier: MIT
/* evntmc: the manifest compiler */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tdh/binary.h"
#include "tools/evntmc/mc.h"

static const char help[] =
"Usage: evntmc [OPTION...] MANIFEST\n"
"Compiles an instrumentation manifest into a C header for providers, and into\n"
"data for decoders.\n\n"
"  -h DIR       output folder of the header NAME.h (.)\n"
"  -r DIR       output folder of the compiled manifest: NAMETEMP.BIN,\n"
"               NAME_MSG0000N.bin for each language, NAME.rc for Windows, NAME.S\n"
"               for Linux (.)\n"
"  -z NAME      base name of the output files (the name of the manifest)\n"
"  -p PREFIX    prefix of the event macros, instead of EventWrite\n"
"  -P PREFIX    prefix to remove from the symbols of events\n"
"  -o DIR       the same as -h DIR -r DIR\n"
"  -um          write macros for user space, which is the default\n"
"  -km          write macros with a first parameter for the activity, as Windows'\n"
"               compiler does for drivers\n"
"  --v3         compile like Windows' kits before 10.0.16299\n"
"  --help       print this help\n"
"  --version    print the version\n\n"
"Options of Windows' compiler without an effect here, such as -U, are accepted.\n\n"
"NAME.S, assembled and linked into a program, embeds the compiled manifest where\n"
"TdhLoadManifestFromBinary() finds it.\n\n"
"Example:\n"
"  evntmc -h include -r build app.man\n";

enum { DONE, FAILED, MISUSED };

__attribute__((format(printf, 1, 2)))
static int fail(const char *format, ...)
{
	va_list args;

	fputs("evntmc: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return FAILED;
}

/* Use the format of compilers, so that editors find the line */
__attribute__((format(printf, 4, 5)))
static void report(const char *path, const struct event *event,
		   const char *severity, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s:%u:%u: %s: ", path, event->line, event->column,
		severity);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

static void show_problem(const struct problem *problem, void *context)
{
	(void)context;
	if (problem->line)
		fprintf(stderr, "%s:%u:%u: error: %s\n", problem->file,
			problem->line, problem->column, problem->text);
	else
		fprintf(stderr, "%s: error: %s\n", problem->file,
			problem->text);
}

static int read_file(const char *path, struct bytes *b)
{
	FILE *file = fopen(path, "rb");
	char some[65536];
	size_t got;
	int failed;

	if (!file)
		return fail("cannot open '%s': %s", path, strerror(errno));
	while ((got = fread(some, 1, sizeof(some), file)))
		bytes_add(b, some, got);
	failed = ferror(file);
	fclose(file);
	if (failed || b->failed)
		return fail("cannot read '%s'", path);
	return DONE;
}

/* Return @folder/@name@ending for the caller to free */
static char *path_of(const char *folder, const char *name, const char *ending)
{
	char *path;

	if (asprintf(&path, "%s/%s%s", folder, name, ending) < 0)
		return NULL;
	return path;
}

static FILE *create(const char *folder, const char *name, const char *ending)
{
	char *path = path_of(folder, name, ending);
	FILE *file = path ? fopen(path, "wb") : NULL;

	if (!file)
		fail("cannot write '%s': %s", path ? path : name,
		     strerror(errno));
	free(path);
	return file;
}

/* Close a file, and remove it after an error, as it would be incomplete */
static int finish(FILE *file, const char *folder, const char *name,
		  const char *ending)
{
	char *path;
	bool failed = ferror(file);

	failed = fclose(file) || failed;
	if (!failed)
		return DONE;
	path = path_of(folder, name, ending);
	fail("cannot write '%s': %s", path ? path : name, strerror(errno));
	if (path)
		remove(path);
	free(path);
	return FAILED;
}

static int write_header(const struct mc *mc, const struct manifest *m)
{
	FILE *file = create(mc->header_folder, mc->name, ".h");

	if (!file)
		return FAILED;
	mc_header(file, mc, m);
	return finish(file, mc->header_folder, mc->name, ".h");
}

static int write_bytes(const struct mc *mc, const char *ending,
		       struct bytes *b)
{
	FILE *file = b->failed ? NULL : create(mc->resource_folder, mc->name,
					       ending);
	int code = FAILED;

	if (b->failed)
		fail("the manifest is too large, or there is no memory");
	if (file) {
		fwrite(b->data, 1, b->len, file);
		code = finish(file, mc->resource_folder, mc->name, ending);
	}
	bytes_free(b);
	return code;
}

static int write_messages(const struct mc *mc, const struct manifest *m)
{
	int code = DONE;

	for (unsigned int i = 0; i < m->culture_count && !code; i++) {
		struct bytes b = { 0 };
		char ending[32];

		snprintf(ending, sizeof(ending), "_MSG%05u.bin", i + 1);
		messages_write(&b, m, i);
		code = write_bytes(mc, ending, &b);
	}
	return code;
}

/* Language ids of Windows; for other languages the user has to insert them */
static const struct {
	const char *culture;
	unsigned int language;
	unsigned int variant;
} languages[] = {
	{ "en-US", 0x9, 1 }, { "de-DE", 0x7, 1 }, { "fr-FR", 0xc, 1 },
	{ "ja-JP", 0x11, 1 }, { "zh-CN", 0x4, 2 }, { "es-ES", 0xa, 3 },
	{ "it-IT", 0x10, 1 }, { "ko-KR", 0x12, 1 }, { "pt-BR", 0x16, 1 },
	{ "ru-RU", 0x19, 1 }, { "zh-TW", 0x4, 1 },
};

static int write_rc(const struct mc *mc, const struct manifest *m)
{
	FILE *file = create(mc->resource_folder, mc->name, ".rc");

	if (!file)
		return FAILED;
	for (unsigned int i = 0; i < m->culture_count; i++) {
		unsigned int language = 0, variant = 0;

		for (size_t k = 0; k < EVNT_ARRAY_SIZE(languages); k++) {
			if (!strcmp(languages[k].culture, m->cultures[i])) {
				language = languages[k].language;
				variant = languages[k].variant;
			}
		}
		fprintf(file, "LANGUAGE 0x%x,0x%x\n1 11 \"%s_MSG%05u.bin\"\n",
			language, variant, mc->name, i + 1);
	}
	fprintf(file, "1 WEVT_TEMPLATE \"%sTEMP.BIN\"\n", mc->name);
	return finish(file, mc->resource_folder, mc->name, ".rc");
}

/* Write an ELF note: sizes of name and data, type, name, data */
static void write_note(FILE *file, unsigned int type, const char *culture,
		       const char *path)
{
	fprintf(file, "\t.balign 4\n\t.long 9, 2f - 1f, %u\n\t.asciz \"evntprov\"\n"
		"\t.balign 4\n1:", type);
	if (culture)
		fprintf(file, "\t.asciz \"%s\"\n", culture);
	fprintf(file, "\t.incbin \"%s\"\n2:\t.balign 4\n", path);
}

static int write_notes(const struct mc *mc, const struct manifest *m)
{
	FILE *file = create(mc->resource_folder, mc->name, ".S");
	char *path;

	if (!file)
		return FAILED;
	fputs("/* Generated by evntmc: puts a compiled manifest into a program. */\n"
	      "\t.section .note.evntprov, \"a\", %note\n", file);
	path = path_of(mc->resource_folder, mc->name, "TEMP.BIN");
	write_note(file, EVNT_NOTE_TEMPLATE, NULL, path ? path : "");
	free(path);
	for (unsigned int i = 0; i < m->culture_count; i++) {
		char ending[32];

		snprintf(ending, sizeof(ending), "_MSG%05u.bin", i + 1);
		path = path_of(mc->resource_folder, mc->name, ending);
		write_note(file, EVNT_NOTE_MESSAGES, m->cultures[i], path ? path : "");
		free(path);
	}
	fputs("\t.section .note.GNU-stack, \"\", %progbits\n", file);
	return finish(file, mc->resource_folder, mc->name, ".S");
}

/*
 * Warn of events whose symbols an earlier provider has.  Windows' compiler
 * accepts them; a program can only use the header of one of the providers.
 */
static void warn_of_twins(const char *path, const struct manifest *m)
{
	for (const struct provider *p = m->providers; p; p = p->next) {
		for (const struct event *e = p->events; e; e = e->next) {
			const struct provider *first = mc_twin(m, p, e);

			if (first)
				report(path, e, "warning", "provider '%s' has an event '%s' too: the header defines that alone",
				       first->name, e->symbol);
		}
	}
}

/* Length of a text as UTF-16, in bytes */
static size_t wide_length(const char *text)
{
	struct bytes b = { 0 };
	size_t len;

	bytes_add_wide(&b, text);
	len = b.len;
	bytes_free(&b);
	return len;
}

/* Report a text that a table of messages cannot contain */
static bool has_long_text(const char *path, const struct manifest *m)
{
	for (const struct message *i = m->messages; i; i = i->next) {
		for (unsigned int k = 0; k < m->culture_count; k++) {
			if (i->number == NO_MESSAGE || !i->texts[k] ||
			    strlen(i->texts[k]) < MESSAGE_MAX / 2 ||
			    wide_length(i->texts[k]) <= MESSAGE_MAX)
				continue;
			fprintf(stderr, "%s:%u:1: error: the text '%s' is longer than %d characters\n",
				path, i->line, i->id ? i->id : "",
				MESSAGE_MAX / 2);
			return true;
		}
	}
	return false;
}

static int compile(const struct mc *mc, const char *path)
{
	struct bytes b = { 0 };
	struct manifest *m;
	int code = read_file(path, &b);

	if (code)
		return code;
	m = manifest_parse(path, b.data, b.len, show_problem, NULL);
	bytes_free(&b);
	if (!m)
		return FAILED;
	manifest_number_messages(m);
	if (has_long_text(path, m)) {
		manifest_free(m);
		return FAILED;
	}
	warn_of_twins(path, m);
	wevt_write(&b, m, mc->version);
	code = write_bytes(mc, "TEMP.BIN", &b);
	code = code ? code : write_messages(mc, m);
	code = code ? code : write_rc(mc, m);
	code = code ? code : write_notes(mc, m);
	code = code ? code : write_header(mc, m);
	manifest_free(m);
	return code;
}

/* Return the manifest's file name without folder and suffix, to be freed */
static char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *dot = strchr(base, '.');

	return strndup(base, dot && dot > base ? (size_t)(dot - base) :
						 strlen(base));
}

struct option {
	const char *name;
	const char **value;
};

static int usage_error(const char *format, const char *what)
{
	fprintf(stderr, "evntmc: ");
	fprintf(stderr, format, what);
	fputs("\nTry 'evntmc --help'.\n", stderr);
	return MISUSED;
}

static bool is_word(const char *argument, const char *const *words)
{
	while (*words && strcmp(*words, argument) != 0)
		words++;
	return *words;
}

/*
 * Options of Windows' compiler that have no effect here, and unsupported ones.
 * Files always have the manifest's name in theirs (-b), and headers always call
 * MCGEN_PRIVATE_ENABLE_CALLBACK_V2 if the program defines it (-co).
 */
static const char *const ignored[] = {
	"-U", "-u", "-A", "-a", "-b", "-co", NULL,
};
static const char *const unknown[] = {
	"-cs", "-css", "-mof", "-s", "-t", "-w", "-W", "-x", "-e", "-c",
	"-d", "-n", "-B", "-v", "-generateProjections", NULL,
};

static int parse_option(struct mc *mc, int argc, char **argv, int *i)
{
	const struct option options[] = {
		{ "-h", &mc->header_folder }, { "-r", &mc->resource_folder },
		{ "-z", &mc->name }, { "-p", &mc->prefix },
		{ "-P", &mc->strip }, { "-o", &mc->header_folder },
	};
	const char *argument = argv[*i];

	if (!strcmp(argument, "--v3")) {
		mc->version = 3;
		return DONE;
	}
	if (!strcmp(argument, "-km") || !strcmp(argument, "-um")) {
		mc->kernel = argument[1] == 'k';
		return DONE;
	}
	if (is_word(argument, ignored))
		return DONE;
	if (is_word(argument, unknown))
		return usage_error("'%s' of Windows' compiler is not supported",
				   argument);
	for (size_t k = 0; k < EVNT_ARRAY_SIZE(options); k++) {
		if (strcmp(options[k].name, argument) != 0)
			continue;
		if (++*i == argc)
			return usage_error("'%s' needs a value", argument);
		*options[k].value = argv[*i];
		if (!strcmp(argument, "-o"))
			mc->resource_folder = argv[*i];
		return DONE;
	}
	return usage_error("there is no option '%s'", argument);
}

int main(int argc, char **argv)
{
	struct mc mc = {
		.header_folder = ".",
		.resource_folder = ".",
		.prefix = "EventWrite",
		.version = 5,
	};
	const char *path = NULL;
	char *base;
	int code;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			return DONE;
		}
		if (!strcmp(argv[i], "--version")) {
			puts("evntmc " EVNT_VERSION);
			return DONE;
		}
		if (argv[i][0] != '-') {
			if (path)
				return usage_error("one manifest at a time, not also '%s'",
						   argv[i]);
			path = argv[i];
			continue;
		}
		code = parse_option(&mc, argc, argv, &i);
		if (code)
			return code;
	}
	if (!path)
		return usage_error("%s manifest? write its name", "which");
	base = base_of(path);
	if (!base)
		return fail("out of memory");
	if (!mc.name)
		mc.name = base;
	code = compile(&mc, path);
	free(base);
	return code;
}
