// SPDX-License-Identifier: MIT
/*
 * A small provider that shows every way of writing events.
 *
 *	evnt record -p '*Evntprov-Sample' -o sample.etl -- evnt-sample
 *	evnt record -p 'group:*Samples' -o group.etl -- evnt-sample --group Samples
 *
 * It waits for a session to enable it, for ten seconds or as given by --wait.
 */
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <evntcons.h>
#include <evntlinux.h>
#include <evntprov.h>
#include <winmeta.h>

#define NAME		"Evntprov-Sample"
#define KEYWORD_WORK	0x1
#define KEYWORD_BULK	0x2

/* Id, version, channel, level, opcode, task, keyword */
static const EVENT_DESCRIPTOR hello = { 1, 0, 0, WINEVENT_LEVEL_INFO, 0, 0, 0 };
static const EVENT_DESCRIPTOR work_start = {
	2, 0, 0, WINEVENT_LEVEL_INFO, WINEVENT_OPCODE_START, 1, KEYWORD_WORK };
static const EVENT_DESCRIPTOR step = {
	3, 1, 0, WINEVENT_LEVEL_VERBOSE, 0, 1, KEYWORD_WORK };
static const EVENT_DESCRIPTOR work_stop = {
	4, 0, 0, WINEVENT_LEVEL_INFO, WINEVENT_OPCODE_STOP, 1, KEYWORD_WORK };
static const EVENT_DESCRIPTOR trouble = {
	5, 0, 0, WINEVENT_LEVEL_WARNING, 0, 2, KEYWORD_WORK };
static const EVENT_DESCRIPTOR bulk = {
	6, 0, 0, WINEVENT_LEVEL_VERBOSE, 0, 3, KEYWORD_BULK };

/*
 * Optional traits of a provider: total size, name, and the group it belongs to
 */
static struct {
	USHORT size;
	char name[sizeof(NAME)];
	USHORT group_size;
	BYTE group_type;
	GUID group;
} __attribute__((packed)) traits = {
	sizeof(USHORT) + sizeof(NAME), NAME,
	sizeof(USHORT) + sizeof(BYTE) + sizeof(GUID), EtwProviderTraitTypeGroup,
	{ 0 }
};

static int join(const char *group)
{
	GUID id;

	if (EvntProviderIdFromName(group, &id))
		return 0;
	traits.size = sizeof(traits);
	traits.group = id;
	return 1;
}

static sem_t changed;

/* Callback for each change by a session; must not block for long */
static VOID NTAPI on_change(LPCGUID source, ULONG is_enabled, UCHAR level,
			    ULONGLONG match_any, ULONGLONG match_all,
			    PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source, (void)level, (void)match_any, (void)match_all;
	(void)filter;
	if (is_enabled)
		sem_post(context);
}

/* Wait until the provider is enabled; it may already be when it registers */
static int wait_until_enabled(REGHANDLE provider, unsigned int seconds)
{
	struct timespec limit;

	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += seconds;
	while (!EventProviderEnabled(provider, 0, 0)) {
		if (sem_timedwait(&changed, &limit))
			return 0;
	}
	return 1;
}

static void write_step(REGHANDLE provider, const GUID *activity, ULONG number)
{
	static const char unit[] = "step";
	EVENT_DATA_DESCRIPTOR data[2];

	/* The payload is gathered from several blocks of memory */
	EventDataDescCreate(&data[0], &number, sizeof(number));
	EventDataDescCreate(&data[1], unit, sizeof(unit));
	EventWriteTransfer(provider, &step, activity, NULL, 2, data);
}

/*
 * Write the events of an activity that was started by another activity, which
 * two ids express
 */
static void do_work(REGHANDLE provider, const GUID *parent, ULONG steps)
{
	GUID activity;

	EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &activity);
	EventWriteTransfer(provider, &work_start, &activity, parent, 0, NULL);
	for (ULONG i = 0; i < steps; i++)
		write_step(provider, &activity, i);
	EventWriteTransfer(provider, &work_stop, &activity, NULL, 0, NULL);
}

static void write_events(REGHANDLE provider, ULONG steps)
{
	static char large[4000];
	EVENT_DATA_DESCRIPTOR data;
	GUID parent;

	EventWrite(provider, &hello, 0, NULL);

	EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &parent);
	do_work(provider, &parent, steps);

	EventWriteString(provider, WINEVENT_LEVEL_ERROR, KEYWORD_WORK,
			 u"A string needs no description to be read: \u00fc");
	EventDataDescCreate(&data, "disk", 4);
	EventWrite(provider, &trouble, 1, &data);

	/* Check whether an event is enabled before gathering costly data */
	if (EventEnabled(provider, &bulk)) {
		memset(large, 'x', sizeof(large));
		EventDataDescCreate(&data, large, sizeof(large));
		EventWrite(provider, &bulk, 1, &data);
	}
}

struct sample_options {
	ULONG steps;
	unsigned int wait_seconds;
};

/* Parse the options, each of which has a value; return 0 if one is invalid */
static int read_options(int argc, char **argv, struct sample_options *to)
{
	int i;

	if (!(argc % 2))
		return 0;
	for (i = 1; i < argc; i += 2) {
		if (!strcmp(argv[i], "--count"))
			to->steps = strtoul(argv[i + 1], NULL, 0);
		else if (!strcmp(argv[i], "--wait"))
			to->wait_seconds = strtoul(argv[i + 1], NULL, 0);
		else if (strcmp(argv[i], "--group") != 0 || !join(argv[i + 1]))
			return 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	struct sample_options options = { 6, 10 };
	REGHANDLE provider;
	GUID id;

	if (!read_options(argc, argv, &options)) {
		fprintf(stderr, "Usage: %s [--count STEPS] [--group NAME] "
			"[--wait SECONDS]\n", argv[0]);
		return 2;
	}
	sem_init(&changed, 0, 0);
	EvntProviderIdFromName(NAME, &id);
	if (EventRegister(&id, on_change, &changed, &provider))
		return 1;
	EventSetInformation(provider, EventProviderSetTraits, &traits,
			    traits.size);
	if (wait_until_enabled(provider, options.wait_seconds))
		write_events(provider, options.steps);
	else
		fputs("evnt-sample: no session enabled " NAME "\n", stderr);
	EventUnregister(provider);
	return 0;
}
