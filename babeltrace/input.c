// SPDX-License-Identifier: MIT
/* A log file as an input */
#include <stdlib.h>

#include "lib/consume/etl_clock.h"
#include "lib/consume/trace_source.h"
#include "decode/open_error.h"
#include "babeltrace/source.h"

/* Limit a time to the range of valid times */
static s64 clamp(s64 time, s64 least)
{
	if (time < least)
		return least;
	return time < LATEST ? time : LATEST;
}

bool input_open(struct input *input)
{
	char text[OPEN_PROBLEM_TEXT];
	const TRACE_LOGFILE_HEADER *h;
	ULONG code;
	s64 end;

	code = etl_file_open(&input->source, input->path);
	if (code) {
		input->source = NULL;
		FAIL(input->component, "%s",
		     open_problem(input->path, code, text));
		return false;
	}
	etl_clock_to_unix(&input->source->clock);
	h = &input->source->header;
	/* A file that was not closed has no end in its header */
	end = h->EndTime.QuadPart ? etl_clock_unix(h->EndTime.QuadPart) :
				    etl_file_written(input->source);
	input->start = clamp(etl_clock_unix(h->StartTime.QuadPart), 0);
	input->end = clamp(end, input->start);
	input->events_lost = h->EventsLost;
	input->buffers_lost = h->BuffersLost;
	return true;
}

void input_free(struct input *input)
{
	u32 i;

	if (input->source)
		input->source->ops->close(input->source);
	for (i = 0; i < input->stream_count; i++)
		bt_stream_put_ref(input->streams[i]);
	bt_stream_put_ref(input->losses);
	bt_trace_put_ref(input->trace);
	free(input->streams);
	free(input->path);
}
