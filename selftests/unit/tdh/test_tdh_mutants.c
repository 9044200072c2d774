// SPDX-License-Identifier: MIT
/*
 * Ten thousand mutants of each input of the decoders: each one is an error or a
 * result, in bounded time and memory.  A minimum of them must be accepted, so
 * that the code after a reader's first check is tested too.  The seed is
 * constant, or $EVNT_SEED.
 *
 * The fuzzers decode each; mutants are made from their corpora.
 */
#include <dirent.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tdh/binary.h"
#include "evnttdh.h"
#include "tdh/mof.h"

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
#include "selftests/fuzz/native/fuzz_tlg.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput	read_manifest
#include "selftests/fuzz/native/fuzz_manifest.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput	read_program
#include "selftests/fuzz/native/fuzz_binary.c"
#undef LLVMFuzzerTestOneInput
#define LLVMFuzzerTestOneInput	read_classes
#include "selftests/fuzz/native/fuzz_mof.c"

#include "selftests/unit/common/tap.h"

#define MUTANTS		10000
#define MAX		8192
#define MAX_SECONDS	5
#define MAX_MIB		128

/* No quarantine of freed memory, as memory is measured; limit each block */
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

/* Boundary values */
static u8 edge(void)
{
	static const u8 edges[] = { 0, 1, 2, 0x1f, 0x7f, 0x80, 0xfe, 0xff };

	return draw(2) ? edges[draw(sizeof(edges))] : draw(256);
}

/* Change a few bytes, or remove or duplicate a few */
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
 * @corpus: corpus of its fuzzer
 * @read: the fuzzer
 * @least: minimum number of accepted mutants of each file
 */
struct subject {
	const char *corpus;
	int (*read)(const uint8_t *data, size_t size);
	int least;
};

/* A file of a corpus, and the number of its accepted mutants */
static struct seed {
	u8 data[MAX];
	size_t len;
	int accepted;
} seeds[64];

/* Folder of the unpacked corpora */
static char corpora[PATH_MAX / 2];

static int read_seeds(const char *corpus)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int count;

	snprintf(path, sizeof(path), "%s/%s/corpus", corpora, corpus);
	count = scandir(path, &entries, is_file, alphasort);
	if (count < 0)
		return 0;
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s/corpus/%s", corpora,
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

/* Name of the current mutant */
static char running[128];

/* A reader that does not return is killed, and with it the test */
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

/* Return the number of accepted mutants of the file with the fewest */
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

int main(int argc, char **argv)
{
	static const struct subject subjects[] = {
		{ "tlg", read_tlg, 300 },
		{ "manifest", read_manifest, 20 },
		{ "binary", read_program, 500 },
		{ "mof", read_classes, 300 },
	};
	const char *seed = getenv("EVNT_SEED");

	if (argc)
		snprintf(corpora, sizeof(corpora), "%s/corpora", dirname(argv[0]));
	/* A kill by the limit does not flush */
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGXCPU, on_limit);
	state = seed ? strtoull(seed, NULL, 0) : 20061130;
	state += !state;
	printf("# seed %llu\n", (unsigned long long)state);
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(subjects); i++)
		test(&subjects[i]);
	return tap_end();
}
