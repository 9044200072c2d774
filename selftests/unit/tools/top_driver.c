// SPDX-License-Identifier: MIT
/*
 * Reads a growing log file as evnt top --cpu does, without a session:
 * top_driver FILE BUFFERS... prints an update for each number of buffers that
 * have been written. TOP_TEXT: as a table. TOP_COUNT: only the numbers of processes
 * and threads in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "core/etl.h"
#include "tools/events/decode.h"
#include "tools/top/top_print.h"
#include "tools/top/top_read.h"

int main(int argc, char **argv)
{
	struct dev_session session = {
		.name = "kernel",
		.info = {
			.handle = 1,
			.log_file_mode = EVNTRACE_MODE_SEQUENTIAL |
					 EVNTRACE_MODE_SYSTEM_LOGGER,
			.clock_type = EVNTRACE_CLOCK_SYSTEM_TIME,
		},
	};
	struct etl_buffer_header header = { 0 };
	struct cpu_use use = { .is_unordered = true };
	struct top_view view = { .unread = "" };
	struct top_reader *reader;
	struct counts counts;
	FILE *f;

	if (argc < 2)
		return 2;
	f = fopen(argv[1], "re");
	if (!f || fread(&header, sizeof(header), 1, f) != 1)
		return 1;
	fclose(f);
	snprintf(session.log_name, sizeof(session.log_name), "%s", argv[1]);
	session.info.buffer_size = header.buffer_size;
	counts_init(&counts);
	counts.cpu = &use;
	reader = reader_begin(&counts, &session, true);
	for (int i = 2; i < argc; i++) {
		session.info.bytes_written = atoi(argv[i]) * header.buffer_size;
		reader_look(reader, -1, &session);
		cpu_find_running(&use);
		cpu_finish(&use);
		if (getenv("TOP_COUNT"))
			printf("%u %u\n", use.process_count, use.thread_count);
		else if (getenv("TOP_TEXT"))
			top_print_cpu(&view, &use);
		else
			cpu_print_json(&use);
		cpu_restart(&use);
	}
	reader_end(reader);
	counts_free(&counts);
	cpu_free(&use);
	decode_free();
	return 0;
}
