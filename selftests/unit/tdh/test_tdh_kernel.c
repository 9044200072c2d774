// SPDX-License-Identifier: MIT
/*
 * Events of Windows' kernel, decoded with the library's own table: records made
 * here, with each type of field, and the records of the files in
 * $EVNT_DATA/etl, which must be decoded to the last byte.
 */
#include <dirent.h>
#include <limits.h>
#include <unistd.h>

#include "evntcons.h"
#include "evnttdh.h"
#include "tdh/kernel_classes.h"
#include "selftests/unit/common/tap.h"
#include "selftests/unit/tdh/tdh_text.h"

#define GUID_TAIL	{ 0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c }

static const GUID process = { 0x3d6fa8d0, 0xfe05, 0x11d0, GUID_TAIL };
static const GUID thread = { 0x3d6fa8d1, 0xfe05, 0x11d0, GUID_TAIL };
static const GUID page_fault = { 0x3d6fa8d3, 0xfe05, 0x11d0, GUID_TAIL };
static const GUID tcp_ip = {
	0x9a280ac0, 0xc8e0, 0x11d1,
	{ 0x84, 0xe2, 0x00, 0xc0, 0x4f, 0xb9, 0x98, 0xa2 },
};
static const GUID stack_walk = {
	0xdef2fe46, 0x7bd6, 0x4b80,
	{ 0xbd, 0x94, 0xf5, 0x7f, 0xe2, 0x0d, 0x0c, 0xe3 },
};
static const GUID system_config = {
	0x01853a65, 0x418f, 0x4f36,
	{ 0xae, 0xfc, 0xdc, 0x0f, 0x1d, 0x2f, 0xd2, 0x35 },
};

/**
 * struct made - a record being made
 * @event: the event
 * @data: its payload
 * @bytes: size of pointers in bytes
 */
struct made {
	EVENT_RECORD event;
	u8 data[2048];
	unsigned int bytes;
};

static void make(struct made *m, const GUID *class, u8 version, u8 type,
		 unsigned int bytes)
{
	memset(m, 0, sizeof(*m));
	m->bytes = bytes;
	m->event.EventHeader.ProviderId = *class;
	m->event.EventHeader.EventDescriptor.Version = version;
	m->event.EventHeader.EventDescriptor.Opcode = type;
	m->event.EventHeader.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER |
		(bytes == 4 ? EVENT_HEADER_FLAG_32_BIT_HEADER :
			      EVENT_HEADER_FLAG_64_BIT_HEADER);
	m->event.UserData = m->data;
}

static void put(struct made *m, u64 number, unsigned int size)
{
	memcpy(m->data + m->event.UserDataLength, &number, size);
	m->event.UserDataLength += size;
}

static void put_pointer(struct made *m, u64 number)
{
	put(m, number, m->bytes);
}

static void put_wide(struct made *m, const char *text)
{
	do
		put(m, (u8)*text, 2);
	while (*text++);
}

static void put_bytes(struct made *m, const void *data, unsigned int size)
{
	memcpy(m->data + m->event.UserDataLength, data, size);
	m->event.UserDataLength += size;
}

/**
 * struct shown - an event as text
 * @info: its information
 * @bytes: size of its pointers in bytes
 * @end: end of the last value
 * @text: names and values
 */
struct shown {
	TRACE_EVENT_INFO *info;
	unsigned int bytes;
	const u8 *end;
	char text[1024];
};

static ULONG WINAPI show(const EVNT_PROPERTY *p, PVOID context)
{
	struct shown *s = context;
	EVENT_PROPERTY_INFO *info = &s->info->EventPropertyInfoArray[p->Index];
	size_t len = strlen(s->text);
	char value[256];
	ULONG size = sizeof(value);
	char *name;

	if (p->Kind != EvntPropertyValue)
		return ERROR_SUCCESS;
	s->end = p->Data + p->DataLength;
	name = narrow(TEI_PROPERTY_NAME(s->info, info));
	if (!EvntFormatProperty(s->info, NULL, s->bytes, p, &size, value))
		snprintf(s->text + len, sizeof(s->text) - len, "%s%s=%s",
			 len ? " " : "", name, value);
	free(name);
	return ERROR_SUCCESS;
}

/* Return the code of the walk through the event's properties */
static ULONG walk(struct made *m, struct shown *s)
{
	ULONG code = ERROR_NOT_FOUND;

	memset(s, 0, sizeof(*s));
	s->bytes = m->bytes;
	s->end = m->data;
	s->info = info_of(&m->event);
	if (s->info)
		code = EvntEnumerateProperties(&m->event, s->info, show, s);
	return code;
}

/* Check that the event has these names and values, and nothing behind them */
static void check_event(struct made *m, const char *task, const char *opcode,
			const char *want)
{
	struct shown s;
	ULONG code = walk(m, &s);
	const char *provider = strcmp(task, "HeapTrace") ? "MSNT_SystemTrace" :
							  "HeapTraceProvider";
	bool named = s.info && is_text(TEI_TASK_NAME(s.info), task) &&
		     is_text(TEI_OPCODE_NAME(s.info), opcode) &&
		     is_text(TEI_PROVIDER_NAME(s.info), provider) &&
		     s.info->DecodingSource == DecodingSourceWbem;

	CHECK(!code && named && !strcmp(s.text, want) &&
	      s.end == m->data + m->event.UserDataLength,
	      "%s %s of %u bits: %s", task, opcode, 8 * m->bytes, want);
	if (strcmp(s.text, want) != 0)
		printf("# %s\n", s.text);
	free(s.info);
}

static const u8 sid[] = { 1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0 };

static void make_process(struct made *m, u8 version, unsigned int bytes)
{
	make(m, &process, version, 1, bytes);
	put_pointer(m, 0x1000);
	put(m, 0x77, 4);
	put(m, 4, 4);
	put(m, 1, 4);
	put(m, 259, 4);
	put_pointer(m, 0x2000);
	if (version > 3)
		put(m, 2, 4);
	/* A token of two pointers is in front of the SID */
	put_pointer(m, 1);
	put_pointer(m, 0);
	put_bytes(m, sid, sizeof(sid));
	put_bytes(m, "a.exe", 6);
	put_wide(m, "a.exe -b");
}

static void test_process(void)
{
	struct made m;

	make_process(&m, 4, 8);
	put_wide(&m, "Package");
	put_wide(&m, "");
	check_event(&m, "Process", "Start",
		    "UniqueProcessKey=0x1000 ProcessId=0x77 ParentId=0x4 SessionId=1 ExitStatus=259 DirectoryTableBase=0x2000 Flags=0x2 UserSID=S-1-5-18 ImageFileName=a.exe CommandLine=a.exe -b PackageFullName=Package ApplicationId=");
	make_process(&m, 3, 4);
	check_event(&m, "Process", "Start",
		    "UniqueProcessKey=0x1000 ProcessId=0x77 ParentId=0x4 SessionId=1 ExitStatus=259 DirectoryTableBase=0x2000 UserSID=S-1-5-18 ImageFileName=a.exe CommandLine=a.exe -b");
}

static void test_numbers(void)
{
	struct made m;

	make(&m, &thread, 4, 36, 8);
	put(&m, 0x10, 4);
	put(&m, 0x20, 4);
	put_bytes(&m, "\x08\x0f\x01\x00\x1e\xff\x05\x02", 8);
	put(&m, 0xabc, 4);
	put(&m, 0, 4);
	check_event(&m, "Thread", "CSwitch",
		    "NewThreadId=0x10 OldThreadId=0x20 NewThreadPriority=8 OldThreadPriority=15 PreviousCState=1 SpareByte=0 OldThreadWaitReason=30 OldThreadWaitMode=-1 OldThreadState=5 OldThreadWaitIdealProcessor=2 NewThreadWaitTime=0xABC Reserved=0");
	make(&m, &page_fault, 2, 32, 4);
	put(&m, 1234567, 8);
	put(&m, 0x4000, 8);
	put_pointer(&m, 0x80000000);
	put_pointer(&m, 0x1000);
	put(&m, 7, 4);
	put(&m, 4096, 4);
	check_event(&m, "PageFault", "HardFault",
		    "InitialTime=1234567 ReadOffset=0x4000 VirtualAddress=0x80000000 FileObject=0x1000 TThreadId=0x7 ByteCount=4096");
}

/* Events of a heap, which processes write, in 32 and 64 bits */
static void test_heap(void)
{
	static const GUID heap = {
		0x222962ab, 0x6180, 0x4b88,
		{ 0xa8, 0x25, 0x34, 0x6b, 0x75, 0xf2, 0xa2, 0x4a }
	};
	struct made m;

	for (unsigned int bytes = 4; bytes <= 8; bytes += 4) {
		make(&m, &heap, 2, 33, bytes);
		put_pointer(&m, 0x1000);
		put_pointer(&m, 0x20);
		put_pointer(&m, 0x3000);
		put(&m, 2, 4);
		check_event(&m, "HeapTrace", "Alloc",
			    "HeapHandle=0x1000 AllocSize=0x20 AllocAddress=0x3000 SourceId=2");
	}
}

static void put_ports(struct made *m)
{
	put_bytes(m, "\x00\x50\x1f\x90", 4);
	put(m, 9, 4);
	put_pointer(m, 0);
}

static void test_addresses(void)
{
	static const u8 loopback[16] = { [15] = 1 };
	static const u8 host[16] = { 0xfe, 0x80, [15] = 2 };
	struct made m;

	make(&m, &tcp_ip, 2, 11, 4);
	put(&m, 5, 4);
	put(&m, 100, 4);
	put_bytes(&m, "\x0a\x00\x00\x01\x7f\x00\x00\x01", 8);
	put_ports(&m);
	check_event(&m, "TcpIp", "RecvIPV4",
		    "PID=5 size=100 daddr=10.0.0.1 saddr=127.0.0.1 dport=80 sport=8080 seqnum=9 connid=0x0");
	make(&m, &tcp_ip, 2, 27, 8);
	put(&m, 5, 4);
	put(&m, 100, 4);
	put_bytes(&m, loopback, sizeof(loopback));
	put_bytes(&m, host, sizeof(host));
	put_ports(&m);
	check_event(&m, "TcpIp", "RecvIPV6",
		    "PID=5 size=100 daddr=::1 saddr=fe80::2 dport=80 sport=8080 seqnum=9 connid=0x0");
}

static void make_stack(struct made *m, unsigned int frames, unsigned int bytes)
{
	make(m, &stack_walk, 2, 32, bytes);
	put(m, 99, 8);
	put(m, 4, 4);
	put(m, 8, 4);
	for (unsigned int i = 1; i <= frames; i++)
		put_pointer(m, 0x100 * i);
}

static void test_arrays(void)
{
	static const WCHAR name[] = { 'S', 't', 'a', 'c', 'k', 0 };
	PROPERTY_DATA_DESCRIPTOR second = { (uintptr_t)name, 1, 0 };
	u64 value = 0;
	struct made m;
	ULONG code;

	make_stack(&m, 2, 8);
	check_event(&m, "StackWalk", "Stack",
		    "EventTimeStamp=99 StackProcess=0x4 StackThread=8 Stack=0x100 Stack=0x200");
	code = TdhGetProperty(&m.event, 0, NULL, 1, &second, sizeof(value),
			      (BYTE *)&value);
	CHECK(!code && value == 0x200,
	      "TdhGetProperty returns an element of an array up to the end");
	make_stack(&m, 3, 4);
	check_event(&m, "StackWalk", "Stack",
		    "EventTimeStamp=99 StackProcess=0x4 StackThread=8 Stack=0x100 Stack=0x200 Stack=0x300");
	make_stack(&m, 0, 8);
	check_event(&m, "StackWalk", "Stack",
		    "EventTimeStamp=99 StackProcess=0x4 StackThread=8");
	make(&m, &system_config, 4, 22, 8);
	put_bytes(&m, &process, sizeof(process));
	put(&m, 2, 4);
	put(&m, 0, 4);
	put_wide(&m, "id");
	put_wide(&m, "text");
	put_wide(&m, "");
	put_wide(&m, "pdo");
	put_wide(&m, "service");
	put_wide(&m, "one");
	put_wide(&m, "two");
	check_event(&m, "SystemConfig", "PnP",
		    "ClassGuid={3D6FA8D0-FE05-11D0-9DDA-00C04FD7BA7C} UpperFiltersCount=2 LowerFiltersCount=0 DeviceID=id DeviceDescription=text FriendlyName= PdoName=pdo ServiceName=service UpperFilters=one UpperFilters=two");
}

static void test_unknown(void)
{
	static const char front[] =
		"UniqueProcessKey=0x1000 ProcessId=0x77 ParentId=0x4"
		" SessionId=1 ExitStatus=259";
	struct made m;
	struct shown s;

	make_process(&m, 4, 8);
	m.event.UserDataLength = 30;
	CHECK(walk(&m, &s) == ERROR_EVT_INVALID_EVENT_DATA &&
	      !strcmp(s.text, front),
	      "a truncated event has the fields in front of its end");
	free(s.info);
	make_process(&m, 99, 8);
	CHECK(walk(&m, &s) == ERROR_NOT_FOUND && !s.info,
	      "an unknown version of a class has no description");
	make(&m, &process, 4, 99, 8);
	CHECK(walk(&m, &s) == ERROR_NOT_FOUND && !s.info,
	      "an unknown type of a class has no description");
	make_process(&m, 4, 8);
	m.event.EventHeader.Flags &= ~EVENT_HEADER_FLAG_CLASSIC_HEADER;
	CHECK(walk(&m, &s) == ERROR_NOT_FOUND && !s.info,
	      "an event of EventWrite is not of a class of the kernel");
}

/* A loaded description replaces the table's */
static void test_loaded(void)
{
	static const char text[] =
		"[Guid(\"{9e814aad-3204-11d2-9a82-006008a86939}\")]\n"
		"class MSNT_SystemTrace : EventTrace {};\n"
		"[Guid(\"{3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}\"),"
		" EventVersion(77)]\n"
		"class Process : MSNT_SystemTrace {};\n"
		"[EventType(1), EventTypeName(\"Born\")]\n"
		"class Process_Born : Process { [WmiDataId(1)] uint32 A; };\n";
	struct made m;

	CHECK(!TdhLoadManifestFromMemory(text, strlen(text)),
	      "a description of a class of the kernel is loaded");
	make(&m, &process, 77, 1, 8);
	put(&m, 3, 4);
	check_event(&m, "Process", "Born", "A=3");
}

/* Walk through payloads of each length up to @size that consist of one byte */
static bool walk_lengths(struct made *m, u8 fill, unsigned int size)
{
	memset(m->data, fill, size);
	for (unsigned int len = 0; len <= size; len++) {
		/* Exactly as much memory, so that the sanitizer guards it */
		u8 *data = malloc(len + !len);
		struct shown s;
		ULONG code;

		memcpy(data, m->data, len);
		m->event.UserData = data;
		m->event.UserDataLength = len;
		code = walk(m, &s);
		free(s.info);
		free(data);
		m->event.UserData = m->data;
		if (code && code != ERROR_EVT_INVALID_EVENT_DATA)
			return false;
	}
	return true;
}

static bool check_layout(const struct kernel_layout *l, unsigned int bytes)
{
	const char *type = l->types;
	bool good = true;
	struct made m = { .bytes = bytes };

	while (type && good) {
		TRACE_EVENT_INFO *info;

		make(&m, &kernel_classes[l->class].guid, l->first,
		     strtoul(type, NULL, 10), bytes);
		info = info_of(&m.event);
		good = info && info->TopLevelPropertyCount ==
			       info->PropertyCount;
		for (ULONG i = 0; good && i < info->PropertyCount; i++)
			good = info->EventPropertyInfoArray[i]
				       .nonStructType.InType;
		free(info);
		type = strchr(type, ',');
		type = type ? type + 1 : NULL;
	}
	return good && walk_lengths(&m, 0xff, 160) && walk_lengths(&m, 0, 160) &&
	       walk_lengths(&m, 1, 160);
}

static void test_table(void)
{
	for (unsigned int i = 0; i < kernel_layout_count; i++) {
		const struct kernel_layout *l = &kernel_layouts[i];

		CHECK(l->class < kernel_class_count && l->first <= l->last &&
		      check_layout(l, 4) && check_layout(l, 8),
		      "%s of version %u can have any bytes: %s",
		      kernel_classes[l->class].name, l->first, l->types);
	}
}

/**
 * struct seen - events of a file
 * @decoded: number of events decoded to the last byte
 * @left: number of events with bytes left over
 * @unknown: number of events of the kernel's classes without a description
 */
struct seen {
	unsigned int decoded;
	unsigned int left;
	unsigned int unknown;
};

static bool is_kernel(const GUID *class)
{
	for (unsigned int i = 0; i < kernel_class_count; i++) {
		if (!kernel_classes[i].provider &&
		    !memcmp(&kernel_classes[i].guid, class, sizeof(*class)))
			return true;
	}
	return false;
}

static ULONG WINAPI find_end(const EVNT_PROPERTY *p, PVOID context)
{
	if (p->Kind == EvntPropertyValue)
		*(const u8 **)context = p->Data + p->DataLength;
	return ERROR_SUCCESS;
}

static VOID WINAPI see(PEVENT_RECORD event)
{
	struct seen *seen = event->UserContext;
	const u8 *end = event->UserData;
	TRACE_EVENT_INFO *info;

	if (!(event->EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER) ||
	    !is_kernel(&event->EventHeader.ProviderId))
		return;
	info = info_of(event);
	if (!info)
		seen->unknown++;
	else if (EvntEnumerateProperties(event, info, find_end, &end) ||
		 end != (u8 *)event->UserData + event->UserDataLength)
		seen->left++;
	else
		seen->decoded++;
	free(info);
}

static void test_file(const char *name)
{
	struct seen seen = { 0 };
	EVENT_TRACE_LOGFILEA file = {
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.Context = &seen,
	};
	char path[PATH_MAX];
	TRACEHANDLE handle;

	snprintf(path, sizeof(path), "%s/etl/%s", data_folder(), name);
	file.LogFileName = path;
	handle = OpenTraceA(&file);
	ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	CHECK(seen.decoded && !seen.left && !seen.unknown,
	      "%s: all %u events of the kernel are decoded to the last byte",
	      name, seen.decoded);
}

static int is_real(const struct dirent *entry)
{
	const char *end = strrchr(entry->d_name, '.');

	/* Synthetic files contain records without real payloads */
	return end && !strcmp(end, ".etl") &&
	       strncmp(entry->d_name, "synthetic", 9) != 0;
}

static void test_files(void)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int count;

	snprintf(path, sizeof(path), "%s/etl", data_folder());
	count = scandir(path, &entries, is_real, alphasort);
	if (count < 0) {
		SKIP("%s is not here", path);
		return;
	}
	for (int i = 0; i < count; i++) {
		test_file(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

int main(void)
{
	test_process();
	test_numbers();
	test_heap();
	test_addresses();
	test_arrays();
	test_unknown();
	test_loaded();
	test_table();
	test_files();
	return tap_end();
}
