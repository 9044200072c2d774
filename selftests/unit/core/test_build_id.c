// SPDX-License-Identifier: MIT
/* Build ids of files of all kinds: only bytes in memory are read. */
#include <elf.h>

#include "core/build_id.h"
#include "selftests/unit/common/tap.h"

/* Copy to memory of the exact size, so that a sanitizer sees reads beyond it */
static u8 *exactly(const void *from, u32 len)
{
	u8 *copy = malloc(len ? len : 1);

	if (!copy)
		abort();
	if (len)
		memcpy(copy, from, len);
	return copy;
}

static bool next_notes(const void *head, u32 len, struct evnt_notes *notes)
{
	u8 *copy = exactly(head, len);
	bool found = evnt_elf_next_notes(copy, len, notes);

	free(copy);
	return found;
}

/* Length of the build id if it is @want */
static u32 build_id(const void *notes, u32 len, const void *want)
{
	u8 *copy = exactly(notes, len);
	const u8 *id = NULL;
	u64 rest = 0;
	u32 found = evnt_notes_build_id(copy, len, &id, &rest);

	if (found && (id < copy || id + found > copy + len ||
		      memcmp(id, want, found) != 0))
		found = -1;
	free(copy);
	return found;
}

struct file {
	Elf64_Ehdr head;
	Elf64_Phdr ph[3];
};

static const struct file good = {
	.head = {
		.e_ident = { 0x7f, 'E', 'L', 'F', 2, 1 },
		.e_phoff = offsetof(struct file, ph),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3,
	},
	.ph = {
		{ .p_type = PT_NOTE, .p_offset = 0x2a8, .p_filesz = 0x24 },
		{ .p_type = PT_LOAD },
		{ .p_type = PT_NOTE, .p_offset = 0x500, .p_filesz = 0x10 },
	},
};

static void test_headers(void)
{
	struct { Elf32_Ehdr head; Elf32_Phdr ph; } narrow = {
		.head = {
			.e_ident = { 0x7f, 'E', 'L', 'F', 1, 1 },
			.e_phoff = sizeof(narrow.head),
			.e_phentsize = sizeof(narrow.ph), .e_phnum = 1,
		},
		.ph = { .p_type = PT_NOTE, .p_offset = 7, .p_filesz = 8 },
	};
	struct evnt_notes n = {};
	u32 len;

	CHECK(next_notes(&good, sizeof(good), &n) && n.offset == 0x2a8 &&
	      n.size == 0x24, "the first notes");
	CHECK(next_notes(&good, sizeof(good), &n) && n.offset == 0x500,
	      "the second, behind what are none");
	CHECK(!next_notes(&good, sizeof(good), &n), "there are no third notes");
	n = (struct evnt_notes) {};
	CHECK(next_notes(&narrow, sizeof(narrow), &n) && n.offset == 7 &&
	      n.size == 8, "notes of a 32-bit file are found");
	for (len = 0; len < sizeof(narrow); len++) {
		n = (struct evnt_notes) {};
		if (next_notes(&narrow, len, &n))
			break;
	}
	CHECK(len == sizeof(narrow),
	      "no notes are found in a truncated 32-bit file");
	for (len = 0; len < sizeof(good.head) + sizeof(good.ph[0]); len++) {
		n = (struct evnt_notes) {};
		if (next_notes(&good, len, &n))
			break;
	}
	CHECK(len == sizeof(good.head) + sizeof(good.ph[0]),
	      "cut anywhere before the first: none");
}

static bool has_notes(const struct file *f)
{
	struct evnt_notes n = {};

	return next_notes(f, sizeof(*f), &n);
}

static void test_hostile_headers(void)
{
	struct evnt_notes n = {};
	struct file f = good;
	u32 count = 0;

	f.head.e_ident[0] = 0;
	CHECK(!has_notes(&f), "no ELF file");
	f = good;
	f.head.e_ident[4] = 3;
	CHECK(!has_notes(&f), "a file of another class has no notes");
	f = good;
	f.head.e_ident[5] = 2;
	CHECK(!has_notes(&f), "a file of another byte order has no notes");
	f = good;
	f.head.e_phoff = -1;
	CHECK(!has_notes(&f), "program headers beyond all");
	f.head.e_phoff = sizeof(f) - 1;
	CHECK(!has_notes(&f), "program headers at the end");
	f = good;
	f.head.e_phentsize = 0;
	CHECK(!has_notes(&f), "program headers without a length");
	f.head.e_phentsize = sizeof(Elf64_Phdr) - 1;
	CHECK(!has_notes(&f),
	      "program headers that are too short have no notes");
	f = good;
	f.head.e_phnum = 0xffff;
	while (next_notes(&f, sizeof(f), &n))
		count++;
	CHECK(count == 2, "more program headers than there are");
}

struct note {
	u32 name_len, len, type;
	char name[4];
	u8 data[40];
};

#define NOTE(n)		(16u + (n))

static void test_notes(void)
{
	struct note n = { 4, 20, 3, "GNU", "0123456789abcdefghij" };
	struct note two[2] = { { 4, 40, 1, "GNU", "" }, n };
	u32 len;

	CHECK(build_id(&n, NOTE(20), n.data) == 20, "a build id");
	CHECK(build_id(two, sizeof(two), n.data) == 20, "behind another note");
	for (len = 0; len < NOTE(20); len++) {
		if (build_id(&n, len, n.data))
			break;
	}
	CHECK(len == NOTE(20), "cut anywhere: none");
	n.len = EVNT_BUILD_ID_MAX;
	CHECK(build_id(&n, sizeof(n), n.data) == EVNT_BUILD_ID_MAX,
	      "a build id of the maximum length is found");
	n.len++;
	CHECK(!build_id(&n, sizeof(n), n.data), "a longer one is none");
	n.len = -1;
	CHECK(!build_id(&n, sizeof(n), n.data), "far longer than its note");
	n.len = 0;
	CHECK(!build_id(&n, sizeof(n), n.data),
	      "a build id without a length is ignored");
	n = (struct note) { -1, -1, 3, "GNU", "" };
	CHECK(!build_id(&n, sizeof(n), n.data), "lengths that overflow");
	n = (struct note) { 4, 20, 3, "XEN", "" };
	CHECK(!build_id(&n, sizeof(n), n.data),
	      "a note of another owner is ignored");
}

static u64 rest_of(const void *notes, u32 len)
{
	u8 *copy = exactly(notes, len);
	const u8 *id;
	u64 rest = 0;

	if (evnt_notes_build_id(copy, len, &id, &rest))
		rest = 0;
	free(copy);
	return rest;
}

/* Offset of further notes, beyond those already read */
static void test_rest(void)
{
	struct note two[2] = {
		{ 4, 40, 1, "GNU", "" }, { 4, 40, 2, "GNU", "" },
	};
	u32 len;

	CHECK(rest_of(two, sizeof(two)) == sizeof(two),
	      "the rest begins after complete notes");
	for (len = sizeof(two[0]); len < sizeof(two); len++) {
		if (rest_of(two, len) != sizeof(two[0]))
			break;
	}
	CHECK(len == sizeof(two),
	      "the rest begins at the first truncated note");
	for (len = 12; len < sizeof(two[0]); len++) {
		if (rest_of(two, len) != sizeof(two[0]))
			break;
	}
	CHECK(len == sizeof(two[0]), "behind the first, if that is cut");
	for (len = 1; len < 12; len++) {
		if (!rest_of(two, len))
			break;
	}
	CHECK(len == 12, "never where it was");
	two[0].name_len = -1;
	two[0].len = -1;
	CHECK(rest_of(two, sizeof(two)) > UINT32_MAX,
	      "the rest of a huge note begins beyond 4 GB");
}

int main(void)
{
	test_headers();
	test_hostile_headers();
	test_notes();
	test_rest();
	return tap_end();
}
