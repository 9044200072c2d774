// SPDX-License-Identifier: MIT
/*
 * Images of processes, as evnt dump takes them from untrusted events: lengths,
 * overlapping images, and more than any process has.
 */
#define _GNU_SOURCE

#include "decode/format.c"
#include "decode/process_record.c"
#include "tools/events/images.c"
#include "selftests/unit/common/tap.h"

void *must_have(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

/*
 * An event in memory of the exact size, so that a sanitizer sees reads beyond
 * it
 */
static void take(uint32_t pid, const void *data, size_t len)
{
	EVENT_RECORD record = { .EventHeader.ProcessId = pid };
	void *copy = malloc(len ? len : 1);

	if (len)
		memcpy(copy, data, len);
	record.UserData = copy;
	record.UserDataLength = len;
	images_take(&record);
	free(copy);
}

struct event {
	struct evntprov_image fixed;
	char text[64];
};

static size_t make(struct event *e, uint64_t base, uint64_t size,
		   uint64_t offset, const char *path)
{
	*e = (struct event) { { base, size, offset, 1, 1 }, "" };
	memcpy(e->text, "abcd", 5);
	memcpy(e->text + 5, path, strlen(path) + 1);
	return sizeof(e->fixed) + 5 + strlen(path) + 1;
}

static void add(uint32_t pid, uint64_t base, uint64_t size, const char *path)
{
	struct event e;

	take(pid, &e, make(&e, base, size, 0, path));
}

/* Whether an address is in a file of this name; in none, if it is NULL */
static bool is_in(uint32_t pid, uint64_t address, const char *path)
{
	const struct image *image = images_find(pid, address);

	return path ? image && !strcmp(image->module->path, path) : !image;
}

static void none(struct symbols *symbols)
{
	(void)symbols;
	abort();
}

static void test_addresses(void)
{
	add(1, 0x1000, 0x1000, "/a");
	add(1, 0x3000, 0x1000, "/lib/b");
	CHECK(is_in(1, 0x1000, "/a") && is_in(1, 0x1fff, "/a"),
	      "an address in an image is found");
	CHECK(is_in(1, 0x3abc, "/lib/b"),
	      "an address in the second image is found");
	CHECK(!strcmp(images_find(1, 0x3000)->module->name, "b"),
	      "an image has its name");
	CHECK(is_in(1, 0xfff, NULL) && is_in(1, 0x2000, NULL) &&
	      is_in(1, 0x4000, NULL) && is_in(1, -1, NULL),
	      "an address outside all images is not found");
	CHECK(is_in(2, 0x1000, NULL) && is_in(1 + CHAINS, 0x1000, NULL),
	      "an address of another process is not found");
	add(2, 0x1000, 0x1000, "/a");
	CHECK(images_find(1, 0x1000)->module == images_find(2, 0x1000)->module,
	      "a file of several processes is stored once");
	images_free(none);
	CHECK(is_in(1, 0x1000, NULL), "no images are left");
}

static void test_overlapping(void)
{
	add(1, 0x1000, 0x1000, "/a");
	add(1, 0x2000, 0x1000, "/b");
	add(1, 0x3000, 0x1000, "/c");
	add(1, 0x1800, 0x1000, "/d");
	CHECK(is_in(1, 0x1800, "/d") && is_in(1, 0x27ff, "/d") &&
	      is_in(1, 0x1000, NULL) && is_in(1, 0x2800, NULL) &&
	      is_in(1, 0x3000, "/c"), "the later one takes the place of two");
	add(1, 0x1c00, 0x10, "/e");
	CHECK(is_in(1, 0x1c00, "/e") && is_in(1, 0x1800, NULL),
	      "a small one in the midst");
	add(1, 1, UINT64_MAX, "/all");
	CHECK(is_in(1, 1, "/all") && is_in(1, -1, "/all") &&
	      is_in(1, 0x3000, "/all") && is_in(1, 0, NULL),
	      "an image may reach to the last address");
	add(1, 0, 1, "/zero");
	CHECK(is_in(1, 0, "/zero") && is_in(1, 1, "/all"),
	      "an image may begin at 0");
	images_free(none);
}

static void test_lengths(void)
{
	struct event e;
	size_t i, len = make(&e, 0x1000, 0x1000, 0, "/a");

	for (i = 0; i < len; i++)
		take(1, &e, i);
	CHECK(is_in(1, 0x1000, NULL), "cut anywhere: none");
	take(1, &e, len);
	CHECK(is_in(1, 0x1000, "/a"), "data of the exact length is accepted");
	images_free(none);
	take(1, &e, sizeof(e));
	CHECK(is_in(1, 0x1000, "/a"), "data with a longer length is accepted");
	images_free(none);
	add(1, 0x1000, 0, "/a");
	CHECK(is_in(1, 0x1000, NULL), "an image without a size is ignored");
	add(1, 0x1000, -0xfff, "/a");
	add(1, -1, 2, "/a");
	CHECK(is_in(1, 0x1000, NULL) && is_in(1, -1, NULL),
	      "beyond the end of all addresses");
	add(1, 0x1000, 0x1000, "");
	CHECK(is_in(1, 0x1000, "") && !*images_find(1, 0x1000)->module->name,
	      "an image may have no name");
	add(1, 0x1000, 0x1000, "/\xff\x1b/x\xfe");
	CHECK(!strcmp(images_find(1, 0x1000)->module->name, "x\xef\xbf\xbd"),
	      "a name that is no UTF-8");
	images_free(none);
}

static void test_processes(void)
{
	struct event e;
	size_t len;

	add(1, 0x1000, 0x1000, "/a");
	len = make(&e, 0x3000, 0x1000, 0, "/b");
	e.fixed.execs++;
	take(1, &e, len);
	CHECK(is_in(1, 0x1000, NULL) && is_in(1, 0x3000, "/b"),
	      "a program does not have the images of an earlier one");
	add(2, 0x1000, 0x1000, "/a");
	e.fixed = (struct evntprov_image) { 0x3000, 0x1000, 0, 2, 1 };
	take(2, &e, len);
	CHECK(is_in(2, 0x1000, NULL) && is_in(2, 0x3000, "/b"),
	      "a process does not have images of another start time");
	images_free(none);
}

/* As a log is read twice */
static void test_restart(void)
{
	add(1, 0x1000, 0x1000, "/a");
	images_map(1, 0x3000, 0x1000, "/b");
	images_map(1, 0x5000, 0x1000, "/c");
	add(2, 0x1000, 0x1000, "/a");
	images_restart();
	CHECK(is_in(1, 0x1000, NULL) && is_in(2, 0x1000, NULL),
	      "images of the module's events are forgotten");
	CHECK(is_in(1, 0x3000, "/b") && is_in(1, 0x5000, "/c"),
	      "those of the kernel's rundown are kept");
	add(1, 0x1000, 0x1000, "/a");
	CHECK(is_in(1, 0x1000, "/a") && is_in(1, 0x3000, "/b"),
	      "events of the same process add to them");
	images_free(none);
}

static void test_many(void)
{
	uint64_t i, n = 0;

	for (i = 3 * IMAGES_MAX; i; i--)
		add(1, i << 12, 0x1000, "/a");
	for (i = 3 * IMAGES_MAX; i; i--)
		n += is_in(1, i << 12, "/a");
	CHECK(n == IMAGES_MAX, "%d images are stored", (int)n);
	add(1, 0, UINT64_MAX, "/b");
	CHECK(is_in(1, 0x123456, "/b"), "one image may replace all others");
	for (i = 0; i < 100000; i++)
		add(i, 0x1000, 0x1000, "/a");
	CHECK(is_in(99999, 0x1000, "/a") && is_in(5, 0x1000, "/a"),
	      "many processes may have images");
	images_free(none);
}

int main(void)
{
	test_addresses();
	test_overlapping();
	test_lengths();
	test_processes();
	test_restart();
	test_many();
	return tap_end();
}
