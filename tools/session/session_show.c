// SPDX-License-Identifier: MIT
/* Shows a session as text and as JSON */
#include <errno.h>
#include <stdio.h>

#include "tools/evnt.h"
#include "tools/session/losses.h"
#include "tools/session/mode.h"
#include "tools/session/recorded.h"
#include "tools/common/process.h"
#include "tools/session/session_show.h"

/*
 * Return the command of the process that started a session. The kernel starts
 * none, so without a pid the process is in another pid namespace.
 */
static char *owner_command(const struct evntrace_session *info, char *text,
			   size_t size)
{
	if (info->owner_pid)
		return process_name(info->owner_pid, text, size);
	snprintf(text, size, "elsewhere");
	return text;
}

char *owner_text(const struct evntrace_session *info, char text[OWNER_TEXT])
{
	bool lives = info->state & EVNTRACE_SESSION_OWNED;
	char user[32], command[32] = "";

	if (lives)
		owner_command(info, command, sizeof(command));
	snprintf(text, OWNER_TEXT, "%u %s%s%s%s%s", info->owner_pid,
		 user_name(info->owner_uid, user, sizeof(user)),
		 lives ? " " : "", command, lives ? "" : " (ended)",
		 info->state & EVNTRACE_SESSION_BOUND ? " (bound)" : "");
	return text;
}

static void add_flag(json_object *object, const char *key, bool value)
{
	json_object_object_add(object, key, json_object_new_boolean(value));
}

json_object *session_object(const struct dev_session *session)
{
	const struct evntrace_session *info = &session->info;
	const bool lives = info->state & EVNTRACE_SESSION_OWNED;
	json_object *object = json_object_new_object();
	char owner[32], start[TIME_TEXT], modes[MODE_TEXT];

	json_add_number(object, "id", EVNTRACE_HANDLE_ID(info->handle));
	json_add_text(object, "name", session->name);
	json_add_guid(object, "guid", info->guid.b);
	json_add_number(object, "pid", info->owner_pid);
	json_add_number(object, "uid", info->owner_uid);
	json_add_text(object, "user",
		      user_name(info->owner_uid, owner, sizeof(owner)));
	add_flag(object, "bound", info->state & EVNTRACE_SESSION_BOUND);
	add_flag(object, "alive", lives);
	if (lives)
		json_add_text(object, "command",
			      owner_command(info, owner, sizeof(owner)));
	json_add_text(object, "start_time",
		      format_time(info->start_time, start));

	json_add_text(object, "file", session->log_name);
	json_add_mask(object, "mode", info->log_file_mode);
	json_add_text(object, "mode_names",
		      mode_text(info->log_file_mode, modes));
	json_add_number(object, "max_file_size", info->max_file_size);
	json_add_text(object, "clock", clock_text(info->clock_type));
	json_add_number(object, "bytes_written", info->bytes_written);
	json_add_number(object, "buffers_written", info->buffers_written);

	json_add_number(object, "buffer_size", info->buffer_size);
	json_add_number(object, "min_buffers", info->min_buffers);
	json_add_number(object, "max_buffers", info->max_buffers);
	json_add_number(object, "buffers", info->buffers);
	json_add_number(object, "free_buffers", info->free_buffers);
	json_add_number(object, "flush_ms", info->flush_ms);
	json_add_number(object, "thread", info->writer_tid);
	json_add_number(object, "consumers", info->consumers);
	json_add_number(object, "events", info->events);
	add_losses(object, session);
	return object;
}

void report_recorded(const struct dev_session *session)
{
	char text[RECORDED_TEXT];

	note("%s", recorded_text(session, text));
	report_losses(session);
}

int explain_act(const struct dev_session *session, const char *act, int error)
{
	const char *rights = "create-ondisk";
	char user[32], id[GUID_TEXT];

	if (error != EACCES)
		return failed("cannot %s session '%s': %s", act, session->name,
			      dev_error(error));
	user_name(session->info.owner_uid, user, sizeof(user));
	if (is_logger(&session->info))
		return failed("cannot %s session '%s': it is %s's: only that"
			      " user and root may", act, session->name, user);
	if (session->info.log_file_mode & EVNTRACE_MODE_REAL_TIME)
		rights = *session->log_name ? "create-ondisk,create-realtime" :
					      "create-realtime";
	format_guid(session->info.guid.b, id);
	return failed("cannot %s session '%s': it is %s's: become that user,"
		      " or root; or have root run 'evnt access allow %s USER"
		      " %s'", act, session->name, user, id, rights);
}
