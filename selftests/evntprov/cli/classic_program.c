// SPDX-License-Identifier: GPL-2.0
/*
 * A classic provider, written with the API from before EventWrite, that serves
 * a request in three parts.  With a log as argument it is the consumer that
 * puts the requests back together; with "-" it stays registered until its input
 * ends. evnt_classic.sh runs it in all three ways.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INITGUID
#include <evntcons.h>

#define REQUESTS	3
#define PARTS		3
#define TYPE_URL	10

DEFINE_GUID(ServerGuid, 0x6d3c4b5a, 0x0c1e, 0x4d55,
	    0x8f, 0x6e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78);
DEFINE_GUID(RequestGuid, 0x7b2f0c1e, 0x9a57, 0x4d55,
	    0x8f, 0x6e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78);
DEFINE_GUID(PartGuid, 0x7b2f0c1f, 0x9a57, 0x4d55,
	    0x8f, 0x6e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78);

/* Class of the record that names the process of the events */
DEFINE_GUID(ProcessGuid, 0x3d6fa8d0, 0xfe05, 0x11d0,
	    0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c);

static TRACEHANDLE session;

static ULONG WINAPI on_control(WMIDPREQUESTCODE code, PVOID context,
			       ULONG *size, PVOID buffer)
{
	(void)context;
	(void)size;
	session = code == WMI_ENABLE_EVENTS ? GetTraceLoggerHandle(buffer) : 0;
	return ERROR_SUCCESS;
}

/* Write an event about a transaction, or about a part of one */
static ULONG write_instance(UCHAR type, EVENT_INSTANCE_INFO *instance,
			    EVENT_INSTANCE_INFO *parent, ULONG number)
{
	struct {
		EVENT_INSTANCE_HEADER header;
		ULONG number;
	} event = {
		.header = {
			.Size = sizeof(event.header) + sizeof(number),
			.Class = { .Type = type, .Version = 1 },
			.RegHandle = (ULONG_PTR)instance->RegHandle,
			.Flags = WNODE_FLAG_TRACED_GUID,
		},
		.number = number,
	};

	return TraceEventInstance(session, &event.header, instance, parent);
}

/* Write the requested URL, from two separate pieces of memory */
static ULONG write_url(ULONG number, const char *url)
{
	struct {
		EVENT_TRACE_HEADER header;
		MOF_FIELD field[2];
	} event = {
		.header = {
			.Size = sizeof(event),
			.Class = { .Type = TYPE_URL, .Version = 1 },
			.Guid = RequestGuid,
			.Flags = WNODE_FLAG_TRACED_GUID |
				 WNODE_FLAG_USE_MOF_PTR,
		},
	};

	DEFINE_TRACE_MOF_FIELD(&event.field[0], &number, sizeof(number), 0);
	DEFINE_TRACE_MOF_FIELD(&event.field[1], url, strlen(url) + 1, 0);
	return TraceEvent(session, &event.header);
}

/* Write events about each part during its request */
static ULONG serve(const TRACE_GUID_REGISTRATION *classes, ULONG number)
{
	EVENT_INSTANCE_INFO request, part;
	ULONG i, code = 0;

	CreateTraceInstanceId(classes[0].RegHandle, &request);
	code |= write_instance(EVENT_TRACE_TYPE_START, &request, NULL, number);
	code |= write_url(number, "/index.html");
	for (i = 0; i < PARTS; i++) {
		CreateTraceInstanceId(classes[1].RegHandle, &part);
		code |= write_instance(EVENT_TRACE_TYPE_START, &part, &request,
				       i);
		code |= write_instance(EVENT_TRACE_TYPE_END, &part, &request,
				       i);
	}
	return code |
	       write_instance(EVENT_TRACE_TYPE_END, &request, NULL, number);
}

static ULONG provide(void)
{
	TRACE_GUID_REGISTRATION classes[] = {
		{ .Guid = &RequestGuid }, { .Guid = &PartGuid },
	};
	TRACEHANDLE registration;
	ULONG i, code;

	code = RegisterTraceGuids(on_control, NULL, &ServerGuid, 2, classes,
				  NULL, NULL, &registration);
	for (i = 0; i < REQUESTS; i++)
		code |= serve(classes, 100 + i);
	code |= TraceMessage(session, TRACE_MESSAGE_GUID |
			     TRACE_MESSAGE_TIMESTAMP, &RequestGuid, 5, "bye",
			     (size_t)4, NULL, (size_t)0);
	return code | UnregisterTraceGuids(registration);
}

static ULONG wait_registered(void)
{
	TRACEHANDLE registration;
	ULONG code;

	code = RegisterTraceGuids(on_control, NULL, &ServerGuid, 0, NULL, NULL,
				  NULL, &registration);
	while (!code && getchar() != EOF)
		;
	return code ? code : UnregisterTraceGuids(registration);
}

static int is_same(const GUID *a, const GUID *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* Facts found in the log about an instance */
static struct instance {
	const GUID *class;
	ULONG parent;
	ULONG number;
	ULONG starts;
	ULONG ends;
} instances[REQUESTS * (PARTS + 1) + 1];

static ULONG urls, messages, others;

static void note_instance(const EVENT_TRACE *e, const GUID *class)
{
	struct instance *i;

	if (e->InstanceId >= sizeof(instances) / sizeof(*instances) ||
	    e->MofLength != sizeof(ULONG)) {
		others++;
		return;
	}
	i = &instances[e->InstanceId];
	i->class = class;
	if (e->ParentInstanceId && is_same(&e->ParentGuid, &RequestGuid))
		i->parent = e->ParentInstanceId;
	memcpy(&i->number, e->MofData, sizeof(i->number));
	i->starts += e->Header.Class.Type == EVENT_TRACE_TYPE_START;
	i->ends += e->Header.Class.Type == EVENT_TRACE_TYPE_END &&
		   i->starts > i->ends;
}

static VOID WINAPI on_event(PEVENT_TRACE e)
{
	const GUID *class = &e->Header.Guid;

	if (is_same(class, &EventTraceGuid) || is_same(class, &ProcessGuid))
		return;
	if (is_same(class, &PartGuid))
		note_instance(e, &PartGuid);
	else if (!is_same(class, &RequestGuid))
		others++;
	else if (e->InstanceId)
		note_instance(e, &RequestGuid);
	else if (e->Header.Class.Type == TYPE_URL)
		urls += e->MofLength == sizeof(ULONG) + sizeof("/index.html");
	else if (e->MofLength == 4 && !memcmp(e->MofData, "bye", 4))
		messages++;
}

static void print_parts(ULONG request)
{
	const struct instance *i = instances;

	for (; i < instances + sizeof(instances) / sizeof(*instances); i++) {
		if (i->class == &PartGuid && i->parent == request)
			printf(" %u%s", i->number,
			       i->starts == 1 && i->ends == 1 ? "" : "?");
	}
}

static ULONG consume(char *path)
{
	EVENT_TRACE_LOGFILEA log = {
		.LogFileName = path, .EventCallback = on_event,
	};
	TRACEHANDLE handle = OpenTraceA(&log);
	ULONG i, code;

	if (handle == INVALID_PROCESSTRACE_HANDLE)
		return GetLastError();
	code = ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	for (i = 0; i < sizeof(instances) / sizeof(*instances); i++) {
		if (instances[i].class != &RequestGuid)
			continue;
		printf("request %u:", instances[i].number);
		print_parts(i);
		printf("%s\n", instances[i].ends ? "" : " and so on");
	}
	printf("urls %u messages %u others %u\n", urls, messages, others);
	return code;
}

int main(int argc, char **argv)
{
	ULONG code;

	if (argc < 2)
		code = provide();
	else
		code = strcmp(argv[1], "-") ? consume(argv[1]) :
					      wait_registered();
	if (code)
		fprintf(stderr, "%u\n", code);
	return !!code;
}
