/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The thread of a session that writes finished buffers to its log.
 */
#ifndef EVNT_WRITER_H
#define EVNT_WRITER_H

#include "module/session/session.h"

struct evnt_prov_file;

s64 evnt_drain(const struct evnt_prov_file *pf);
void evnt_writer_set_drain(s64 (*drain)(const struct evnt_prov_file *pf));
int evnt_writer_start(struct evnt_session *s);
void evnt_writer_end(struct evnt_session *s);
int evnt_writer_flush(struct evnt_session *s);
int evnt_writer_turn(struct evnt_session *s, struct evnt_log_switch *turn);
void evnt_writer_set_timer(struct evnt_session *s, u32 flush_ms);
void evnt_writer_notify(struct evnt_buffers *b);
bool evnt_writer_reclaim(struct evnt_buffers *b);

#endif /* EVNT_WRITER_H */
