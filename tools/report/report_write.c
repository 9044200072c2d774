// SPDX-License-Identifier: MIT
/*
 * The page of evnt report: collects events in columns, and writes these,
 * compressed, into the page. report.html documents how the page reads them.
 */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "decode/format.h"
#include "lib/consume/trace.h"
#include "tools/evnt.h"
#include "tools/events/images.h"
#include "tools/events/kernel_symbols.h"
#include "tools/events/process_event.h"
#include "tools/perfetto/export.h"
#include "tools/print/json_out.h"
#include "tools/print/print.h"
#include "tools/report/report_data.h"
#include "tools/report/report_page.h"

static void *begin(FILE *out, const struct logs *logs)
{
	struct report *r = must_have(calloc(1, sizeof(*r)));

	r->out = out;
	r->logs = logs;
	kernel_symbols_use(logs->files->LogfileHeader.BootTime.QuadPart);
	return r;
}

static bool is_writer(const void *context, uint32_t number)
{
	const struct report *r = context;
	const struct report_writer *w = &r->writers[number];

	return w->pid == r->wanted.pid && w->tid == r->wanted.tid;
}

static uint32_t writer_number(struct report *r, const EVENT_HEADER *h)
{
	uint32_t ids[] = { h->ProcessId, h->ThreadId };
	uint64_t hash = hash_bytes(HASH_BEGIN, ids, sizeof(ids));
	uint32_t number;

	r->wanted = (struct report_writer) { ids[0], ids[1] };
	number = hash_find(&r->writer_table, hash, is_writer, r);
	if (number != HASH_NONE)
		return number;
	r->writers = list_room(r->writers, r->writer_count, &r->writer_room,
			       sizeof(*r->writers));
	r->writers[r->writer_count] = r->wanted;
	hash_add(&r->writer_table, hash, r->writer_count);
	return r->writer_count++;
}

/* Return the number of the text of an event's fields */
static uint32_t detail_number(struct report *r, const struct view *view,
			      const struct schema *schema)
{
	char *text = view_is_string(view) ? view_string(view) : NULL;
	struct out *line = &r->line;

	line->len = 0;
	if (text)
		json_put_text(line, text);
	else if (schema)
		json_put_fields(line, fields_read(schema, view->record));
	else
		out_hex(line, view->record->UserData,
			view->record->UserDataLength);
	free(text);
	return text_number(&r->details, out_string(line));
}

static void take_loss(struct report *r, int64_t time)
{
	uint64_t lost = logs_losses_found(r->logs);

	if (lost == r->lost)
		return;
	r->losses = list_room(r->losses, r->loss_count, &r->loss_room,
			      sizeof(*r->losses));
	r->losses[r->loss_count++] = time;
	r->lost = lost;
}

static void name_process(struct report *r, uint32_t pid, const char *name)
{
	struct report_process *p;

	r->processes = list_room(r->processes, r->process_count,
				 &r->process_room, sizeof(*r->processes));
	p = &r->processes[r->process_count++];
	p->pid = pid;
	p->name = text_number(&r->names, name);
}

/* The rundown at the end names processes, threads and images of earlier events */
static void survey(void *writer, EVENT_RECORD *record)
{
	struct report *r = writer;

	cpu_take_end(&r->schedule.use, record);
}

static void event(void *writer, EVENT_RECORD *record)
{
	const EVENT_HEADER *h = &record->EventHeader;
	char text[GUID_TEXT], process[PROCESS_EVENT_NAME], *title;
	struct report *r = writer;
	const struct schema *schema;
	enum activity_role role;
	struct report_event *e;
	const char *provider;
	struct view view;
	uint32_t pid;

	view_event(record, &view);
	schema = fields_schema(view.kind, record);
	r->events = list_room(r->events, r->count, &r->room,
			      sizeof(*r->events));
	e = &r->events[r->count++];
	e->time = h->TimeStamp.QuadPart;
	e->writer = writer_number(r, h);
	provider = provider_name(view.kind, schema);
	e->provider = text_number(&r->names, provider && *provider ? provider :
				  format_guid(&h->ProviderId, text));
	title = event_title(&view, schema);
	e->title = text_number(&r->names, title);
	free(title);
	e->level = h->EventDescriptor.Level;
	e->detail = detail_number(r, &view, schema);
	activities_take(&r->activities, &view, &role);
	report_schedule_take(&r->schedule, record);
	r->stacks += folds_add(&r->folds, record);
	take_loss(r, e->time);
	if (process_event(&view, &pid, process))
		name_process(r, pid, process);
}

static uint64_t block_begin(struct out *out)
{
	out_bytes(out, "\0\0\0\0", 4);
	return out->len;
}

/* Set the length in front of a block */
static void block_end(struct out *out, uint64_t at)
{
	uint32_t len = out->len - at;

	memcpy(out->text + at - sizeof(len), &len, sizeof(len));
}

static void put_number(struct out *out, uint32_t number)
{
	out_bytes(out, &number, sizeof(number));
}

/*
 * Columns of all events, 32-bit numbers in the byte order of x86. A time is the
 * difference to the event before it, its upper half in the second column.
 */
static void put_columns(struct out *out, const struct report *r)
{
	const struct report_event *e = r->events;
	int64_t step;

	for (int half = 0; half < 2; half++) {
		for (uint32_t i = 0; i < r->count; i++) {
			step = i ? e[i].time - e[i - 1].time : 0;
			put_number(out, half ? step >> 32 : step);
		}
	}
	for (uint32_t i = 0; i < r->count; i++)
		put_number(out, e[i].writer);
	for (uint32_t i = 0; i < r->count; i++)
		put_number(out, e[i].provider);
	for (uint32_t i = 0; i < r->count; i++)
		put_number(out, e[i].title);
	for (uint32_t i = 0; i < r->count; i++)
		put_number(out, e[i].level);
	for (uint32_t i = 0; i < r->count; i++)
		put_number(out, e[i].detail);
}

/* Write bytes in base64, which contains no character of markup */
static void write_base64(FILE *out, const unsigned char *bytes, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	uint32_t bits;

	for (size_t i = 0; i < len; i += 3) {
		bits = bytes[i] << 16;
		bits |= i + 1 < len ? bytes[i + 1] << 8 : 0;
		bits |= i + 2 < len ? bytes[i + 2] : 0;
		putc(digits[bits >> 18], out);
		putc(digits[bits >> 12 & 63], out);
		putc(i + 1 < len ? digits[bits >> 6 & 63] : '=', out);
		putc(i + 2 < len ? digits[bits & 63] : '=', out);
	}
}

static void write_packed(FILE *out, const struct out *data)
{
	uLongf len = compressBound(data->len);
	unsigned char *packed = must_have(malloc(len));

	must_have(compress2(packed, &len, (unsigned char *)data->text,
			    data->len, 6) == Z_OK ? packed : NULL);
	write_base64(out, packed, len);
	free(packed);
}

static void end(void *writer)
{
	const char *mark = strstr(report_page, REPORT_MARK);
	struct report *r = writer;
	struct out data = {};
	uint64_t at;

	if (!r->count && !r->logs->count)
		return;
	at = block_begin(&data);
	report_put_head(&data, r);
	block_end(&data, at);
	at = block_begin(&data);
	put_columns(&data, r);
	block_end(&data, at);
	at = block_begin(&data);
	for (uint32_t i = 0; i < r->details.count; i++) {
		out_text(&data, text_at(&r->details, i));
		out_char(&data, '\n');
	}
	block_end(&data, at);
	fwrite(report_page, 1, mark - report_page, r->out);
	write_packed(r->out, &data);
	fputs(mark + strlen(REPORT_MARK), r->out);
	out_free(&data);
}

static void free_report(void *writer)
{
	struct report *r = writer;

	free(r->events);
	free(r->writers);
	free(r->processes);
	free(r->losses);
	hash_free(&r->writer_table);
	texts_free(&r->names);
	texts_free(&r->details);
	out_free(&r->line);
	folds_free(&r->folds);
	activities_free(&r->activities);
	report_schedule_free(&r->schedule);
	kernel_symbols_free();
	free(r);
}

const struct export_format report_format = {
	.begin = begin,
	.survey = survey,
	.event = event,
	.end = end,
	.free = free_report,
	.is_text = true,
};
