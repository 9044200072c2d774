// SPDX-License-Identifier: MIT
/* Prints events, decoded as far as their format is known */
#include <stddef.h>
#include <string.h>

#include "tools/events/decode.h"
#include "decode/embedded.h"
#include "tools/evnt.h"
#include "tools/events/disks.h"
#include "tools/events/fields.h"
#include "tools/events/logs.h"
#include "tools/events/loss.h"
#include "tools/events/message.h"
#include "tools/events/process_names.h"
#include "tools/print/print.h"
#include "tools/events/stack.h"
#include "tools/events/manifest_events.h"

static struct embedded embedded;

/* Output formats; the first is the default */
static const struct form forms[] = {
	{ .name = "text", .begin = print_text_begin, .event = print_text },
	{ .name = "full", .event = print_full },
	{ .name = "json", .event = print_json },
	{ .name = "csv", .begin = print_csv_begin, .event = print_csv },
	{ .name = "xml", .begin = print_xml_begin, .event = print_xml,
	  .end = print_xml_end },
};

static int take_form(const struct option_value *v)
{
	const char *name = v->row->value ? v->text : "json";
	const struct form **form = v->field;

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (strcmp(forms[i].name, name) != 0)
			continue;
		*form = &forms[i];
		return EVNT_DONE;
	}
	return usage_error(v->verb,
			   "--format '%s' is none of text, full, json, csv, xml",
			   name);
}

static int take_no_symbols(const struct option_value *v)
{
	(void)v;
	stack_without_symbols();
	return EVNT_DONE;
}

const struct option_row symbol_rows[] = {
	OPTION_ROW("no-symbols", 0, NULL, "do not look up functions of call stacks", 0,
		   take_no_symbols),
	{}
};

#define AT(field)	offsetof(struct decode, field)

const struct option_row decode_rows[] = {
	OPTION_ROW("format", 0, "FORM",
		   "text; full: text with all of the header; json: an object per line,"
		   " see evnt-dump(1) for its keys; csv; or xml, in the format of"
		   " Windows' Event schema", AT(form),
		   take_form, "text full json csv xml"),
	OPTION_ROW("json", 0, NULL, "the same as --format json", AT(form), take_form),
	INCLUDE_ROWS(manifest_rows, 0),
	OPTION_ROW("header", 0, NULL, "also print the event that describes a log",
		   AT(header)),
	OPTION_ROW("full", 0, NULL,
		   "print long payloads in full (json always does), and in json the"
		   " raw extended items", AT(full)),
	OPTION_ROW("images", 0, NULL,
		   "also print the events about processes and files mapped by them",
		   AT(images)),
	INCLUDE_ROWS(symbol_rows, 0),
	{}
};

bool decode_unprinted(PEVENT_RECORD record)
{
	if (!is_of_module(record)) {
		if (embedded_take(&embedded, record))
			fields_forget_unknown();
		else
			description_take(record);
		disks_take(record);
		return false;
	}
	if (is_process_name(record))
		process_names_take_record(record);
	else if (is_image(record))
		images_take(record);
	else if (!is_loss(record))
		reported_take(record);
	return true;
}

/* Images are skipped: they apply to the events that follow them only */
static VOID WINAPI on_peek(PEVENT_RECORD record)
{
	if (is_process_name(record))
		process_names_take_record(record);
	else if (is_of_module(record) && !is_image(record) && !is_loss(record))
		reported_take(record);
	else
		disks_take(record);
}

void decode_peek(const struct logs *logs)
{
	logs_peek(logs, on_peek);
}

/* Output of the current event */
static struct out line;

static const struct form *form_of(const struct decode *decode)
{
	return decode->form ? decode->form : forms;
}

void decode_begin(const struct decode *decode)
{
	if (form_of(decode)->begin)
		form_of(decode)->begin(&line);
	out_print(&line, stdout);
}

bool decode_event(const struct decode *decode, PEVENT_RECORD record)
{
	bool of_module, loss;
	struct view view;

	if (is_log_header(record) && !decode->header)
		return false;
	of_module = decode_unprinted(record);
	loss = of_module && is_loss(record);
	if (loss && form_of(decode) == forms) {
		loss_put(&line, record);
		out_print(&line, stdout);
		return false;
	}
	if (of_module && !loss && !decode->images)
		return false;
	view_event(record, &view);
	process_names_take(&view);
	if (decode->selection && !selection_takes(decode->selection, &view))
		return false;
	form_of(decode)->event(&line, &view, decode->full);
	out_print(&line, stdout);
	return true;
}

void decode_end(const struct decode *decode)
{
	if (form_of(decode)->end)
		form_of(decode)->end(&line);
	out_print(&line, stdout);
}

void decode_free(void)
{
	fields_free();
	message_free();
	out_free(&line);
	embedded_free(&embedded);
	images_free(symbols_free);
	reported_free();
	process_names_free();
	disks_free();
}
