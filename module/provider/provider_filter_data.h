/* SPDX-License-Identifier: GPL-2.0 */
/* Filters in the form in which a controller passed them. */
#ifndef EVNT_PROVIDER_FILTER_DATA_H
#define EVNT_PROVIDER_FILTER_DATA_H

#include "module/provider/provider.h"

struct evnt_filters;
struct evnt_session;

u32 evnt_filters_len(const struct evnt_filters *f);
void evnt_filters_describe(const struct evnt_filters *f, void *to);
void *evnt_filters_infos(const struct evnt_filters *f, u32 *len);
int evnt_filters_hand_over(void *from, u32 len, u64 buffer, u32 room);
void *evnt_filters_show(struct evnt_session *s,
			const struct evntprov_guid *provider, bool is_group,
			u32 *len);
int evnt_filter_data(const struct evnt_enable_set *set, size_t room,
		     struct evntprov_notification *n, void **data);

#endif /* EVNT_PROVIDER_FILTER_DATA_H */
