// SPDX-License-Identifier: MIT
/*
 * Ten thousand mutants of each thing that decoding reads: an error or a result,
 * and nothing else.  The seed is the same each time, or $EVNT_SEED.
 *
 * What is done with each is what the fuzzers do; mutants are made of their corpora.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>

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

#define MUTANTS	10000
#define MAX	8192

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

static void test(const char *corpus,
		 int (*read)(const uint8_t *data, size_t size))
{
	static u8 seeds[64][MAX], data[MAX];
	size_t lens[64] = { 0 };
	struct dirent **entries;
	char path[PATH_MAX];
	int count, read_all = 0;

	snprintf(path, sizeof(path), "../fuzz/native/corpus/%s", corpus);
	count = scandir(path, &entries, is_file, alphasort);
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "../fuzz/native/corpus/%s/%s",
			 corpus, entries[i]->d_name);
		if (i < 64)
			lens[i] = read_file(path, seeds[i]);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (count > 64)
		count = 64;
	for (int i = 0; i < MUTANTS && count > 0; i++) {
		size_t len = lens[i % count];

		memcpy(data, seeds[i % count], len);
		read(data, mutate(data, len));
		read_all++;
	}
	CHECK(read_all == MUTANTS, "%s: %d mutants of %d", corpus, read_all,
	      count);
}

int main(void)
{
	const char *seed = getenv("EVNT_SEED");

	state = seed ? strtoull(seed, NULL, 0) : 20061130;
	state += !state;
	printf("# seed %llu\n", (unsigned long long)state);
	test("tlg", read_tlg);
	test("manifest", read_manifest);
	test("binary", read_program);
	test("mof", read_classes);
	return tap_end();
}
