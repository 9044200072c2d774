// SPDX-License-Identifier: MIT
/*
 * Growth of the work for a manifest with its size: a manifest may come from a
 * log whose writer wants its readers to hang.
 *
 * The input is a manifest whose lines that begin with * are repeated, each # in
 * them replaced by the repetition's number.  It is read, and its events are
 * looked up, with few and with many repetitions.  The work is measured in
 * executed basic blocks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tdh/model.h"
#include "evnttdh.h"

#define TIMES		16
#define MAX_SIZE	(2u << 20)
#define MAX_REPEAT	16384u

/* More blocks per byte than reading takes for anything that occurs once */
#define ALWAYS_GOOD	200u

static unsigned long long steps;

/* Called by each instrumented basic block */
void count_block(void);
void count_block(void)
{
	steps++;
}

static void repeat_line(FILE *f, const uint8_t *line, size_t len, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		for (size_t k = 0; k < len; k++) {
			if (line[k] == '#')
				fprintf(f, "%05u", i + 1);
			else
				fputc(line[k], f);
		}
	}
}

static char *repeat(const uint8_t *data, size_t size, unsigned int n,
		    size_t *len)
{
	const uint8_t *end = data + size;
	char *text = NULL;
	FILE *f = open_memstream(&text, len);

	check(f);
	while (data < end) {
		const uint8_t *eol = memchr(data, '\n', end - data);
		const uint8_t *next = eol ? eol + 1 : end;

		if (*data == '*')
			repeat_line(f, data + 1, next - data - 1, n);
		else
			fwrite(data, 1, next - data, f);
		data = next;
	}
	fclose(f);
	return text;
}

static void look_up(const struct manifest *m)
{
	for (const struct provider *p = m->providers; p; p = p->next) {
		for (struct event *e = p->events; e; e = e->next) {
			GUID guid = p->guid;
			ULONG size = 0;

			TdhGetManifestEventInformation(&guid, &e->descriptor,
						       NULL, &size);
		}
	}
}

/* Number of blocks executed for a text */
static unsigned long long work(const char *text, size_t len)
{
	unsigned long long begin = steps;
	struct manifest *m = manifest_parse_lenient("input", text, len, NULL,
						    NULL);

	if (m && !TdhLoadManifestFromMemory(text, len)) {
		look_up(m);
		TdhUnloadManifestFromMemory(text, len);
	}
	manifest_free(m);
	return steps - begin;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int n = size ? MAX_SIZE / size : 0;
	unsigned long long few, many;
	size_t short_len, long_len;
	char *short_text, *long_text;

	if (n > MAX_REPEAT)
		n = MAX_REPEAT;
	if (n < TIMES * TIMES)
		return 0;
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	short_text = repeat(data, size, n / TIMES, &short_len);
	long_text = repeat(data, size, n, &long_len);
	few = work(short_text, short_len);
	many = work(long_text, long_len);
	fprintf(stderr, "# %zu bytes: %llu blocks; %zu bytes: %llu blocks\n",
		short_len, few, long_len, many);
	/* Sorting may take twice as many per byte */
	check(many <= ALWAYS_GOOD * long_len ||
	      many / long_len <= 2 * (few / short_len));
	free(short_text);
	free(long_text);
	return 0;
}
