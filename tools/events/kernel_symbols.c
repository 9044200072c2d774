// SPDX-License-Identifier: MIT
/*
 * Names of functions of the running kernel, from /proc/kallsyms, which has no
 * addresses for users without CAP_SYSLOG.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/evnt.h"
#include "tools/events/kernel_symbols.h"
#include "tools/events/stack.h"

#define FILETIME_OF_1970	116444736000000000ll
#define TICKS_PER_SECOND	10000000ll
/* The system's clock may have been adjusted since */
#define TOLERANCE		(5 * TICKS_PER_SECOND)

struct kernel_symbol {
	uint64_t address;
	char *name;
};

static struct kernel_symbol *symbols;
static size_t symbol_count;
static bool is_allowed, is_loaded;

static int64_t boot_time_now(void)
{
	struct timespec now, up;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return FILETIME_OF_1970 +
	       (now.tv_sec - up.tv_sec) * TICKS_PER_SECOND +
	       (now.tv_nsec - up.tv_nsec) / 100;
}

void kernel_symbols_use(int64_t boot_time)
{
	is_allowed = llabs(boot_time_now() - boot_time) < TOLERANCE;
}

static int by_address(const void *a, const void *b)
{
	const struct kernel_symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void load(void)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[1024], name[512], type;
	uint64_t address;
	size_t room = 0;

	is_loaded = true;
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 " %c %511s", &address, &type,
			   name) != 3 || !strchr("tTwW", type) ||
		    !is_of_kernel(address))
			continue;
		if (symbol_count == room) {
			room = room ? 2 * room : 65536;
			symbols = must_have(reallocarray(symbols, room,
							 sizeof(*symbols)));
		}
		symbols[symbol_count++] = (struct kernel_symbol) {
			address, must_have(strdup(name)),
		};
	}
	if (f)
		fclose(f);
	if (symbol_count)
		qsort(symbols, symbol_count, sizeof(*symbols), by_address);
}

const char *kernel_symbols_find(uint64_t address)
{
	size_t low = 0, high, middle;

	if (!is_allowed)
		return NULL;
	if (!is_loaded)
		load();
	for (high = symbol_count; low < high;) {
		middle = low + (high - low) / 2;
		if (symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? symbols[low - 1].name : NULL;
}

void kernel_symbols_free(void)
{
	while (symbol_count)
		free(symbols[--symbol_count].name);
	free(symbols);
	symbols = NULL;
	is_loaded = false;
}
