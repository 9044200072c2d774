/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The write path where sessions have filters that look at events, wish for
 * extended items, or are independent: each gets a record of its own, or none.
 */
#ifndef EVNT_JUDGE_H
#define EVNT_JUDGE_H

#include "enable.h"
#include "payload.h"
#include "provider.h"

int evnt_write_judged(const struct evnt_enable_set *set,
		      const struct evnt_registration *r,
		      const struct evntprov_write *arg, struct evnt_payload *p,
		      bool last);

int evnt_judge_init(void);
void evnt_judge_exit(void);

#endif /* EVNT_JUDGE_H */
