/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of classic providers, which write to the session that they are told.
 */
#ifndef EVNT_CLASSIC_H
#define EVNT_CLASSIC_H

#include "provider.h"

int evnt_classic_query(struct evnt_prov_file *pf, struct evntprov_classic *arg);
int evnt_classic_write(struct evnt_prov_file *pf,
		       const struct evntprov_trace *arg);

#endif /* EVNT_CLASSIC_H */
