// SPDX-License-Identifier: MIT
/* Printing events, decoded as far as they are described. */
#include <getopt.h>
#include <string.h>

#include "decode.h"
#include "embedded.h"
#include "evnt.h"
#include "fields.h"
#include "logs.h"
#include "message.h"
#include "print.h"
#include "stack.h"
#include "told.h"

static struct embedded embedded;

bool is_decode_option(int option)
{
	return option == OPTION_MANIFEST ||
	       (option >= OPTION_HEADER && option <= OPTION_AS_JSON);
}

/* The first is what there is without an option */
static const struct form forms[] = {
	{ .name = "text", .event = print_text },
	{ .name = "json", .event = print_json },
	{ .name = "csv", .begin = print_csv_begin, .event = print_csv },
	{ .name = "xml", .begin = print_xml_begin, .event = print_xml,
	  .end = print_xml_end },
};

static int take_form(const struct verb *verb, struct decode *decode,
		     const char *name)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (strcmp(forms[i].name, name) != 0)
			continue;
		decode->form = &forms[i];
		return EVNT_DONE;
	}
	return misused(verb, "--format '%s' is none of text, json, csv, xml",
		       name);
}

int decode_option(const struct verb *verb, struct decode *decode, int option)
{
	switch (option) {
	case OPTION_MANIFEST:
		return load_manifest(optarg);
	case OPTION_HEADER:
		decode->header = true;
		return EVNT_DONE;
	case OPTION_FULL:
		decode->full = true;
		return EVNT_DONE;
	case OPTION_IMAGES:
		decode->images = true;
		return EVNT_DONE;
	case OPTION_NO_SYMBOLS:
		stack_without_symbols();
		return EVNT_DONE;
	case OPTION_FORMAT:
		return take_form(verb, decode, optarg);
	case OPTION_AS_JSON:
		return take_form(verb, decode, "json");
	default:
		return EVNT_MISUSED;
	}
}

void decode_unprinted(PEVENT_RECORD record)
{
	if (is_image(record))
		images_take(record);
	else if (is_of_module(record))
		told_take(record);
	else if (embedded_take(&embedded, record))
		fields_forget_unknown();
}

/* Images are for what comes behind them alone */
static VOID WINAPI on_peek(PEVENT_RECORD record)
{
	if (is_of_module(record) && !is_image(record))
		told_take(record);
}

void decode_peek(const struct logs *logs)
{
	logs_peek(logs, on_peek);
}

/* What is printed of one event */
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
	struct view view;

	if (is_log_header(record) && !decode->header)
		return false;
	decode_unprinted(record);
	if (is_of_module(record) && !decode->images)
		return false;
	view_event(record, &view);
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
	told_free();
}
