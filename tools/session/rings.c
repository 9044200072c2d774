// SPDX-License-Identifier: MIT
/*
 * Rings, into which threads write events without system calls: how many there
 * are, and why a session can have no events from them, by the module's rules
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <evntprov.h>

#include "tools/common/process.h"
#include "tools/filter/filter_text.h"
#include "tools/session/mode.h"
#include "tools/session/rings.h"

#define CPUS	"/sys/devices/system/cpu/"

/* Buffers of each processor that the module keeps for consumers */
#define KEPT_PER_CPU	4u

/* Items that the kernel adds to an event while the thread writes it */
#define WRITER_ITEMS							\
	(EVNTRACE_PROPERTY_SID | EVNTRACE_PROPERTY_TS_ID |		\
	 EVNTRACE_PROPERTY_PSM_KEY | EVNTRACE_PROPERTY_PROCESS_START_KEY |	\
	 EVNTRACE_PROPERTY_EVENT_KEY | EVNTRACE_PROPERTY_SILOS |	\
	 EVNTRACE_PROPERTY_CONTAINER)

/* Return the highest processor in a file of ranges such as "0-3,8-11", plus 1 */
static unsigned int cpus_in(const char *path)
{
	char text[128] = "";
	const char *last = text;

	first_line(path, text, sizeof(text));
	for (const char *at = text; *at; at++) {
		if (*at == '-' || *at == ',')
			last = at + 1;
	}
	return *last ? strtoul(last, NULL, 10) + 1 :
		       (unsigned long)sysconf(_SC_NPROCESSORS_CONF);
}

unsigned int ring_first_cpu(void)
{
	static unsigned int count;

	if (!count)
		count = cpus_in(CPUS "possible");
	return count;
}

/* Number of processors of the machine: others may be added to it */
static unsigned int present_cpus(void)
{
	static unsigned int count;

	if (!count)
		count = cpus_in(CPUS "present");
	return count;
}

uint64_t ring_events(const struct evntrace_cpu *cpus, size_t count)
{
	uint64_t events = 0;

	for (size_t i = ring_first_cpu(); i < count; i++)
		events += cpus[i].events;
	return events;
}

unsigned int rings_max(void)
{
	const unsigned int cpus = present_cpus();

	return cpus < 16 ? 16 : cpus > 64 ? 64 : cpus;
}

/* A ring is a shared mapping of the device at an offset of its own */
static bool is_ring(const char *line)
{
	static const char device[] = "/evntprov\n";
	const size_t len = strlen(line);
	unsigned long long offset;
	char mode[5];

	return len >= sizeof(device) &&
	       !strcmp(line + len - strlen(device), device) &&
	       sscanf(line, "%*s %4s %llx", mode, &offset) == 2 &&
	       mode[3] == 's' && offset == EVNTPROV_RING_OFFSET;
}

unsigned int rings_of_process(unsigned int pid)
{
	unsigned int count = 0;
	char path[32], *line = NULL;
	size_t size = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%u/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return 0;
	while (getline(&line, &size, maps) > 0)
		count += is_ring(line);
	free(line);
	fclose(maps);
	return count;
}

static bool rings_are_on(void)
{
	char text[8] = "";

	first_line(RING_PARAMETER, text, sizeof(text));
	return *text == 'Y';
}

/* Return the number of buffers, without those that consumers may hold */
static unsigned int own_buffers(const struct evntrace_session *info)
{
	unsigned int base = KEPT_PER_CPU * sysconf(_SC_NPROCESSORS_ONLN);

	if (base < info->max_buffers)
		base = info->max_buffers;
	return info->buffers < base ? info->buffers : base;
}

/* @count: number of possible processors and of rings of the session */
static void explain(const struct evntrace_session *info, size_t count,
		    char why[RINGS_TEXT])
{
	const size_t kept = count - ring_first_cpu() + present_cpus();
	const __u32 mode = info->log_file_mode;

	why[0] = '\0';
	if (is_logger(info))
		snprintf(why, RINGS_TEXT, "processes write to private sessions"
			 " directly");
	else if (mode & EVNTRACE_MODE_SECURE)
		snprintf(why, RINGS_TEXT, "its mode is secure");
	else if (mode & EVNTRACE_MODE_NO_PER_CPU)
		snprintf(why, RINGS_TEXT,
			 "its mode is no-per-processor-buffering");
	else if (mode & EVNTRACE_MODE_SYSTEM_LOGGER)
		snprintf(why, RINGS_TEXT, "it records events of the kernel");
	else if (info->clock_type != EVNTRACE_CLOCK_QPC)
		snprintf(why, RINGS_TEXT, "its clock is %s, not %s",
			 clock_text(info->clock_type), clock_text(CLOCK_PERF));
	else if (count <= ring_first_cpu())
		snprintf(why, RINGS_TEXT, "the module's rings %s",
			 rings_are_on() ? "were off when it was started" :
					  "are off");
	else if (own_buffers(info) <= kept)
		snprintf(why, RINGS_TEXT, "it has %u buffers, and needs %zu:"
			 " see --%s", own_buffers(info), kept + 1,
			 mode & EVNTRACE_MODE_BUFFERING ? "min-buffers" :
							  "buffers");
}

void rings_of_session(int device, const struct dev_session *session,
		      struct session_rings *rings)
{
	struct evntrace_cpu *cpus;
	size_t count;

	dev_list_cpus(device, session->info.handle, &cpus, &count);
	rings->events = ring_events(cpus, count);
	free(cpus);
	explain(&session->info, count, rings->why);
}

const char *rings_refused(int device,
			  const struct evntrace_enablement *enablement)
{
	const struct evntrace_filter *info;
	struct filter_list list;
	const char *why = NULL;

	if (enablement->property & EVNTRACE_PROPERTY_STACK_TRACE)
		return "its events have call stacks";
	if (enablement->property & WRITER_ITEMS)
		return "its events have extended items";
	filters_list(device, enablement, &list);
	for (size_t at = 0; (info = filter_info_next(&list, &at)); ) {
		if (info->type == EVENT_FILTER_TYPE_EVENT_ID ||
		    info->type == EVENT_FILTER_TYPE_EVENT_NAME ||
		    info->type == EVENT_FILTER_TYPE_PAYLOAD)
			why = "it has filters on events";
	}
	free(list.data);
	return why;
}
