/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Real-time consumers: descriptors of a session that read the session's
 * finished buffers in place.
 */
#ifndef EVNT_CONSUMER_H
#define EVNT_CONSUMER_H

#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/poll.h>

#include "module/session/session.h"

/* Limits for buffers left behind and for consumers: see consumer.c */
u32 evnt_stream_distance(const struct evnt_buffers *b, u32 max_held);
u32 evnt_stream_max_held(const struct evnt_buffers *b);

struct evnt_consumer;

struct evnt_consumer *evnt_consumer_create(struct evnt_session *s,
					   struct evntrace_open_consumer *arg);
void evnt_consumer_destroy(struct evnt_consumer *c);
int evnt_consumer_next(struct evnt_consumer *c, struct evntrace_next *arg);
void evnt_consumer_undo_next(struct evnt_consumer *c);
int evnt_consumer_release(struct evnt_consumer *c, u32 index);
__poll_t evnt_consumer_poll(struct evnt_consumer *c, struct file *file,
			    poll_table *wait);
int evnt_consumer_mmap(struct evnt_consumer *c, struct vm_area_struct *vma);

#endif /* EVNT_CONSUMER_H */
