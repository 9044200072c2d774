// SPDX-License-Identifier: MIT
/*
 * Run a fuzzer's inputs one after the other, without the fuzzer: for compilers
 * that lack it, and for debuggers.
 *
 * usage: replay_TARGET FILE...
 */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

/* Use memory of the exact size, so that the sanitizer detects overruns */
static int replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	long size = -1;

	if (f && !fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size >= 0)
		data = malloc(size);
	if (data) {
		rewind(f);
		if (fread(data, 1, size, f) != (size_t)size)
			size = -1;
		else
			LLVMFuzzerTestOneInput(data, size);
	}
	if (f)
		fclose(f);
	free(data);
	return data && size >= 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		fprintf(stderr, "# %s\n", argv[i]);
		if (replay(argv[i])) {
			perror(argv[i]);
			return 1;
		}
	}
	/* The same line as libFuzzer's */
	fprintf(stderr, "stat::number_of_executed_units: %d\n", argc - 1);
	return argc < 2;
}
