// SPDX-License-Identifier: MIT
/*
 * Call stacks in private sessions, and the images that they pass through: a
 * session that gets stacks gets the images first, once, and no other session
 * does; arbitrary frame pointers do no harm.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "selftests/unit/common/private_session.h"

#include <linux/evntprov.h>

#include "core/self_layout.h"
#include "selftests/unit/common/tap.h"

#define MAX_FRAMES	192
#define MAX_EVENTS	64
#define MAX_IMAGES	256
#define THREADS		4

static REGHANDLE registration;

/* An image event */
struct image {
	struct evntprov_image fixed;
	char id[128];
	char path[4096];
};

static struct {
	unsigned int images;
	struct image image[MAX_IMAGES];
	unsigned int events;
	unsigned int frames[MAX_EVENTS];
	ULONG64 frame[MAX_EVENTS][MAX_FRAMES];
	unsigned int late;	/* frames in images not announced before */
	unsigned int twice;
	unsigned int wrong;
} seen;

static const struct image *image_at(ULONG64 address)
{
	unsigned int i;

	for (i = 0; i < seen.images; i++) {
		if (address - seen.image[i].fixed.base <
		    seen.image[i].fixed.size)
			return &seen.image[i];
	}
	return NULL;
}

static void take_image(const EVENT_RECORD *r)
{
	struct image *image = &seen.image[seen.images];
	const char *text = (const char *)r->UserData + sizeof(image->fixed);

	memcpy(&image->fixed, r->UserData, sizeof(image->fixed));
	seen.twice += !!image_at(image->fixed.base);
	snprintf(image->id, sizeof(image->id), "%s", text);
	text += strlen(text) + 1;
	snprintf(image->path, sizeof(image->path), "%s", text);
	seen.wrong += text + strlen(text) + 1 !=
		      (const char *)r->UserData + r->UserDataLength;
	seen.wrong += r->EventHeader.ProcessId != (ULONG)getpid() ||
		      r->EventHeader.EventDescriptor.Opcode !=
		      EVNTPROV_IMAGE_OPCODE || r->ExtendedDataCount != 2;
	seen.images++;
}

/*
 * Whether an address is in a program or library; after the last frame, it need
 * not be
 */
static bool is_code(ULONG64 address)
{
	Dl_info info;

	return dladdr((void *)(uintptr_t)address, &info);
}

static void take_stack(const EVENT_HEADER_EXTENDED_DATA_ITEM *item)
{
	const ULONG64 *stack = (const void *)(uintptr_t)item->DataPtr;
	unsigned int i, n = item->DataSize / 8 - 1;

	seen.wrong += item->DataSize % 8 || stack[0] || n > MAX_FRAMES;
	seen.frames[seen.events] = n;
	for (i = 0; i < n && i < MAX_FRAMES; i++) {
		seen.frame[seen.events][i] = stack[i + 1];
		seen.late += !image_at(stack[i + 1]) && is_code(stack[i + 1]);
	}
}

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	static const struct evntprov_guid own = EVNTPROV_IMAGES_PROVIDER;
	USHORT i;

	if (private_is_header(r))
		return;
	if (!memcmp(&r->EventHeader.ProviderId, &own, sizeof(own))) {
		if (seen.images < MAX_IMAGES)
			take_image(r);
		return;
	}
	if (seen.events == MAX_EVENTS)
		return;
	for (i = 0; i < r->ExtendedDataCount; i++) {
		if (r->ExtendedData[i].ExtType ==
		    EVENT_HEADER_EXT_TYPE_STACK_TRACE64)
			take_stack(&r->ExtendedData[i]);
	}
	seen.events++;
}

static ULONG read_log(const char *name)
{
	memset(&seen, 0, sizeof(seen));
	return private_read(private_path(name), on_event, NULL, NULL);
}

#define STACK	EVENT_ENABLE_PROPERTY_STACK_TRACE

static TRACEHANDLE start(const char *name, ULONG property)
{
	struct private_properties p;
	TRACEHANDLE h;

	return private_start(&p, name, &h) ||
	       private_enable(h, property, NULL, 0) ? 0 : h;
}

static ULONG stop(TRACEHANDLE h)
{
	struct private_properties p;

	private_init(&p, IN_PROC, NULL);
	return private_stop(&p, h);
}

static ULONG write_id(USHORT id)
{
	EVENT_DESCRIPTOR d = { .Id = id, .Level = 4 };

	return EventWrite(registration, &d, 0, NULL);
}

/* Each function calls the next, and continues after it */
static __attribute__((noinline)) ULONG innermost(USHORT id)
{
	ULONG code = write_id(id);

	__asm__ volatile("");
	return code;
}

static __attribute__((noinline)) ULONG outer(USHORT id)
{
	ULONG code = innermost(id);

	__asm__ volatile("");
	return code;
}

/* Whether an address is in a function of at most @len bytes */
static bool is_in(ULONG64 address, const void *function, size_t len)
{
	return address - (uintptr_t)function < len;
}

static int own_id_in(struct dl_phdr_info *info, size_t size, void *context)
{
	char *text = context;
	unsigned int i, k;

	(void)size;
	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const char *at = (const char *)info->dlpi_addr + ph->p_vaddr;
		const ElfW(Nhdr) *n = (const void *)at;

		if (ph->p_type != PT_NOTE || n->n_type != NT_GNU_BUILD_ID)
			continue;
		for (k = 0; k < n->n_descsz; k++)
			sprintf(text + 2 * k, "%02x", (BYTE)at[16 + k]);
	}
	return 1;
}

static __attribute__((noinline)) void test_a_stack(void)
{
	const struct image *image;
	char path[4096] = "", id[128] = "";
	unsigned int i = 0;
	TRACEHANDLE h;

	h = start("stack", STACK);
	CHECK(h && !outer(1) && !outer(2) && !stop(h) &&
	      !read_log("stack") && seen.events == 2 && !seen.wrong,
	      "two events with their stacks");
	while (i + 1 < seen.frames[0] && !is_in(seen.frame[0][i], innermost, 600))
		i++;
	CHECK(i <= 2 && is_in(seen.frame[0][i], innermost, 600) &&
	      is_in(seen.frame[0][i + 1], outer, 600) &&
	      is_in(seen.frame[0][i + 2], test_a_stack, 8000),
	      "a call stack has the callers after the library's functions");
	CHECK(seen.images > 2 && !seen.late && !seen.twice,
	      "each address is in an image announced once before");
	image = image_at(seen.frame[0][i]);
	dl_iterate_phdr(own_id_in, id);
	CHECK(image && readlink("/proc/self/exe", path, sizeof(path) - 1) > 0 &&
	      !strcmp(path, image->path) && !strcmp(id, image->id),
	      "the image of the program has its build id");
}

static void test_without(void)
{
	const USHORT ids[] = { TRUE, 1, 2 };
	EVENT_FILTER_DESCRIPTOR by_id = {
		(uintptr_t)ids, sizeof(ids), EVENT_FILTER_TYPE_STACKWALK,
	};
	BYTE kw[24] = { [16] = 3, [17] = TRUE };
	EVENT_FILTER_DESCRIPTOR by_level = {
		(uintptr_t)kw, sizeof(kw), EVENT_FILTER_TYPE_STACKWALK_LEVEL_KW,
	};
	TRACEHANDLE h, second;

	h = start("without", EVENT_ENABLE_PROPERTY_SID);
	second = start("with", STACK);
	CHECK(!outer(1) && !stop(h) && !stop(second) && !read_log("without") &&
	      seen.events == 1 && !seen.frames[0] && !seen.images &&
	      !read_log("with") && seen.frames[0] && seen.images,
	      "a session without stacks gets neither stacks nor images");

	h = start("filtered", STACK);
	private_enable(h, STACK, &by_id, 1);
	outer(1);
	outer(2);
	CHECK(!stop(h) && !read_log("filtered") && seen.events == 2 &&
	      !seen.frames[0] && seen.frames[1], "a filter of ids");
	h = start("levels", STACK);
	CHECK(!private_enable(h, STACK, &by_level, 1) && !outer(1) && !stop(h) &&
	      !read_log("levels") && seen.events == 1 && !seen.frames[0],
	      "a filter of levels and keywords");
}

/* Write a TraceLogging event without fields */
static ULONG write_named(REGHANDLE r, const char *name)
{
	struct {
		USHORT size;
		BYTE tags;
		char name[5];
	} metadata = { .size = 3 + sizeof("Name") };
	EVENT_DESCRIPTOR d = { .Level = 4 };
	EVENT_DATA_DESCRIPTOR data;

	memcpy(metadata.name, name, sizeof(metadata.name));
	EventDataDescCreate(&data, &metadata, sizeof(metadata));
	data.Type = EVENT_DATA_DESCRIPTOR_TYPE_EVENT_METADATA;
	return EventWrite(r, &d, 1, &data);
}

static void test_names(void)
{
	const struct {
		ULONGLONG any;
		ULONGLONG all;
		UCHAR level;
		BYTE in;
		USHORT count;
		char name[5];
	} names = { .in = TRUE, .count = 1, .name = "This" };
	EVENT_FILTER_DESCRIPTOR by_name = {
		(uintptr_t)&names, offsetof(typeof(names), name[5]),
		EVENT_FILTER_TYPE_STACKWALK_NAME,
	};
	BYTE yes = TRUE;
	TRACEHANDLE h;
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	EventSetInformation(r, EventProviderUseDescriptorType, &yes, 1);
	h = start("names", STACK);
	CHECK(!private_enable(h, STACK, &by_name, 1) &&
	      !write_named(r, "This") && !write_named(r, "That") && !outer(1) &&
	      !stop(h) && !read_log("names") && seen.events == 3 &&
	      seen.frames[0] && !seen.frames[1] && seen.frames[2],
	      "a filter of names applies to TraceLogging events alone");
	EventUnregister(r);
}

static void test_again(void)
{
	struct private_properties p;
	unsigned int count;
	TRACEHANDLE h;

	h = start("first", STACK);
	outer(1);
	private_init(&p, IN_PROC, "second");
	CHECK(!UpdateTraceA(h, NULL, &p.p) && !outer(2) && !stop(h) &&
	      !read_log("first") && seen.events == 1 && seen.images,
	      "a session goes on in another log");
	count = seen.images;
	CHECK(!read_log("second") && seen.events == 1 &&
	      seen.images == count && !seen.late,
	      "a second session gets the images before events");
}

static void test_no_faulting(void)
{
	EVENT_DESCRIPTOR d = { .Level = 4 };
	TRACEHANDLE h = start("no_faulting", STACK);

	EventWriteEx(registration, &d, 0, EVENT_WRITE_FLAG_NO_FAULTING, NULL,
		     NULL, 0, NULL);
	CHECK(!stop(h) && !read_log("no_faulting") && seen.events == 1 &&
	      seen.frames[0] && !seen.images,
	      "a write that must not fault announces no images");
}

#if defined(__x86_64__)
/* Call @write with @frame as the frame pointer */
ULONG with_frame(USHORT id, const void *frame, ULONG (*write)(USHORT id));
__asm__(".text\n"
	"with_frame:\n\t"
	"push %rbp\n\t"
	"mov %rsi, %rbp\n\t"
	"call *%rdx\n\t"
	"pop %rbp\n\t"
	"ret\n");

static ULONG64 low[2] = { 0, 0x1000 };

/* The walk ends at each corrupt frame, and does no harm */
static void test_corrupt_stacks(void)
{
	ULONG64 chain[400][2];
	unsigned int i, own;
	TRACEHANDLE h;

	for (i = 0; i < 400; i++) {
		chain[i][0] = i < 399 ? (uintptr_t)chain[i + 1] : 0;
		chain[i][1] = 0x1000 + i;
	}
	h = start("corrupt", STACK);
	with_frame(0, low, innermost);			/* below the stack */
	with_frame(1, chain, innermost);		/* too long */
	chain[1][0] = (uintptr_t)chain[0];
	with_frame(2, chain, innermost);		/* back */
	chain[1][0] = (uintptr_t)chain[1];
	with_frame(3, chain, innermost);		/* to itself */
	chain[1][0] = (uintptr_t)chain[2] + 1;
	with_frame(4, chain, innermost);		/* not aligned */
	chain[1][0] = 0xffffffff81000000ull;
	with_frame(5, chain, innermost);		/* into the kernel */
	chain[1][0] = 0x8000000000000000ull;
	with_frame(6, chain, innermost);		/* not canonical */
	with_frame(7, NULL, innermost);
	with_frame(8, (void *)-16, innermost);
	with_frame(9, (void *)-1, innermost);
	CHECK(!stop(h) && !read_log("corrupt") && seen.events == 10 &&
	      !seen.wrong, "frame pointers that are none");
	own = seen.frames[0];
	CHECK(own >= 2 && seen.frames[7] == own && seen.frames[8] == own &&
	      seen.frames[9] == own, "end the walk where they are");
	CHECK(seen.frames[1] == MAX_FRAMES, "a stack has 192 frames at most");
	for (i = 2; i <= 6; i++)
		CHECK(seen.frames[i] == own + 2, "a chain, case %u", i);
	CHECK(!seen.twice, "corrupt stacks do not repeat images");
}

/* A function that calls another one, in a file mapped after the first event */
static void test_later_image(void)
{
	static const BYTE code[] = {
		0x55, 0x48, 0x89, 0xe5, 0xff, 0xd6, 0x5d, 0xc3,
	};
	ULONG (*call)(USHORT id, ULONG (*write)(USHORT id));
	const char *path = private_path("code");
	const struct image *image;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0700);
	unsigned int count;
	TRACEHANDLE h;

	if (write(fd, code, sizeof(code)) != sizeof(code))
		perror(path);
	h = start("later", STACK);
	outer(1);
	call = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	if ((void *)call == MAP_FAILED) {
		SKIP("what is in /tmp may not be executed");
		stop(h);
		return;
	}
	outer(2);
	CHECK(!call(3, innermost) && !call(4, innermost) && !stop(h) &&
	      !read_log("later") && seen.events == 4 && !seen.late &&
	      !seen.twice, "an image mapped later is announced once");
	image = image_at((uintptr_t)call);
	count = seen.images;
	CHECK(image && !strcmp(image->path, private_path("code")) &&
	      !*image->id && image == &seen.image[count - 1],
	      "the image mapped later is the last, without a build id");
	munmap((void *)call, 4096);
}
#else
static void test_corrupt_stacks(void) {}
static void test_later_image(void) {}
#endif

static void *write_some(void *arg)
{
	unsigned int i;

	for (i = 0; i < 10; i++)
		outer((uintptr_t)arg);
	return NULL;
}

/* All threads wait until the first one has written the images */
static void test_threads(void)
{
	TRACEHANDLE h = start("threads", STACK);
	pthread_t threads[THREADS];
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, write_some,
			       (void *)(uintptr_t)i);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK(!stop(h) && !read_log("threads") &&
	      seen.events == 10 * THREADS && !seen.late && !seen.twice,
	      "threads that write at once");
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	EventRegister(&provider, NULL, NULL, &registration);
	test_a_stack();
	test_without();
	test_names();
	test_again();
	test_no_faulting();
	test_corrupt_stacks();
	test_later_image();
	test_threads();
	EventUnregister(registration);
	private_clean();
	return tap_end();
}
