/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's own events: see self_record.h.
 *
 * Each is written to the session that needs it, whatever the session has
 * enabled.
 */
#ifndef EVNT_SELF_EVENT_H
#define EVNT_SELF_EVENT_H

#include <linux/limits.h>

#include "core/build_id.h"
#include "core/self_record.h"
#include "module/session/session.h"

/* Build id and path, each with its NUL */
#define EVNT_FILE_TEXT_MAX	(2 * EVNT_BUILD_ID_MAX + 1 + PATH_MAX)

/* Temporary memory of evnt_mapped_file_info() */
struct evnt_file_scratch {
	struct evnt_elf_scratch elf;
	char path[PATH_MAX];
};

void evnt_self_losses(struct evnt_session *s, bool all);
int evnt_self_name(struct evnt_session *s, const char *name,
		   const void *package, u32 package_len, u32 process_id);
int evnt_self_write(struct evnt_session *s, const struct evnt_self_event *own,
		    const struct evnt_event *e, const void *data);
u32 evnt_mapped_file_info(struct evnt_file_scratch *s, struct file *file,
			  char *text);

#endif /* EVNT_SELF_EVENT_H */
