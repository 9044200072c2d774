// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the module's own events, and describing the files that they are about.
 */
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/fs.h>

#include "module/common/acl.h"
#include "module/common/session_info.h"
#include "module/compat/compat.h"
#include "module/self/self_event.h"
#include "core/reserve.h"

/**
 * struct source - event to be written
 * @own: kind of event
 * @e: event
 * @data: data of the event
 */
struct source {
	const struct evnt_self_event *own;
	const struct evnt_event *e;
	const void *data;
};

/* evnt_write_record() calls this */
static __always_inline int fill(u8 *record, u32 size, s64 time, void *source)
{
	const struct source *s = source;

	evnt_self_put(record, size, s->own, s->e, time, s->data);
	return 0;
}

/**
 * evnt_self_write() - write one of the module's own events to a session
 * @s: session, which the caller keeps from being freed
 * @own: kind of event
 * @e: event
 * @data: data of the event
 *
 * The caller must have disabled preemption, and counts the event as lost on an
 * error.
 *
 * Return: 0 or an error of evnt_write_record().
 */
int evnt_self_write(struct evnt_session *s, const struct evnt_self_event *own,
		    const struct evnt_event *e, const void *data)
{
	struct source source = { own, e, data };

	return evnt_write_record(&s->buffers, smp_processor_id(),
				 evnt_record_size(e), fill, &source);
}

/*
 * Write a record that is not counted as an event.  Returns 0 or an error of
 * evnt_reserve(); a loss is not counted.
 */
static int write_uncounted(struct evnt_session *s,
			   const struct evnt_self_event *own,
			   const struct evnt_event *e, const void *data)
{
	const u32 size = evnt_record_size(e);
	struct evnt_reservation at;
	s64 time;
	int err;

	preempt_disable();
	err = evnt_reserve(&s->buffers, smp_processor_id(), size, &at, &time);
	if (!err) {
		evnt_self_put(evnt_record(&at), size, own, e, time, data);
		evnt_buffer_unref(at.buffer->owner, at.buffer);
	}
	preempt_enable();
	return err;
}

/* Find the session that blocked @s, if the owner of @s may query it */
static struct evnt_session *get_blocker(const struct evnt_session *s, u64 handle)
{
	struct evnt_session *by = evnt_session_get(handle);

	if (by && !evnt_access_allows(&by->info.guid, by->cred->euid, s->cred,
				      EVNTRACE_RIGHT_QUERY)) {
		evnt_session_put(by);
		by = NULL;
	}
	return by;
}

static int write_loss(void *session, u32 cpu, enum evnt_loss kind,
		      const struct evnt_gap *gap)
{
	struct evnt_session *s = session, *by = NULL;
	const struct evnt_session *of = s;
	struct evnt_loss_data data;
	struct evnt_event e;
	u32 len;

	if (kind == EVNT_LOST_BLOCKED)
		by = get_blocker(s, READ_ONCE(s->buffers.cpus[cpu].blocker));
	if (by)
		of = by;
	data.fixed.buffer_size = of->buffers.buffer_size;
	data.fixed.mode = evnt_session_mode(of);
	data.fixed.consumers = READ_ONCE(of->consumers);
	len = evnt_loss_fill(&data, cpu, kind, gap, by ? by->name->text : NULL,
			     by ? by->name->len : 0);
	if (by)
		evnt_session_put(by);
	evnt_self_describe(&e, &evnt_loss_event, len);
	return write_uncounted(s, &evnt_loss_event, &e, &data);
}

/**
 * evnt_self_losses() - record losses of a session in the session
 * @s: session
 * @all: record all losses, not only if a gap is over or long
 *
 * Called by the session's writer thread.  Without room, the losses are recorded
 * later.
 */
void evnt_self_losses(struct evnt_session *s, bool all)
{
	evnt_gaps_report(&s->buffers, all, write_loss, s);
}

/**
 * evnt_self_name() - write a record that names a process to a session
 * @s: session, which the caller keeps from being freed
 * @name: name
 * @package: package in UTF-16 with a nul
 * @package_len: length of @package in bytes, or 0
 * @process_id: process id
 *
 * The record is not counted as an event, but as lost on an error.  Any context.
 *
 * Return: 0 or an error of evnt_reserve().
 */
int evnt_self_name(struct evnt_session *s, const char *name,
		   const void *package, u32 package_len, u32 process_id)
{
	struct evnt_reservation at;
	s64 time;
	int err;

	preempt_disable();
	err = evnt_reserve(&s->buffers, smp_processor_id(),
			   evnt_process_record_size(name, package_len), &at,
			   &time);
	if (!err) {
		evnt_process_record_put(evnt_record(&at), name, package,
					package_len, process_id, time);
		evnt_buffer_unref(at.buffer->owner, at.buffer);
	} else {
		evnt_count_lost(&s->buffers, smp_processor_id(),
				evnt_loss_of(err));
	}
	preempt_enable();
	return err;
}

/* Exclude files that kernel_read() cannot read and would warn about */
static bool is_readable(const struct file *file)
{
	return file->f_mode & FMODE_READ && file->f_op->read_iter &&
	       !file->f_op->read;
}

static u32 read_file(void *file, u64 at, u8 *to, u32 len)
{
	loff_t pos = at;
	ssize_t done;

	if (!is_readable(file))
		return 0;
	done = kernel_read(file, to, len, &pos);
	return done < 0 ? 0 : done;
}

/**
 * evnt_mapped_file_info() - describe a file that a process has mapped
 * @s: scratch memory
 * @file: file
 * @text: buffer of EVNT_FILE_TEXT_MAX bytes; set to the build id in
 *	hexadecimal, or "" if there is none, and the path as seen by the current
 *	process, or "" if it is too long, each NUL-terminated
 *
 * The kernel determines the name and reads the build id from the file, so that
 * the process cannot forge the description.
 *
 * Context: Process context.  May sleep.
 *
 * Return: number of bytes written to @text.
 */
u32 evnt_mapped_file_info(struct evnt_file_scratch *s, struct file *file,
			  char *text)
{
	const u8 *id = NULL;
	char *path, *to = text;
	u32 id_len;

	id_len = evnt_file_build_id(&s->elf, read_file, file, &id);
	to += scnprintf(to, 2 * EVNT_BUILD_ID_MAX + 1, "%*phN", (int)id_len,
			id) + 1;
	/* The path as seen by the current process */
	path = d_path(evnt_user_path(file), s->path, sizeof(s->path));
	to += strscpy(to, IS_ERR(path) ? "" : path, PATH_MAX) + 1;
	return to - text;
}
