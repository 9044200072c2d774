/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Write path to several sessions, or to sessions that have filters on events or
 * request extended items.  Each session gets a record of its own, or none.
 */
#ifndef EVNT_FILTERED_H
#define EVNT_FILTERED_H

#include "module/provider/enable.h"
#include "module/write/payload.h"
#include "module/provider/provider.h"

int evnt_write_many(const struct evnt_enable_set *set,
		    const struct evnt_registration *r,
		    const struct evntprov_write *arg,
		    struct evnt_payload *p, bool last);

int evnt_write_many_init(void);
void evnt_write_many_exit(void);

#endif /* EVNT_FILTERED_H */
