// SPDX-License-Identifier: MIT
/* Names of log file modes, events of the kernel, and clocks */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "tools/session/mode.h"
#include "tools/common/number.h"

struct flag_name {
	const char *name;
	ULONG flag;
};

static const struct flag_name modes[] = {
	{ "sequential", EVENT_TRACE_FILE_MODE_SEQUENTIAL },
	{ "circular", EVENT_TRACE_FILE_MODE_CIRCULAR },
	{ "append", EVENT_TRACE_FILE_MODE_APPEND },
	{ "new-file", EVENT_TRACE_FILE_MODE_NEWFILE },
	{ "preallocate", EVENT_TRACE_FILE_MODE_PREALLOCATE },
	{ "nonstoppable", EVENT_TRACE_NONSTOPPABLE_MODE },
	{ "secure", EVENT_TRACE_SECURE_MODE },
	{ "real-time", EVENT_TRACE_REAL_TIME_MODE },
	{ "delay-open-file", EVENT_TRACE_DELAY_OPEN_FILE_MODE },
	{ "buffering", EVENT_TRACE_BUFFERING_MODE },
	{ "private", EVENT_TRACE_PRIVATE_LOGGER_MODE },
	{ "add-header", EVENT_TRACE_ADD_HEADER_MODE },
	{ "kbytes", EVENT_TRACE_USE_KBYTES_FOR_SIZE },
	{ "global-sequence", EVENT_TRACE_USE_GLOBAL_SEQUENCE },
	{ "local-sequence", EVENT_TRACE_USE_LOCAL_SEQUENCE },
	{ "relog", EVENT_TRACE_RELOG_MODE },
	{ "private-in-proc", EVENT_TRACE_PRIVATE_IN_PROC },
	{ "stop-on-hybrid-shutdown", EVENT_TRACE_STOP_ON_HYBRID_SHUTDOWN },
	{ "persist-on-hybrid-shutdown",
	  EVENT_TRACE_PERSIST_ON_HYBRID_SHUTDOWN },
	{ "paged-memory", EVENT_TRACE_USE_PAGED_MEMORY },
	{ "system-logger", EVENT_TRACE_SYSTEM_LOGGER_MODE },
	{ "compressed", EVENT_TRACE_COMPRESSED_MODE },
	{ "independent", EVENT_TRACE_INDEPENDENT_SESSION_MODE },
	{ "no-per-processor-buffering",
	  EVENT_TRACE_NO_PER_PROCESSOR_BUFFERING },
	{ "addto-triage-dump", EVENT_TRACE_ADDTO_TRIAGE_DUMP },
};

#define MODES	(sizeof(modes) / sizeof(modes[0]))

/* Events of the kernel: flags of EnableFlags */
static const struct flag_name system_events[] = {
	{ "process", EVENT_TRACE_FLAG_PROCESS },
	{ "thread", EVENT_TRACE_FLAG_THREAD },
	{ "image", EVENT_TRACE_FLAG_IMAGE_LOAD },
	{ "switch", EVENT_TRACE_FLAG_CSWITCH },
	{ "ready", EVENT_TRACE_FLAG_DISPATCHER },
	{ "profile", EVENT_TRACE_FLAG_PROFILE },
	{ "fault", EVENT_TRACE_FLAG_MEMORY_PAGE_FAULTS },
	{ "hard-fault", EVENT_TRACE_FLAG_MEMORY_HARD_FAULTS },
	{ "interrupt", EVENT_TRACE_FLAG_INTERRUPT },
	{ "dpc", EVENT_TRACE_FLAG_DPC },
	{ "syscall", EVENT_TRACE_FLAG_SYSTEMCALL },
	{ "net", EVENT_TRACE_FLAG_NETWORK_TCPIP },
	{ "disk-io", EVENT_TRACE_FLAG_DISK_IO },
	{ "disk-init", EVENT_TRACE_FLAG_DISK_IO_INIT },
	{ "none", 0 },
	{ "disk", EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD |
		  EVENT_TRACE_FLAG_DISK_IO | EVENT_TRACE_FLAG_DISK_IO_INIT },
	{ "cpu", EVENT_TRACE_FLAG_PROCESS | EVENT_TRACE_FLAG_THREAD |
		 EVENT_TRACE_FLAG_IMAGE_LOAD | EVENT_TRACE_FLAG_CSWITCH |
		 EVENT_TRACE_FLAG_DISPATCHER | EVENT_TRACE_FLAG_PROFILE },
};

const char *mode_name(size_t index)
{
	return index < MODES ? modes[index].name : NULL;
}

/*
 * Compare names, ignoring case and hyphens: GlobalSequence is global-sequence
 */
static bool same_name(const char *name, const char *text, size_t len)
{
	const char *end = text + len;

	for (; *name; name++) {
		if (*name == '-')
			continue;
		while (text < end && *text == '-')
			text++;
		if (text == end || strncasecmp(name, text, 1) != 0)
			return false;
		text++;
	}
	return text == end;
}

static bool parse_one(const struct flag_name *names, size_t count,
		      const char *text, size_t len, ULONG *flags)
{
	ULONGLONG number;

	for (size_t i = 0; i < count; i++) {
		if (same_name(names[i].name, text, len)) {
			*flags |= names[i].flag;
			return true;
		}
	}
	if (!parse_number(text, len, &number) || number > 0xffffffff)
		return false;
	*flags |= number;
	return true;
}

static bool parse_flags(const struct flag_name *names, size_t count,
			const char *text, ULONG *flags)
{
	size_t len;

	for (;; text += len + 1) {
		len = strcspn(text, ",+");
		if (!len || !parse_one(names, count, text, len, flags))
			return false;
		if (!text[len])
			return true;
	}
}

bool mode_parse(const char *text, ULONG *mode)
{
	return parse_flags(modes, MODES, text, mode);
}

bool system_parse(const char *text, ULONG *flags)
{
	return parse_flags(system_events,
			   sizeof(system_events) / sizeof(system_events[0]),
			   text, flags);
}

static void append(char text[MODE_TEXT], const char *what)
{
	size_t len = strlen(text);

	snprintf(text + len, MODE_TEXT - len, "%s%s", len ? "," : "", what);
}

char *mode_text(ULONG mode, char text[MODE_TEXT])
{
	char rest[16];

	text[0] = '\0';
	for (size_t i = 0; i < MODES; i++) {
		if (mode & modes[i].flag)
			append(text, modes[i].name);
		mode &= ~modes[i].flag;
	}
	snprintf(rest, sizeof(rest), "0x%x", mode);
	if (mode)
		append(text, rest);
	return text;
}

/* Name by Wnode.ClientContext; 0 also means the first clock */
static const char *const clocks[] = { NULL, "perf", "system", "cycle" };

bool clock_parse(const char *text, ULONG *clock)
{
	for (ULONG i = 1; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (!strcasecmp(text, clocks[i])) {
			*clock = i;
			return true;
		}
	}
	return false;
}

const char *clock_text(ULONG clock)
{
	if (!clock || clock >= sizeof(clocks) / sizeof(clocks[0]))
		clock = 1;
	return clocks[clock];
}
