// SPDX-License-Identifier: MIT
/* Prints the statistics as a JSON object */
#include <stdio.h>

#include "decode/format.h"
#include "tools/common/json.h"
#include "tools/events/process_names.h"
#include "tools/stat/stat.h"

static void add_double(json_object *object, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	json_object_object_add(object, key,
			       json_object_new_double_s(value, text));
}

static void add_time(json_object *object, const char *key, int64_t time)
{
	char text[TIME_TEXT];

	json_add_text(object, key, format_time(time, text));
}

static void add_tally(json_object *object, const struct tally *tally,
		      const struct tally *span)
{
	json_add_number(object, "count", tally->count);
	json_add_number(object, "bytes", tally->bytes);
	add_double(object, "rate", stat_rate(tally, span));
	if (!tally->count)
		return;
	add_time(object, "first", tally->first);
	add_time(object, "last", tally->last);
}

static json_object *count_object(const struct etl_event_counts *tally)
{
	json_object *object = json_object_new_object();

	json_add_number(object, "count", tally->count);
	json_add_number(object, "bytes", tally->bytes);
	return object;
}

/* Add two objects: the counts, which suffice for most users, and the bytes */
static void add_kinds(json_object *object, const char *counts_key,
		      const char *bytes_key,
		      const struct etl_event_counts *tallies, unsigned int n,
		      const char *(*name)(unsigned int, char[STAT_NAME]))
{
	json_object *counts = json_object_new_object();
	json_object *bytes = json_object_new_object();
	char text[STAT_NAME];

	for (unsigned int i = 0; i < n; i++) {
		if (!tallies[i].count)
			continue;
		json_add_number(counts, name(i, text), tallies[i].count);
		json_add_number(bytes, name(i, text), tallies[i].bytes);
	}
	json_object_object_add(object, counts_key, counts);
	json_object_object_add(object, bytes_key, bytes);
}

static void add_unread(json_object *object, const struct etl_counts *counts)
{
	json_object *unread = json_object_new_object();

	for (int i = 0; i < ETL_UNREADS; i++) {
		const struct etl_event_counts *tally = &counts->unread[i];

		if (tally->count)
			json_object_object_add(unread, stat_unread_name(i),
					       count_object(tally));
	}
	json_object_object_add(object, "not_understood", unread);
}

static void add_losses(json_object *object, const struct stat_losses *losses)
{
	json_object *lost = json_object_new_object();

	json_add_number(lost, "events", losses->events);
	json_add_number(lost, "buffers", losses->buffers);
	json_add_number(lost, "buffers_after_lost_events",
			losses->after_events);
	json_add_number(lost, "buffers_after_lost_buffers",
			losses->after_buffers);
	json_object_object_add(object, "lost", lost);
}

static json_object *event_object(const struct event_counts *event,
				 const struct tally *span)
{
	json_object *object = json_object_new_object();
	const EVENT_DESCRIPTOR *descriptor = &event->descriptor;

	if (event->title[0])
		json_add_text(object, "name", event->title);
	json_add_number(object, "id", descriptor->Id);
	json_add_number(object, "version", descriptor->Version);
	json_add_number(object, "opcode", descriptor->Opcode);
	json_add_number(object, "task", descriptor->Task);
	json_add_number(object, "level", descriptor->Level);
	add_tally(object, &event->tally, span);
	return object;
}

static json_object *provider_object(const struct event_counts *from,
				    const struct event_counts *end,
				    const struct tally *sum,
				    const struct tally *span)
{
	json_object *object = json_object_new_object();
	json_object *events = json_object_new_array();

	json_add_guid(object, "provider", &from->provider);
	if (from->provider_name[0])
		json_add_text(object, "provider_name", from->provider_name);
	add_tally(object, sum, span);
	for (; from < end; from++)
		json_object_array_add(events, event_object(from, span));
	json_object_object_add(object, "events", events);
	return object;
}

static void add_providers(json_object *object, const struct stat_sums *sums)
{
	const struct event_counts *next, *at = sums->events;
	json_object *providers = json_object_new_array();
	struct tally sum;

	for (; at < sums->end; at = next) {
		next = stat_provider(at, sums->end, &sum);
		json_object_array_add(providers,
				      provider_object(at, next, &sum,
						      &sums->all));
	}
	json_object_object_add(object, "providers", providers);
}

static void add_processes(json_object *object, const struct stat_sums *sums)
{
	const struct processes *from = sums->processes;
	json_object *processes = json_object_new_array(), *process;
	const char *name, *package;

	for (size_t i = 0; i < from->count; i++) {
		process = json_object_new_object();
		json_add_number(process, "pid", from->list[i].pid);
		name = process_names_find(from->list[i].pid);
		if (name)
			json_add_text(process, "process", name);
		package = process_names_package(from->list[i].pid);
		if (package)
			json_add_text(process, "package", package);
		add_tally(process, &from->list[i].tally, &sums->all);
		json_object_array_add(processes, process);
	}
	json_object_object_add(object, "processes", processes);
}

void stat_print_json(const struct stat_sums *sums)
{
	const struct etl_counts *counts = &sums->counts;
	json_object *object = json_object_new_object();

	json_add_number(object, "files", sums->files);
	add_tally(object, &sums->all, &sums->all);
	add_double(object, "seconds", stat_seconds(&sums->all));
	json_object_object_add(object, "buffers",
			       count_object(&counts->buffers));
	json_object_object_add(object, "packed",
			       count_object(&counts->packed));
	json_add_number(object, "padding", counts->padding);
	json_add_number(object, "unused", counts->unused.bytes);
	add_kinds(object, "records", "record_bytes", counts->records,
		  ETL_KINDS, stat_record_name);
	add_kinds(object, "extended", "extended_bytes", counts->items,
		  ETL_ITEMS, stat_item_name);
	add_unread(object, counts);
	add_losses(object, &sums->losses);
	add_providers(object, sums);
	add_processes(object, sums);
	json_print(object);
}
