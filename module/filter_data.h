/* SPDX-License-Identifier: GPL-2.0 */
/* Filters as they were passed: shown to controllers, and handed to providers. */
#ifndef EVNT_FILTER_DATA_H
#define EVNT_FILTER_DATA_H

#include "provider.h"

int evnt_filters_show(struct evntrace_filters *arg);
void *evnt_filter_data_get(struct evnt_prov_file *pf,
			   struct evntprov_filter_data *arg);
int evnt_filter_data(struct evnt_prov_file *pf,
		     struct evntprov_filter_data *arg);

#endif /* EVNT_FILTER_DATA_H */
