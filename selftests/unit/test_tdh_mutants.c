// SPDX-License-Identifier: MIT
/*
 * Ten thousand mutants of each thing that decoding reads: an error or a result, in
 * a bounded time and a bounded memory.  Enough of them are results, so that what is
 * behind the first check of a reader is tested too.  The seed is the same each time,
 * or $EVNT_SEED.
 *
 * The fuzzers decode each; mutants are made of their corpora.
 */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "binary.h"
#include "evnttdh.h"
#include "mof.h"

/* Whether a reader has accepted the mutant */
static bool accepted;

static struct manifest *note_manifest(struct manifest *m)
{
	accepted = accepted || m;
	return m;
}

static ULONG note_event(ULONG code)
{
	accepted = accepted || !code;
	return code;
}

/* Note the results of readers that the fuzzers call */
#define manifest_parse(...)	note_manifest(manifest_parse(__VA_ARGS__))
#define binary_manifest(...)	note_manifest(binary_manifest(__VA_ARGS__))
#define wevt_read(...)		note_manifest(wevt_read(__VA_ARGS__))
#define mof_parse(...)		note_manifest(mof_parse(__VA_ARGS__))
#define EvntEnumerateProperties(...) \
	note_event(EvntEnumerateProperties(__VA_ARGS__))

#define LLVMFuzzerTestOneInput	read_tlg
#include "../fuzz/native/fuzz_tlg.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput	read_manifest
#include "../fuzz/native/fuzz_manifest.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput	read_program
#include "../fuzz/native/fuzz_binary.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput	read_classes
#include "../fuzz/native/fuzz_mof.c"

#include "tap.h"

#define MUTANTS		10000
#define MAX		8192
#define MAX_SECONDS	5
#define MAX_MIB		128

/* Freed memory is not kept for long, as memory is measured; no block is large */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "quarantine_size_mb=8:max_allocation_size_mb=64";
}

static u64 state;

static u32 draw(u32 below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 16) % below;
}

/* Values at which something ends */
static u8 edge(void)
{
	static const u8 edges[] = { 0, 1, 2, 0x1f, 0x7f, 0x80, 0xfe, 0xff };

	return draw(2) ? edges[draw(sizeof(edges))] : draw(256);
}

/* A few bytes changed, cut out, or written twice */
static size_t mutate(u8 *data, size_t len)
{
	u32 times = 1 + draw(4);

	while (times-- && len > 1) {
		size_t at = draw(len), some = 1 + draw(16);

		switch (draw(4)) {
		case 0:
			if (some > len - at)
				some = len - at;
			memmove(data + at, data + at + some, len - at - some);
			len -= some;
			break;
		case 1:
			if (len + some > MAX || some > len - at)
				break;
			memmove(data + at + some, data + at, len - at);
			len += some;
			break;
		default:
			data[at] = edge();
		}
	}
	return len;
}

static size_t read_file(const char *path, u8 *data)
{
	FILE *file = fopen(path, "rb");
	size_t len;

	if (!file)
		return 0;
	len = fread(data, 1, MAX, file);
	fclose(file);
	return len;
}

static int is_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/**
 * struct subject - a reader
 * @corpus: of its fuzzer
 * @read: the fuzzer
 * @least: of each file's mutants, those that it has to accept
 */
struct subject {
	const char *corpus;
	int (*read)(const uint8_t *data, size_t size);
	int least;
};

/* A file of a corpus, and how many of its mutants were accepted */
static struct seed {
	u8 data[MAX];
	size_t len;
	int accepted;
} seeds[64];

static int read_seeds(const char *corpus)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int count;

	snprintf(path, sizeof(path), "../fuzz/native/corpus/%s", corpus);
	count = scandir(path, &entries, is_file, alphasort);
	if (count < 0)
		return 0;
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "../fuzz/native/corpus/%s/%s",
			 corpus, entries[i]->d_name);
		if (i < 64) {
			seeds[i].len = read_file(path, seeds[i].data);
			seeds[i].accepted = 0;
		}
		free(entries[i]);
	}
	free(entries);
	return count < 64 ? count : 64;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static long peak_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1024;
}

/* The mutant that is being read */
static char running[128];

/* A reader that does not end is ended, and so is the test */
static void on_limit(int signal)
{
	(void)signal;
	if (write(STDOUT_FILENO, running, strlen(running)) < 0)
		_exit(2);
	_exit(1);
}

static void limit_seconds(const struct subject *subject, int mutant)
{
	struct rlimit limit;

	snprintf(running, sizeof(running),
		 "not ok - %s: mutant %d takes more than %d seconds\n",
		 subject->corpus, mutant, MAX_SECONDS);
	getrlimit(RLIMIT_CPU, &limit);
	limit.rlim_cur = cpu_seconds() + MAX_SECONDS + 1;
	setrlimit(RLIMIT_CPU, &limit);
}

/* Return how many mutants of the file with the fewest were accepted */
static int fewest_accepted(int count)
{
	int fewest = MUTANTS;

	while (count--) {
		if (seeds[count].accepted < fewest)
			fewest = seeds[count].accepted;
	}
	return fewest;
}

static void test(const struct subject *subject)
{
	int count = read_seeds(subject->corpus), i, fewest;
	static u8 data[MAX];

	for (i = 0; i < MUTANTS && count && peak_mib() < MAX_MIB; i++) {
		struct seed *seed = &seeds[i % count];

		memcpy(data, seed->data, seed->len);
		limit_seconds(subject, i);
		accepted = false;
		subject->read(data, mutate(data, seed->len));
		seed->accepted += accepted;
	}
	CHECK(i == MUTANTS, "%s: %d mutants of %d files are read in %ld MiB",
	      subject->corpus, i, count, peak_mib());
	fewest = fewest_accepted(count);
	CHECK(fewest >= subject->least && fewest < MUTANTS / 4,
	      "%s: of each file's mutants %d or more are accepted, and not all",
	      subject->corpus, fewest);
}

int main(void)
{
	static const struct subject subjects[] = {
		{ "tlg", read_tlg, 300 },
		{ "manifest", read_manifest, 20 },
		{ "binary", read_program, 500 },
		{ "mof", read_classes, 300 },
	};
	const char *seed = getenv("EVNT_SEED");

	/* The limit ends the test without a flush */
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGXCPU, on_limit);
	state = seed ? strtoull(seed, NULL, 0) : 20061130;
	state += !state;
	printf("# seed %llu\n", (unsigned long long)state);
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(subjects); i++)
		test(&subjects[i]);
	return tap_end();
}
