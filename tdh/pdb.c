// SPDX-License-Identifier: MIT
/*
 * Reader of debug information of Windows (PDB).
 *
 * The file consists of blocks, which its directory assigns to streams.  Stream 3
 * lists the object files of the program, each with the stream of its symbols.
 * An annotation is a symbol with any number of strings.
 *
 * Each offset and count is checked, and the bytes read are limited, because
 * streams may overlap.
 *
 * https://llvm.org/docs/PDB/index.html
 */
#include <stdlib.h>

#include "tdh/pdb.h"

#define MAGIC		"Microsoft C/C++ MSF 7.00\r\n\x1a" "DS\0\0"
#define MAGIC_SIZE	32
#define MAX_BLOCK	65536
#define DBI_STREAM	3
#define DBI_HEAD	64
#define DBI_MODULES	24	/* offset of the size of the list of modules */
#define MODULE_STREAM	34	/* offsets in an entry of the list */
#define MODULE_SYMBOLS	36
#define MODULE_NAMES	64
#define NO_STREAM	0xffff
#define S_ANNOTATION	0x1019
#define ANNOTATION_HEAD	8	/* place, and number of strings */

/**
 * struct pdb - a file being read
 * @data: content of the file
 * @len: length of @data in bytes
 * @block: size of a block in bytes
 * @directory: sizes of the streams, then the numbers of their blocks
 * @starts: offset of these numbers in @directory for each stream
 * @budget: number of bytes that may be read yet
 */
struct pdb {
	const u8 *data;
	size_t len;
	u32 block;
	struct bytes directory;
	u64 *starts;
	u64 budget;
};

bool is_pdb(const u8 *data, size_t len)
{
	return len > MAGIC_SIZE + 24 && !memcmp(data, MAGIC, MAGIC_SIZE);
}

/*
 * Append @size bytes in the blocks that @numbers lists.  Returns false if
 * @room bytes have fewer numbers, or a block is not in the file.
 */
static bool read_blocks(struct pdb *pdb, const u8 *numbers, size_t room,
			u32 size, struct bytes *b)
{
	if (size > pdb->budget)
		return false;
	pdb->budget -= size;
	for (; size; numbers += 4, room -= 4) {
		u32 part = size < pdb->block ? size : pdb->block;
		u64 at;

		if (room < 4)
			return false;
		at = (u64)get_u32(numbers) * pdb->block;
		if (at > pdb->len || part > pdb->len - at)
			return false;
		bytes_add(b, pdb->data + at, part);
		size -= part;
	}
	return !b->failed;
}

static u32 block_count(const struct pdb *pdb, u32 size)
{
	return (u32)(((u64)size + pdb->block - 1) / pdb->block);
}

/* Size of a stream; a stream that does not exist has 0xffffffff */
static u32 stream_size(const struct pdb *pdb, u32 stream)
{
	u32 size = get_u32(pdb->directory.data + 4 + (size_t)4 * stream);

	return size == UINT32_MAX ? 0 : size;
}

/* Append a stream; returns false if there is none, or it is damaged */
static bool read_stream(struct pdb *pdb, u32 stream, struct bytes *b)
{
	const struct bytes *d = &pdb->directory;
	u64 at;

	if (stream >= get_u32(d->data))
		return false;
	at = pdb->starts[stream];
	return at <= d->len &&
	       read_blocks(pdb, d->data + at, d->len - at,
			   stream_size(pdb, stream), b);
}

/* Find the blocks of each stream; returns false without memory */
static bool find_streams(struct pdb *pdb)
{
	u32 count = get_u32(pdb->directory.data);
	u64 at = 4 + 4ull * count;

	pdb->starts = calloc(count + 1ull, sizeof(*pdb->starts));
	if (!pdb->starts)
		return false;
	for (u32 i = 0; i < count; i++) {
		pdb->starts[i] = at;
		at += 4ull * block_count(pdb, stream_size(pdb, i));
	}
	return true;
}

/* Read the directory, whose blocks are listed in a block */
static bool read_directory(struct pdb *pdb)
{
	u32 size = get_u32(pdb->data + MAGIC_SIZE + 12);
	u64 at;

	pdb->block = get_u32(pdb->data + MAGIC_SIZE);
	if (!pdb->block || pdb->block > MAX_BLOCK)
		return false;
	at = (u64)get_u32(pdb->data + MAGIC_SIZE + 20) * pdb->block;
	if (at > pdb->len ||
	    !read_blocks(pdb, pdb->data + at, pdb->len - at, size,
			 &pdb->directory))
		return false;
	return size >= 4 &&
	       get_u32(pdb->directory.data) <= (size - 4) / 4 &&
	       find_streams(pdb);
}

/* Append the lines of an annotation that begins with TMF: */
static void add_annotation(struct bytes *b, const u8 *p, size_t len)
{
	static const char mark[] = "TMF:";
	u32 count = len < ANNOTATION_HEAD ? 0 : get_u16(p + 6);
	const u8 *end = p + len, *nul;

	p += ANNOTATION_HEAD;
	for (u32 i = 0; i < count; i++, p = nul + 1) {
		nul = p < end ? memchr(p, 0, end - p) : NULL;
		if (!nul || (!i && strcmp((const char *)p, mark) != 0))
			return;
		if (!i)
			continue;
		bytes_add(b, p, nul - p);
		bytes_add_u8(b, '\n');
	}
}

static void read_symbols(struct bytes *b, const u8 *p, size_t len)
{
	while (len >= 4) {
		size_t size = get_u16(p) + 2u;

		if (size < 4 || size > len)
			return;
		if (get_u16(p + 2) == S_ANNOTATION)
			add_annotation(b, p + 4, size - 4);
		p += size;
		len -= size;
	}
}

/* Read an object file's symbols, behind a signature */
static void read_module(struct pdb *pdb, struct bytes *b, const u8 *module)
{
	u32 stream = get_u16(module + MODULE_STREAM);
	u32 size = get_u32(module + MODULE_SYMBOLS);
	struct bytes symbols = { 0 };

	if (stream == NO_STREAM || size < 4)
		return;
	if (read_stream(pdb, stream, &symbols) && size <= symbols.len)
		read_symbols(b, symbols.data + 4, size - 4);
	bytes_free(&symbols);
}

static void read_modules(struct pdb *pdb, struct bytes *b, const u8 *p,
			 size_t len)
{
	while (len > MODULE_NAMES) {
		size_t size = MODULE_NAMES;

		/* The names of the object file and of its library */
		for (int i = 0; i < 2; i++) {
			size += strnlen((const char *)p + size, len - size);
			if (size++ >= len)
				return;
		}
		read_module(pdb, b, p);
		size = (size + 3) & ~(size_t)3;
		if (size > len)
			return;
		p += size;
		len -= size;
	}
}

void pdb_messages(struct bytes *b, const u8 *data, size_t len)
{
	struct pdb pdb = { .data = data, .len = len, .budget = 4 * (u64)len };
	struct bytes dbi = { 0 };
	u32 size;

	if (is_pdb(data, len) && read_directory(&pdb) &&
	    read_stream(&pdb, DBI_STREAM, &dbi) && dbi.len > DBI_HEAD) {
		size = get_u32(dbi.data + DBI_MODULES);
		if (size > dbi.len - DBI_HEAD)
			size = dbi.len - DBI_HEAD;
		read_modules(&pdb, b, dbi.data + DBI_HEAD, size);
	}
	bytes_free(&dbi);
	bytes_free(&pdb.directory);
	free(pdb.starts);
}
