/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing of records by classic providers, which name the session to write to.
 */
#ifndef EVNT_CLASSIC_WRITE_H
#define EVNT_CLASSIC_WRITE_H

#include "module/provider/provider.h"
#include "module/write/payload.h"

int evnt_classic_write(const struct evnt_registration *r,
		       const struct evntprov_write *arg, struct evnt_payload *p,
		       bool last);

#endif /* EVNT_CLASSIC_WRITE_H */
