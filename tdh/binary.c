// SPDX-License-Identifier: MIT
/*
 * Manifests compiled into programs: in resources of PE files, and in notes of
 * ELF files.  Neither kind of file is trusted.
 */
#include <elf.h>
#include <stdio.h>

#include "tdh/binary.h"

/* Maximum length of a build id in bytes; longer notes are ignored */
#define MAX_ID	64

/**
 * struct binary - a program
 * @data: content of the file
 * @len: length of the file in bytes
 * @provider: provider that the resource must describe, or NULL for any
 * @template: the resource in the file, or NULL
 * @manifest: manifest read from @template
 * @is_corrupt: a resource could not be read
 * @is_ours: message notes that follow belong to @template
 * @id: build id in hexadecimal, or ""
 */
struct binary {
	const u8 *data;
	size_t len;
	const GUID *provider;
	const u8 *template;
	struct manifest *manifest;
	bool is_corrupt;
	bool is_ours;
	char id[2 * MAX_ID + 1];
};

static const u8 *at(const struct binary *b, u64 offset, u64 len)
{
	if (offset > b->len || len > b->len - offset)
		return NULL;
	return b->data + offset;
}

/* Callback for a resource: type, 0 for a named one, and language */
typedef void (*resource_fn)(struct binary *b, u32 type, u16 language,
			    const u8 *data, size_t len);

/**
 * struct resources - resources of a PE file
 * @binary: the file
 * @base: offset of the resources in the file
 * @size: size of the resources in bytes
 * @address: address of the resources in memory
 * @type: type of the resource being visited
 * @visits: number of directory entries visited
 * @each: callback
 */
struct resources {
	struct binary *binary;
	u64 base;
	u64 size;
	u32 address;
	u32 type;
	u32 visits;
	resource_fn each;
};

#define MAX_VISITS	65536
#define DIRECTORY_FLAG	0x80000000u

static const u8 *in_resources(const struct resources *r, u32 offset, u32 len)
{
	if (offset > r->size || len > r->size - offset)
		return NULL;
	return at(r->binary, r->base + offset, len);
}

static void visit_data(struct resources *r, u32 offset, u32 language)
{
	const u8 *entry = in_resources(r, offset, 16);
	const u8 *data;

	if (!entry || get_u32(entry) < r->address)
		return;
	data = in_resources(r, get_u32(entry) - r->address, get_u32(entry + 4));
	if (data)
		r->each(r->binary, r->type, language, data,
			get_u32(entry + 4));
}

static bool is_template_name(const struct resources *r, u32 offset)
{
	static const char name[] = "WEVT_TEMPLATE";
	const u8 *p = in_resources(r, offset, 2 + 2 * (sizeof(name) - 1));

	if (!p || get_u16(p) != sizeof(name) - 1)
		return false;
	for (size_t i = 0; i < sizeof(name) - 1; i++) {
		if (get_u16(p + 2 + 2 * i) != name[i])
			return false;
	}
	return true;
}

#define TYPE_MESSAGES	11
#define TYPE_TEMPLATE	0x10000		/* identified by its name */

/* Visit a directory; levels are types, names, languages */
static void visit_directory(struct resources *r, u32 offset, int level)
{
	const u8 *head = in_resources(r, offset, 16);
	u32 count = head ? get_u16(head + 12) + get_u16(head + 14) : 0;
	const u8 *entries = in_resources(r, offset + 16, 8 * count);

	for (u32 i = 0; entries && i < count; i++) {
		u32 id = get_u32(entries + 8 * (size_t)i);
		u32 where = get_u32(entries + 8 * (size_t)i + 4);

		if (++r->visits > MAX_VISITS)
			return;
		if (!level)
			r->type = !(id & DIRECTORY_FLAG) ? id :
				  is_template_name(r, id & ~DIRECTORY_FLAG) ?
				  TYPE_TEMPLATE : 0;
		if (where & DIRECTORY_FLAG) {
			if (level < 2)
				visit_directory(r, where & ~DIRECTORY_FLAG,
						level + 1);
		} else {
			visit_data(r, where, id);
		}
	}
}

/* Find the section that contains an address */
static bool find_section(struct resources *r, const u8 *sections, u32 count,
			 u32 address)
{
	for (u32 i = 0; i < count; i++) {
		const u8 *s = sections + 40 * (size_t)i;
		u32 begin = get_u32(s + 12), size = get_u32(s + 16);

		if (address < begin || address - begin >= size)
			continue;
		r->base = (u64)get_u32(s + 20) + (address - begin);
		r->size = size - (address - begin);
		r->address = address;
		return true;
	}
	return false;
}

#define PE32_PLUS	0x20b

static void each_resource(struct binary *b, resource_fn each)
{
	struct resources r = { .binary = b, .each = each };
	const u8 *dos = at(b, 0, 64);
	u64 pe = dos ? get_u32(dos + 0x3c) : 0;
	const u8 *head = at(b, pe, 24 + 136);
	u32 sections, optional, directory;
	const u8 *table;

	if (!head || memcmp(head, "PE\0", 4) != 0)
		return;
	sections = get_u16(head + 6);
	optional = get_u16(head + 20);
	directory = get_u16(head + 24) == PE32_PLUS ? 24 + 128 : 24 + 112;
	table = at(b, pe + 24 + optional, 40ull * sections);
	if (table && find_section(&r, table, sections,
				  get_u32(head + directory)))
		visit_directory(&r, 0, 0);
}

/* Keep the first manifest that describes the requested provider */
static void read_template(struct binary *b, const u8 *data, size_t len)
{
	struct manifest *m;

	if (b->manifest)
		return;
	m = wevt_read(data, len);
	if (!m) {
		b->is_corrupt = true;
	} else if (b->provider && !manifest_provider(m, b->provider)) {
		manifest_free(m);
	} else {
		b->manifest = m;
		b->template = data;
	}
}

static void take_template(struct binary *b, u32 type, u16 language,
			  const u8 *data, size_t len)
{
	(void)language;
	if (type == TYPE_TEMPLATE)
		read_template(b, data, len);
}

/* Language ids of Windows for the most frequent languages */
static const struct {
	u16 number;
	const char *culture;
} languages[] = {
	{ 0x0407, "de-DE" }, { 0x0409, "en-US" }, { 0x040c, "fr-FR" },
	{ 0x0410, "it-IT" }, { 0x0411, "ja-JP" }, { 0x0412, "ko-KR" },
	{ 0x0416, "pt-BR" }, { 0x0419, "ru-RU" }, { 0x0804, "zh-CN" },
	{ 0x0404, "zh-TW" }, { 0x0c0a, "es-ES" },
};

static void take_messages(struct binary *b, u32 type, u16 language,
			  const u8 *data, size_t len)
{
	const char *culture = "";

	if (type != TYPE_MESSAGES)
		return;
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(languages); i++) {
		if (languages[i].number == language) {
			culture = languages[i].culture;
			break;
		}
	}
	messages_read(b->manifest, culture, data, len);
}

/* Callback for a note with @len bytes of @data */
typedef void (*note_fn)(struct binary *b, const char *name, u32 type,
			const u8 *data, size_t len);

static void each_note_of(struct binary *b, u64 offset, u64 size, note_fn each)
{
	u64 end = offset + size;

	while (end - offset >= 12) {
		const u8 *head = at(b, offset, 12);
		u64 name_size, size_of_data, data;

		if (!head)
			return;
		name_size = (get_u32(head) + 3ull) & ~3ull;
		size_of_data = get_u32(head + 4);
		data = offset + 12 + name_size;
		if (data > end || size_of_data > end - data ||
		    !at(b, data, size_of_data))
			return;
		if (get_u32(head) && !head[11 + get_u32(head)])
			each(b, (const char *)head + 12, get_u32(head + 8),
			     b->data + data, size_of_data);
		size_of_data = (size_of_data + 3) & ~3ull;
		if (size_of_data > end - data)
			return;
		offset = data + size_of_data;
	}
}

static void each_note(struct binary *b, note_fn each)
{
	const u8 *p = at(b, 0, sizeof(Elf64_Ehdr));
	Elf64_Ehdr head;
	Elf64_Shdr section;

	if (!p || p[EI_CLASS] != ELFCLASS64 || p[EI_DATA] != ELFDATA2LSB)
		return;
	memcpy(&head, p, sizeof(head));
	for (u32 i = 0; i < head.e_shnum; i++) {
		p = head.e_shoff > b->len ? NULL :
		    at(b, head.e_shoff + (u64)i * sizeof(section),
		       sizeof(section));
		if (!p)
			return;
		memcpy(&section, p, sizeof(section));
		if (section.sh_type == SHT_NOTE &&
		    at(b, section.sh_offset, section.sh_size))
			each_note_of(b, section.sh_offset, section.sh_size,
				     each);
	}
}

static bool is_own(const char *name, u32 type, u32 wanted)
{
	return type == wanted && !strcmp(name, EVNT_NOTE_NAME);
}

static void take_note_template(struct binary *b, const char *name, u32 type,
			       const u8 *data, size_t len)
{
	if (is_own(name, type, EVNT_NOTE_TEMPLATE))
		read_template(b, data, len);
}

/* Read messages, which follow the template that they belong to */
static void take_note_messages(struct binary *b, const char *name, u32 type,
			       const u8 *data, size_t len)
{
	const u8 *nul;

	if (is_own(name, type, EVNT_NOTE_TEMPLATE))
		b->is_ours = data == b->template;
	if (!b->is_ours || !is_own(name, type, EVNT_NOTE_MESSAGES))
		return;
	nul = memchr(data, 0, len);
	if (nul)
		messages_read(b->manifest, (const char *)data, nul + 1,
			      data + len - nul - 1);
}

static void take_note_id(struct binary *b, const char *name, u32 type,
			 const u8 *data, size_t len)
{
	if (type != NT_GNU_BUILD_ID || strcmp(name, "GNU") != 0 || *b->id ||
	    len > MAX_ID)
		return;
	for (size_t i = 0; i < len; i++)
		sprintf(b->id + 2 * i, "%02x", data[i]);
}

static bool is_elf(const void *data, size_t len)
{
	return len > SELFMAG && !memcmp(data, ELFMAG, SELFMAG);
}

static bool is_resource(const void *data, size_t len)
{
	return len >= 4 && get_u32(data) == TAG_CRIM;
}

bool is_binary(const void *data, size_t len)
{
	return is_elf(data, len) || is_resource(data, len) ||
	       (len > 2 && !memcmp(data, "MZ", 2));
}

struct manifest *binary_manifest_of(const void *data, size_t len,
				    const GUID *provider, const char *build,
				    ULONG *code)
{
	struct binary b = { .data = data, .len = len, .provider = provider };
	bool elf = is_elf(data, len);

	if (build) {
		*code = ERROR_REVISION_MISMATCH;
		each_note(&b, take_note_id);
		if (strcmp(b.id, build) != 0)
			return NULL;
	}
	if (is_resource(data, len))
		read_template(&b, data, len);
	else if (elf)
		each_note(&b, take_note_template);
	else
		each_resource(&b, take_template);
	*code = b.is_corrupt ? ERROR_FILE_CORRUPT :
			       ERROR_RESOURCE_TYPE_NOT_FOUND;
	if (!b.manifest)
		return NULL;
	if (elf)
		each_note(&b, take_note_messages);
	else
		each_resource(&b, take_messages);
	return b.manifest;
}

struct manifest *binary_manifest(const void *data, size_t len, ULONG *code)
{
	return binary_manifest_of(data, len, NULL, NULL, code);
}
