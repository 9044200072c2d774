// SPDX-License-Identifier: MIT
/* The header of a log file: the number of processors. */
#include "core/buffer.h"
#include "core/log_header.h"
#include "selftests/unit/common/tap.h"

static u8 header[4096];

static const struct etl_logfile_header *info_after(u32 cpu)
{
	evnt_log_header_cover(header, cpu);
	return evnt_log_header_info(header);
}

int main(void)
{
	const u8 zone[ETL_TIME_ZONE_SIZE] = {};
	const u16 name = 'S';

	evnt_log_header_put(header, &(struct evnt_log_header) {
		.buffer_size = sizeof(header), .processors = 2,
		.clock_type = EVNT_CLOCK_QPC, .time_zone = zone,
		.name = &name, .log_name = &name, .name_len = 1,
		.log_name_len = 1,
	});
	CHECK(info_after(1)->processors == 2,
	      "a processor that is counted does not change the number");
	CHECK(info_after(2)->processors == 3 &&
	      info_after(0)->processors == 3 &&
	      info_after(0)->version == ETL_LAYOUT_1_5,
	      "the number is above each processor that has written");
	CHECK(info_after(256)->processors == 257 &&
	      info_after(0)->version == ETL_LAYOUT_2_0,
	      "more than 256 processors have a layout of their own");
	return tap_end();
}
