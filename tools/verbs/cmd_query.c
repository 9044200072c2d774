// SPDX-License-Identifier: MIT
/* evnt query: shows all properties of a session */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/options.h"
#include "tools/session/registered.h"
#include "tools/filter/filter_text.h"
#include "tools/session/losses.h"
#include "tools/session/mode.h"
#include "tools/session/rings.h"
#include "tools/session/session_list.h"
#include "tools/session/session_show.h"

static const char about[] =
"Shows all properties of sessions, and the providers that they have enabled.\n";

static const char notes[] =
"Examples:\n"
"  evnt query server\n"
"  evnt query --json server | jq .providers\n";

/* Print a label and its value */
static void line(const char *label, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void line(const char *label, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_text(format, args);
	va_end(args);
	if (!text)
		return;
	printf("%-17s%s\n", label, make_printable(text));
	free(text);
}

static void print_properties(const struct dev_session *session)
{
	const struct evntrace_session *info = &session->info;
	const char *unit = info->log_file_mode &
			   EVENT_TRACE_USE_KBYTES_FOR_SIZE ? "KB" : "MB";
	char text[LOSSES_TEXT], modes[MODE_TEXT];

	line("Name:", "%s", session->name);
	line("Id:", "%" PRIu64, (uint64_t)EVNTRACE_HANDLE_ID(info->handle));
	line("GUID:", "%s", format_guid(info->guid.b, text));
	line("Owner:", "%s", owner_text(info, text));
	line("Started:", "%s", format_time(info->start_time, text));
	line("Log file:", "%s",
	     session->log_name[0] ? session->log_name : "none");
	line("Mode:", "0x%x %s", info->log_file_mode,
	     mode_text(info->log_file_mode, modes));
	if (info->max_file_size)
		line("Maximum size:", "%u %s", info->max_file_size, unit);
	else
		line("Maximum size:", "none");
	line("Written:", "%" PRIu64 " bytes, %" PRIu64 " buffers",
	     (uint64_t)info->bytes_written, (uint64_t)info->buffers_written);
	line("Clock:", "%s", clock_text(info->clock_type));
	line("Buffer size:", "%u KB", info->buffer_size / 1024);
	line("Buffers:", "%u, %u of them free; %u to %u", info->buffers,
	     info->free_buffers, info->min_buffers, info->max_buffers);
	if (info->flush_ms)
		line("Flush timer:", "%u.%03u s", info->flush_ms / 1000,
		     info->flush_ms % 1000);
	else
		line("Flush timer:", "off");
	line("Writer thread:", "%u", info->writer_tid);
	line("Consumers:", "%u", info->consumers);
	line("Events:", "%" PRIu64, (uint64_t)info->events);
	line("Lost:", "%s", losses_text(info, text));
}

static void print_rings(const struct session_rings *rings)
{
	if (*rings->why)
		line("Rings:", "none: %s", rings->why);
	else
		line("Rings:", "%" PRIu64 " events came from them",
		     rings->events);
}

/* Print an enablement. @may_ring: the session can have events from rings */
static void print_provider(int device,
			   const struct evntrace_enablement *enablement,
			   bool may_ring)
{
	struct filter_list list;
	char id[GUID_TEXT], *value;
	const char *name, *why;

	line(is_group(enablement) ? "Group:" : "Provider:",
	     "%s level=%u any=0x%llx all=0x%llx property=0x%x",
	     format_guid(enablement->provider.b, id), enablement->level,
	     enablement->match_any, enablement->match_all,
	     enablement->property & ~EVNTRACE_PROPERTY_PROCESS_NAME);
	filters_list(device, enablement, &list);
	for (size_t at = 0; (name = filter_next(&list, &at, &value)); ) {
		line("  Filter:", "%s %s", name, value);
		free(value);
	}
	free(list.data);
	why = may_ring ? rings_refused(device, enablement) : NULL;
	if (why)
		line("  Rings:", "none: %s", why);
}

static void add_rings(json_object *object, const struct session_rings *rings)
{
	json_object_object_add(object, "rings",
			       json_object_new_boolean(!*rings->why));
	if (*rings->why)
		json_add_text(object, "rings_why", rings->why);
	json_add_number(object, "ring_events", rings->events);
}

static json_object *provider_object(int device,
				    const struct evntrace_enablement *e,
				    bool may_ring)
{
	json_object *object = enabled_object(device, e);
	const char *why = rings_refused(device, e);

	json_object_object_add(object, "rings",
			       json_object_new_boolean(may_ring && !why));
	if (why)
		json_add_text(object, "rings_why", why);
	return object;
}

static void query_json(int device, const struct dev_session *session,
		       const struct enabled_list *list,
		       const struct session_rings *rings)
{
	json_object *object = session_object(session);
	json_object *array = json_object_new_array();

	add_rings(object, rings);
	for (size_t i = 0; i < list->count; i++)
		json_object_array_add(array,
				      provider_object(device,
						      &list->enablements[i],
						      !*rings->why));
	json_object_object_add(object, "providers", array);
	json_print(object);
}

static int query_one(int device, struct dev_session *session, bool json)
{
	struct session_rings rings;
	struct enabled_list list;
	int error = list_enabled(device, session->info.handle, &list);

	if (error)
		goto free_list;
	rings_of_session(device, session, &rings);
	if (json) {
		query_json(device, session, &list, &rings);
	} else {
		print_properties(session);
		print_rings(&rings);
		for (size_t i = 0; i < list.count; i++)
			print_provider(device, &list.enablements[i],
				       !*rings.why);
		putchar('\n');
	}
free_list:
	free(list.enablements);
	report_losses(session);
	return error;
}

static int run(int argc, char **argv)
{
	return act_on_named(&query_verb, argc, argv, query_one);
}

static const struct option_row options[] = {
	OPTION_ROW("json", 0, NULL,
		   "print a JSON object per session; see evnt-sessions(1) for its keys"),
	HELP_ROW,
	{}
};

const struct verb query_verb = {
	.name = "query",
	.summary = "show all properties of sessions",
	.synopsis = "NAME... [--json]",
	.about = about,
	.options = options,
	.notes = notes,
	.arguments = { "SESSION" },
	.run = run,
};
