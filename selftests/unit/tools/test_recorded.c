// SPDX-License-Identifier: MIT
/* The summary of a stopped session: events kept, overwritten and lost. */
#include <stdbool.h>
#include <string.h>

#include "tools/session/recorded.c"
#include "selftests/unit/common/tap.h"

static struct dev_session session_of(__u32 mode, const char *file)
{
	struct dev_session session = {
		.info = {
			.log_file_mode = mode,
			.buffer_size = 65536,
			.events = 1000,
			.buffers_written = 40,
			.bytes_written = 40 * 65536,
		},
	};

	snprintf(session.log_name, sizeof(session.log_name), "%s", file);
	return session;
}

static bool text_is(const struct dev_session *session, const char *wanted)
{
	char text[RECORDED_TEXT];
	bool same = !strcmp(recorded_text(session, text), wanted);

	if (!same)
		printf("# '%s' is not '%s'\n", text, wanted);
	return same;
}

int main(void)
{
	struct dev_session s = session_of(EVNTRACE_MODE_SEQUENTIAL, "a.etl");

	CHECK(text_is(&s, "1000 events kept, 0 lost; 'a.etl' has 2621440 bytes"),
	      "a sequential file keeps all events");
	s.info.events_lost = 9;
	s.info.events_unwritten = 7;
	CHECK(text_is(&s, "993 events kept, 9 lost; 'a.etl' has 2621440 bytes"),
	      "unwritten events are lost and not kept");
	s.info.events = 5;
	CHECK(text_is(&s, "0 events kept, 9 lost; 'a.etl' has 2621440 bytes"),
	      "the number of kept events is not negative");

	s = session_of(EVNTRACE_MODE_CIRCULAR, "c.etl");
	CHECK(text_is(&s, "1000 events kept, 0 lost; 'c.etl' has 2621440 bytes"),
	      "a circular file with room keeps all events");
	s.info.bytes_written = 16 * 65536;
	CHECK(text_is(&s, "1000 events written, 0 lost; 'c.etl' has 1048576"
		      " bytes, the newest 16 of 40 buffers: older ones were"
		      " overwritten"),
	      "events of a full circular file are not called kept");
	s.info.log_file_mode = EVNTRACE_MODE_NEWFILE;
	CHECK(text_is(&s, "1000 events kept, 0 lost; 'c.etl' has 1048576 bytes"),
	      "a series of files keeps all events");

	s = session_of(EVNTRACE_MODE_REAL_TIME, "");
	CHECK(text_is(&s, "1000 events accepted, 0 lost; the session had no log"
		      " file"), "a session without a file keeps no event");

	s = session_of(EVNTRACE_MODE_PRIVATE, "p.etl");
	s.info.handle = EVNTRACE_PRIVATE_HANDLE;
	CHECK(text_is(&s, "1000 events kept, 0 lost, in 'p.etl_PID' of each"
		      " process"), "files of a private session keep all events");
	s.info.log_file_mode |= EVNTRACE_MODE_CIRCULAR;
	CHECK(text_is(&s, "1000 events accepted, 0 lost, in 'p.etl_PID' of each"
		      " process"),
	      "circular files of a private session may have overwritten events");
	s.info.log_file_mode &= ~EVNTRACE_MODE_CIRCULAR;
	s.info.buffers_lost = 1;
	CHECK(text_is(&s, "1000 events accepted, 0 lost, in 'p.etl_PID' of each"
		      " process"),
	      "events in lost buffers of a private session are not kept");
	return tap_end();
}
