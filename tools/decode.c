// SPDX-License-Identifier: MIT
/* Printing events, decoded as far as they are described. */
#include <getopt.h>

#include "decode.h"
#include "embedded.h"
#include "evnt.h"
#include "fields.h"
#include "logs.h"
#include "print.h"
#include "stack.h"

bool is_decode_option(int option)
{
	return option == OPTION_MANIFEST ||
	       (option >= OPTION_HEADER && option <= OPTION_NO_SYMBOLS);
}

int decode_option(struct decode *decode, int option)
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
	default:
		return EVNT_MISUSED;
	}
}

void decode_unprinted(PEVENT_RECORD record)
{
	if (is_image(record))
		images_take(record);
	else
		embedded_take(record);
}

bool decode_event(const struct decode *decode, PEVENT_RECORD record)
{
	struct view view;

	if (is_log_header(record) && !decode->header)
		return false;
	decode_unprinted(record);
	if (is_image(record) && !decode->images)
		return false;
	view_event(record, &view);
	if (decode->json)
		print_json(&view);
	else
		print_text(&view, decode->full);
	return true;
}

void decode_free(void)
{
	fields_free();
	embedded_free();
	images_free(symbols_free);
}
