// SPDX-License-Identifier: MIT
/* Names in the output of evnt stat */
#include <stdio.h>

#include "tools/stat/stat.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

const char *stat_record_name(unsigned int kind, char text[STAT_NAME])
{
	static const char *const names[] = {
		[0x01] = "SYSTEM32", "SYSTEM64", "COMPACT32", "COMPACT64",
		[0x0a] = "FULL32", "INST32", "TIMED", "ERROR", "WNODE",
		"MESSAGE", "PERF32", "PERF64", "EVENT32", "EVENT64", "FULL64",
		"INST64",
	};

	if (kind == ETL_KIND_OTHER)
		return "OTHER";
	if (kind < COUNT(names) && names[kind])
		return names[kind];
	snprintf(text, STAT_NAME, "TYPE_%02x", kind);
	return text;
}

const char *stat_item_name(unsigned int type, char text[STAT_NAME])
{
	static const char *const names[] = {
		[1] = "RELATED_ACTIVITYID", "SID", "TS_ID", "INSTANCE_INFO",
		"STACK32", "STACK64", "PEBS", "PMC", "PSM_KEY", "EVENT_KEY",
		"SCHEMA_TL", "PROV_TRAITS", "PROCESS_START_KEY",
		"CONTROL_GUID", "QPC_DELTA", "CONTAINER_ID", "STACK_KEY32",
		"STACK_KEY64",
	};

	if (type == ETL_ITEM_OTHER)
		return "OTHER";
	if (type < COUNT(names) && names[type])
		return names[type];
	snprintf(text, STAT_NAME, "TYPE_%02x", type);
	return text;
}

static const struct {
	const char *name;
	const char *text;
} unread[ETL_UNREADS] = {
	[ETL_UNREAD_RECORD] = { "records", "records of unknown kinds" },
	[ETL_UNREAD_BUFFER_REST] = { "buffer_rests",
		"rests of buffers behind something that is no record" },
	[ETL_UNREAD_HIDDEN] = { "hidden",
		"data behind one of the two ends recorded in a buffer" },
	[ETL_UNREAD_ITEMS] = { "items",
		"rests of records behind a damaged extended item" },
	[ETL_UNREAD_CUT] = { "cut", "a buffer that the file ends in" },
	[ETL_UNREAD_JUNK] = { "junk", "something in place of a buffer" },
	[ETL_UNREAD_PACKED] = { "packed", "buffers that cannot be unpacked" },
	[ETL_UNREAD_CHANGED] = { "changed",
		"buffers overwritten or cut off during reading" },
};

const char *stat_unread_name(enum etl_unread kind)
{
	return unread[kind].name;
}

const char *stat_unread_text(enum etl_unread kind)
{
	return unread[kind].text;
}
