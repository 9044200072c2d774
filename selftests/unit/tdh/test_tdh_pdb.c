// SPDX-License-Identifier: MIT
/*
 * Messages of WPP in debug information of Windows: of several object files, among
 * other symbols; and damaged files.
 */
#include <stdlib.h>
#include <unistd.h>

#include "evnttdh.h"
#include "tdh/pdb.h"
#include "tdh/tmf.h"
#include "selftests/unit/common/tap.h"
#include "selftests/unit/tdh/tdh_show.h"
#include "selftests/unit/tdh/tdh_text.h"

#define BLOCK		512u
#define MAX_STREAMS	8
#define S_ANNOTATION	0x1019
#define S_END		6
#define GUID_LINE	"11111111-2222-3333-4444-555566667777 server // SRC=a.c"

static const GUID provider = {
	0x11111111, 0x2222, 0x3333,
	{ 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 },
};

static void add_u32(struct bytes *b, u32 value)
{
	bytes_add(b, &value, sizeof(value));
}

/* Append content in blocks, the last one first, and their numbers to @numbers */
static void add_blocks(struct bytes *file, const struct bytes *content,
		       struct bytes *numbers)
{
	u32 count = (content->len + BLOCK - 1) / BLOCK;
	u32 first = file->len / BLOCK;
	u8 *at = malloc(count * BLOCK + 1);

	memset(at, 0xee, count * BLOCK);
	for (u32 i = 0; content->data && i < count; i++) {
		size_t left = content->len - i * BLOCK;

		memcpy(at + (count - 1 - i) * BLOCK, content->data + i * BLOCK,
		       left < BLOCK ? left : BLOCK);
		add_u32(numbers, first + count - 1 - i);
	}
	bytes_add(file, at, count * BLOCK);
	free(at);
}

/* Make a file of streams; a stream without data does not exist */
static struct bytes make(const struct bytes *streams, u32 count)
{
	struct bytes file = { 0 }, directory = { 0 }, numbers = { 0 };
	struct bytes map = { 0 };

	bytes_add(&file, "Microsoft C/C++ MSF 7.00\r\n\x1a" "DS\0\0", 32);
	bytes_reserve(&file, 3 * BLOCK - 32);
	add_u32(&directory, count);
	for (u32 i = 0; i < count; i++) {
		add_u32(&directory, streams[i].data ? streams[i].len :
						      UINT32_MAX);
		add_blocks(&file, &streams[i], &numbers);
	}
	bytes_add(&directory, numbers.data, numbers.len);
	add_blocks(&file, &directory, &map);
	bytes_put_u32(&file, 32, BLOCK);
	bytes_put_u32(&file, 44, directory.len);
	bytes_put_u32(&file, 52, file.len / BLOCK);
	bytes_add(&file, map.data, map.len);
	bytes_free(&map);
	bytes_free(&numbers);
	bytes_free(&directory);
	return file;
}

/* Append a symbol: an annotation of strings that end with a nul each */
static void add_symbol(struct bytes *b, u16 kind, u16 count,
		       const char *strings, size_t len)
{
	size_t pad = -len & 3;

	bytes_add_u16(b, 2 + 8 + len + pad);
	bytes_add_u16(b, kind);
	add_u32(b, 5);
	bytes_add_u16(b, 1);
	bytes_add_u16(b, count);
	bytes_add(b, strings, len);
	bytes_reserve(b, pad);
}

#define ANNOTATION(b, count, strings)					\
	add_symbol(b, S_ANNOTATION, count, strings, sizeof(strings))

static void add_module(struct bytes *dbi, u16 stream, u32 symbols,
		       const char *name)
{
	size_t at = bytes_reserve(dbi, 64);

	bytes_put_u16(dbi, at + 34, stream);
	bytes_put_u32(dbi, at + 36, symbols);
	bytes_add(dbi, name, strlen(name) + 1);
	bytes_add(dbi, "a.lib", 6);
	while (dbi->len % 4)
		bytes_add_u8(dbi, 0);
}

/* Make a file of two object files with messages, and one without symbols */
static struct bytes make_pdb(void)
{
	struct bytes streams[MAX_STREAMS] = { { 0 } }, file;
	struct bytes *dbi = &streams[3], *one = &streams[5], *two = &streams[7];
	char text[700];

	bytes_add(&streams[1], "any", 3);
	add_u32(one, 4);
	/* Other symbols, more than a block */
	memset(text, 'x', sizeof(text));
	add_symbol(one, 0x1110, 0, text, sizeof(text));
	ANNOTATION(one, 2, "other\0" "#typev not 9 \"%0no\"\0");
	ANNOTATION(one, 6, "TMF:\0" GUID_LINE "\0"
		   "#typev a_c1 10 \"%0has %10!d!\" //   FUNC=f\0{\0"
		   "n, ItemLong -- 10\0}\0");
	add_symbol(one, S_END, 0, "", 0);
	add_u32(two, 4);
	ANNOTATION(two, 6, "TMF:\0" GUID_LINE "\0"
		   "#typev b_c2 11 \"%0second\" //   FUNC=g\0{\0}\0"
		   "PUBLIC_TMF:\0");
	/* Fewer strings than it should have */
	ANNOTATION(two, 9, "TMF:\0" GUID_LINE "\0"
		   "#typev b_c3 12 \"%0third\"");
	bytes_reserve(dbi, 64);
	add_module(dbi, 5, one->len, "one.obj");
	add_module(dbi, 0xffff, 0, "none.obj");
	add_module(dbi, 7, two->len, "second.obj");
	bytes_put_u32(dbi, 24, dbi->len - 64);
	/* Other parts of the stream */
	bytes_add(dbi, text, sizeof(text));
	file = make(streams, MAX_STREAMS);
	for (u32 i = 0; i < MAX_STREAMS; i++)
		bytes_free(&streams[i]);
	return file;
}

static void check_event(u16 id, const void *data, size_t len, const char *want)
{
	EVENT_RECORD event = {
		.EventHeader = {
			.ProviderId = provider,
			.Flags = EVENT_HEADER_FLAG_TRACE_MESSAGE |
				 EVENT_HEADER_FLAG_64_BIT_HEADER,
			.EventDescriptor.Id = id,
		},
		.UserData = (void *)data,
		.UserDataLength = len,
	};
	TDH_HANDLE handle;
	WCHAR text[64];
	ULONG size = sizeof(text), code;

	TdhOpenDecodingHandle(&handle);
	code = TdhGetWppMessage(handle, &event, &size, (PBYTE)text);
	CHECK(want ? !code && is_text(text, want) : code == ERROR_NOT_FOUND,
	      "message %u: %s", id, want ? want : "none");
	TdhCloseDecodingHandle(handle);
}

static void test_messages(const struct bytes *file)
{
	CHECK(is_pdb(file->data, file->len) && !is_pdb(file->data, 56) &&
	      !is_pdb((const u8 *)GUID_LINE GUID_LINE, 2 * sizeof(GUID_LINE)),
	      "debug information is recognized");
	CHECK(!TdhLoadManifestFromMemory(file->data, file->len),
	      "debug information is loaded");
	check_event(9, "", 0, NULL);
	check_event(10, "\x07\0\0\0", 4, "has 7");
	check_event(11, "", 0, "second");
	check_event(12, "", 0, "third");
	TdhUnloadManifestFromMemory(file->data, file->len);
}

/* The parameter that names debug information */
static void test_path(const struct bytes *file)
{
	EVENT_RECORD event = {
		.EventHeader.ProviderId = provider,
		.EventHeader.Flags = EVENT_HEADER_FLAG_TRACE_MESSAGE,
		.EventHeader.EventDescriptor.Id = 11,
	};
	char name[] = "/tmp/evnt-pdb-XXXXXX";
	WCHAR wide[64];
	TDH_CONTEXT path = { .ParameterType = TDH_CONTEXT_PDB_PATH,
			     .ParameterValue = (uintptr_t)wide };
	int fd = mkstemp(name);
	ULONG size = 0;
	size_t i;

	for (i = 0; name[i]; i++)
		wide[i] = (unsigned char)name[i];
	wide[i] = 0;
	CHECK(write(fd, file->data, file->len) == (ssize_t)file->len &&
	      TdhGetEventInformation(&event, 0, NULL, NULL, &size) ==
	      ERROR_NOT_FOUND &&
	      TdhGetEventInformation(&event, 1, &path, NULL, &size) ==
	      ERROR_INSUFFICIENT_BUFFER && !TdhUnloadManifest(wide),
	      "an event is described by debug information that a parameter names");
	close(fd);
	unlink(name);
}

/* Read a copy that ends at the end of its memory; return its messages */
static size_t length_of_messages(const u8 *data, size_t len)
{
	u8 *copy = malloc(len + !len);
	struct bytes b = { 0 };
	size_t found;

	memcpy(copy, data, len);
	pdb_messages(&b, copy, len);
	found = b.len;
	bytes_free(&b);
	free(copy);
	return found;
}

static void test_damaged(struct bytes *file)
{
	size_t all = length_of_messages(file->data, file->len), most = 0;
	static const u8 values[] = { 0, 1, 0x7f, 0x80, 0xff };
	unsigned int fewer = 0;

	for (size_t i = 0; i < file->len; i++) {
		u8 kept = file->data[i];

		for (size_t v = 0; v < sizeof(values); v++) {
			size_t found;

			file->data[i] = values[v];
			found = length_of_messages(file->data, file->len);
			fewer += found < all;
			most = found > most ? found : most;
		}
		file->data[i] = kept;
	}
	CHECK(fewer > 100 && most < 4 * file->len,
	      "%u damaged files have fewer messages", fewer);
	for (size_t len = 0; len < file->len; len += 3)
		most = length_of_messages(file->data, len);
	CHECK(most < all, "a file that was cut off has no messages");
	CHECK(TdhLoadManifestFromMemory(file->data, 100) ==
	      ERROR_XML_PARSE_ERROR, "a file without messages is an error");
}

int main(void)
{
	struct bytes file = make_pdb();

	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	test_messages(&file);
	test_path(&file);
	test_damaged(&file);
	bytes_free(&file);
	return tap_end();
}
