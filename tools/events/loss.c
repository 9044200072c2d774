// SPDX-License-Identifier: MIT
/* Describes events about lost events for people */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/self_layout.h"
#include "decode/format.h"
#include "tools/evnt.h"
#include "tools/events/loss.h"

#define TICKS_PER_SECOND	10000000u
#define TICKS_PER_MS		10000u
#define UNIX_EPOCH		11644473600ll	/* seconds since 1601 */

/**
 * struct loss_event - contents of an event about lost events
 * @fixed: its fixed part
 * @session: name of the session that had no room, or empty
 * @reason: reason, or empty
 */
struct loss_event {
	struct evntprov_loss fixed;
	char session[UTF16_TEXT(EVNTRACE_MAX_NAME)];
	char reason[16];
};

/* Read an event; events are not trusted, so strings may lack their ends */
static void read_event(struct loss_event *loss, const EVENT_RECORD *record)
{
	const char *text = record->UserData;
	size_t len = record->UserDataLength - sizeof(loss->fixed), units = 0;

	memcpy(&loss->fixed, text, sizeof(loss->fixed));
	text += sizeof(loss->fixed);
	while (2 * units + 1 < len && units < EVNTRACE_MAX_NAME &&
	       (text[2 * units] || text[2 * units + 1]))
		units++;
	format_utf16(text, units, loss->session, sizeof(loss->session));
	if (len > 2 * units + 2)
		snprintf(loss->reason, sizeof(loss->reason), "%.*s",
			 (int)(len - 2 * units - 2), text + 2 * units + 2);
	else
		loss->reason[0] = '\0';
}

#define CLOCK_TEXT	sizeof("00:00:00.000")

/* Format the local time of day in ms */
static const char *time_text(uint64_t filetime, char text[CLOCK_TEXT])
{
	time_t second = (long long)(filetime / TICKS_PER_SECOND) - UNIX_EPOCH;
	unsigned int ms = filetime % TICKS_PER_SECOND / TICKS_PER_MS;
	struct tm tm;

	if (!localtime_r(&second, &tm))
		memset(&tm, 0, sizeof(tm));
	snprintf(text, CLOCK_TEXT, "%02u:%02u:%02u.%03u",
		 (unsigned int)tm.tm_hour % 24, (unsigned int)tm.tm_min % 60,
		 (unsigned int)tm.tm_sec % 61, ms);
	return text;
}

static void put_cause(struct out *out, const struct loss_event *loss)
{
	const struct evntprov_loss *fixed = &loss->fixed;
	char buffers[64];

	snprintf(buffers, sizeof(buffers), "(%u KB buffers%s)",
		 fixed->buffer_size / 1024,
		 fixed->mode & EVNTRACE_MODE_REAL_TIME && !fixed->consumers ?
		 ", not being read" : "");
	if (loss->session[0]) {
		out_text(out, "session '");
		out_safely(out, loss->session);
		out_text(out, "' ");
		out_text(out, buffers);
		out_text(out, " had no room");
	} else if (!strcmp(loss->reason, "blocked")) {
		out_text(out, "another session, which has ended or is not"
			 " visible, had no room");
	} else if (!strcmp(loss->reason, "no buffer")) {
		out_text(out, "no buffer was free ");
		out_text(out, buffers);
	} else if (!strcmp(loss->reason, "too large")) {
		out_text(out, "they were too large for a buffer ");
		out_text(out, buffers);
	} else {
		out_text(out, "their data vanished while it was read");
	}
}

void loss_put(struct out *out, const EVENT_RECORD *record)
{
	char first[CLOCK_TEXT], last[CLOCK_TEXT];
	struct loss_event loss;

	read_event(&loss, record);
	time_text(loss.fixed.first, first);
	time_text(loss.fixed.last, last);
	out_text(out, "LOST ");
	out_unsigned(out, loss.fixed.count);
	out_text(out, loss.fixed.count == 1 ? " event " : " events ");
	if (strcmp(first, last) != 0) {
		out_text(out, "from ");
		out_text(out, first);
		out_text(out, " to ");
	} else {
		out_text(out, "at ");
	}
	out_text(out, last);
	out_text(out, " on CPU ");
	out_unsigned(out, loss.fixed.cpu);
	out_text(out, ": ");
	put_cause(out, &loss);
	out_char(out, '\n');
}
