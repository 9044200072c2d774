/* SPDX-License-Identifier: MIT */
/* Test cases in TAP, for programs without a harness. */
#ifndef EVNT_TEST_TAP_H
#define EVNT_TEST_TAP_H

#include <stdio.h>
#include <stdlib.h>

static int tap_count, tap_failed;

/* Check a condition, and print it as a case with this description */
#define CHECK(condition, ...) do {					\
	int ok_ = !!(condition);					\
	printf("%sok %d - ", ok_ ? "" : "not ", ++tap_count);		\
	printf(__VA_ARGS__);						\
	printf("\n");							\
	if (!ok_) {							\
		printf("# %s:%d: %s\n", __FILE__, __LINE__, #condition); \
		tap_failed++;						\
	}								\
} while (0)

#define SKIP(...) do {							\
	printf("ok %d - # SKIP ", ++tap_count);				\
	printf(__VA_ARGS__);						\
	printf("\n");							\
} while (0)

/* Return the folder of real logs and manifests, or a dummy path to print */
static inline const char *data_folder(void)
{
	const char *folder = getenv("EVNT_DATA");

	return folder && *folder ? folder : "/EVNT_DATA-is-not-set";
}

static int tap_end(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif /* EVNT_TEST_TAP_H */
