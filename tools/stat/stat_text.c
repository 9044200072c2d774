// SPDX-License-Identifier: MIT
/* Prints the statistics as tables */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/format.h"
#include "tools/evnt.h"
#include "tools/events/process_names.h"
#include "tools/print/print.h"
#include "tools/stat/stat.h"
#include "tools/common/strbuf.h"
#include "tools/common/table.h"
#include "tools/events/event_view.h"

static char *number(uint64_t value, char text[NUMBER_TEXT])
{
	snprintf(text, NUMBER_TEXT, "%" PRIu64, value);
	return text;
}

/* Format a time as seconds since the first event */
static char *offset(int64_t time, const struct tally *all,
		    char text[NUMBER_TEXT])
{
	struct tally since = { .first = all->first, .last = time };

	snprintf(text, NUMBER_TEXT, "%.3f", stat_seconds(&since));
	return text;
}

static void add_row(struct table *table, const char *provider,
		    const char *event, const struct tally *tally,
		    const struct tally *all)
{
	char count[NUMBER_TEXT], bytes[NUMBER_TEXT], rate[NUMBER_TEXT];
	char first[NUMBER_TEXT], last[NUMBER_TEXT];

	snprintf(rate, sizeof(rate), "%.1f", stat_rate(tally, all));
	table_add(table, (const char *[]){
		provider, event, number(tally->count, count),
		number(tally->bytes, bytes), rate,
		offset(tally->first, all, first),
		offset(tally->last, all, last)
	});
}

/* Return whether another event of the provider has the name, and the opcode */
static bool is_shared(const struct event_counts *event,
		      const struct event_counts *from,
		      const struct event_counts *end, bool with_opcode)
{
	for (; from < end; from++) {
		if (from != event && !strcmp(from->title, event->title) &&
		    (!with_opcode ||
		     from->descriptor.Opcode == event->descriptor.Opcode))
			return true;
	}
	return false;
}

/*
 * Return the event's name, otherwise its id, version and opcode. A name that
 * other events of the provider, @from to @end, have too is followed by what
 * differs. The caller frees the text.
 */
static char *event_text(const struct event_counts *event,
			const struct event_counts *from,
			const struct event_counts *end)
{
	const EVENT_DESCRIPTOR *descriptor = &event->descriptor;
	const bool named = event->title[0];
	char opcode[NUMBER_TEXT], *text;
	struct out out = {};

	format_opcode(descriptor->Opcode, opcode);
	out_text(&out, event->title);
	if (!named || is_shared(event, from, end, true)) {
		out_text(&out, named ? " " : "");
		out_unsigned(&out, descriptor->Id);
		out_text(&out, " v");
		out_unsigned(&out, descriptor->Version);
	}
	if (!named || is_shared(event, from, end, false)) {
		out_char(&out, ' ');
		out_text(&out, opcode);
	}
	text = must_have(strdup(out_string(&out)));
	out_free(&out);
	return text;
}

static void print_events(const struct stat_sums *sums)
{
	const struct event_counts *from, *next, *at = sums->events;
	struct table table = { .columns = 7, .text_columns = 2 };
	char guid[GUID_TEXT], *text;
	struct tally sum;

	table_add(&table, (const char *[]){
		"PROVIDER", "EVENT", "COUNT", "BYTES", "PER S", "FIRST, S",
		"LAST, S"
	});
	while (at < sums->end) {
		next = stat_provider(at, sums->end, &sum);
		add_row(&table, at->provider_name[0] ? at->provider_name :
				format_guid(&at->provider, guid),
			"all", &sum, &sums->all);
		for (from = at; at < next; at++) {
			text = event_text(at, from, next);
			add_row(&table, "", text, &at->tally, &sums->all);
			free(text);
		}
	}
	table_print(&table);
}

static void print_processes(const struct stat_sums *sums)
{
	const struct process_counts *p = sums->processes->list;
	const struct process_counts *end = p + sums->processes->count;
	char count[NUMBER_TEXT], bytes[NUMBER_TEXT], rate[NUMBER_TEXT];
	char first[NUMBER_TEXT], last[NUMBER_TEXT];
	struct table table = { .columns = 6, .text_columns = 1 };
	struct out process = {};

	if (p == end)
		return;
	putchar('\n');
	table_add(&table, (const char *[]){
		"PROCESS", "COUNT", "BYTES", "PER S", "FIRST, S", "LAST, S"
	});
	for (; p < end; p++) {
		snprintf(rate, sizeof(rate), "%.1f",
			 stat_rate(&p->tally, &sums->all));
		text_put_process(&process, process_names_shown(p->pid), p->pid);
		table_add(&table, (const char *[]){
			out_string(&process), number(p->tally.count, count),
			number(p->tally.bytes, bytes), rate,
			offset(p->tally.first, &sums->all, first),
			offset(p->tally.last, &sums->all, last)
		});
		process.len = 0;
	}
	out_free(&process);
	table_print(&table);
}

static void print_kinds(const char *heading,
			const struct etl_event_counts *tallies, unsigned int n,
			const char *(*name)(unsigned int, char[STAT_NAME]))
{
	struct table table = { .columns = 3, .text_columns = 1 };
	char text[STAT_NAME], count[NUMBER_TEXT], bytes[NUMBER_TEXT];

	table_add(&table, (const char *[]){ heading, "COUNT", "BYTES" });
	for (unsigned int i = 0; i < n; i++) {
		if (tallies[i].count)
			table_add(&table, (const char *[]){
				name(i, text), number(tallies[i].count, count),
				number(tallies[i].bytes, bytes)
			});
	}
	if (table.count > 1)
		putchar('\n');
	else
		table.count = 0;
	table_print(&table);
}

static const char *unread_text(unsigned int kind, char text[STAT_NAME])
{
	(void)text;
	return stat_unread_text(kind);
}

static void print_losses(const struct stat_losses *losses)
{
	if (losses->events || losses->buffers)
		printf("\nLost in recording: %" PRIu64 " events, %" PRIu64
		       " buffers\n", losses->events, losses->buffers);
	if (losses->after_events || losses->after_buffers)
		printf("\nBuffers flagged: %" PRIu64 " after lost events, %"
		       PRIu64 " after lost buffers\n", losses->after_events,
		       losses->after_buffers);
}

static void print_summary(const struct stat_sums *sums)
{
	const struct etl_counts *counts = &sums->counts;
	char first[TIME_TEXT], last[TIME_TEXT];

	printf("%" PRIu64 " events in %d file%s, %" PRIu64 " buffers, %.3f s",
	       sums->all.count, sums->files, sums->files == 1 ? "" : "s",
	       counts->buffers.count, stat_seconds(&sums->all));
	if (sums->all.count)
		printf(": %s to %s", format_time(sums->all.first, first),
		       format_time(sums->all.last, last));
	puts("\n");
}

void stat_print_text(const struct stat_sums *sums)
{
	const struct etl_counts *counts = &sums->counts;

	print_summary(sums);
	print_events(sums);
	print_processes(sums);
	print_kinds("RECORDS", counts->records, ETL_KINDS, stat_record_name);
	print_kinds("EXTENDED ITEMS", counts->items, ETL_ITEMS,
		    stat_item_name);
	print_kinds("NOT UNDERSTOOD", counts->unread, ETL_UNREADS,
		    unread_text);
	print_losses(&sums->losses);
}
