/* SPDX-License-Identifier: MIT */
/* What evnt top shows: blocks of tables, or objects of JSON. */
#ifndef EVNT_TOP_PRINT_H
#define EVNT_TOP_PRINT_H

#include "top_sample.h"

/**
 * struct top_view - an interval
 * @before: counters at its beginning
 * @now: at its end
 * @providers: what was counted meanwhile, most events first
 * @provider_count: how many
 * @unread: sessions whose providers are not counted, and why, in words; or ""
 * @rows: how many lines there is room for, or 0: any number
 */
struct top_view {
	const struct sample *before;
	const struct sample *now;
	const struct provider_count *providers;
	size_t provider_count;
	const char *unread;
	size_t rows;
};

void top_print_text(const struct top_view *view);
void top_print_json(const struct top_view *view);

#endif /* EVNT_TOP_PRINT_H */
