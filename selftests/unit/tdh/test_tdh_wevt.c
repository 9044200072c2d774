// SPDX-License-Identifier: MIT
/*
 * Compiled manifests: the same bytes as from Windows' compiler, if
 * $EVNT_DATA/manifests has these; and reading them returns the manifest's
 * contents.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tdh/binary.h"
#include "tdh/manifest_info.h"
#include "selftests/unit/common/tap.h"

static bool read_whole(const char *path, struct bytes *b)
{
	FILE *file = fopen(path, "rb");
	u8 some[4096];
	size_t got;

	if (!file)
		return false;
	while ((got = fread(some, 1, sizeof(some), file)))
		bytes_add(b, some, got);
	fclose(file);
	return true;
}

static struct manifest *parse_file(const char *path)
{
	struct bytes b = { 0 };
	struct manifest *m = NULL;

	if (read_whole(path, &b))
		m = manifest_parse(path, b.data, b.len, NULL, NULL);
	bytes_free(&b);
	if (m)
		manifest_number_messages(m);
	return m;
}

/* In the folder of Windows' own */
#define OWN	"gix+event-trace-kit"

static void check_same(const char *file, struct bytes *ours)
{
	struct bytes real = { 0 };
	char path[PATH_MAX];
	size_t i = 0;

	snprintf(path, sizeof(path), "%s/manifests/" OWN "/%s", data_folder(),
		 file);
	if (!read_whole(path, &real)) {
		SKIP("%s is not here", file);
		bytes_free(ours);
		return;
	}
	while (i < real.len && i < ours->len && real.data[i] == ours->data[i])
		i++;
	CHECK(i == real.len && i == ours->len,
	      "%s: %zu bytes of %zu the same", file, i, real.len);
	bytes_free(&real);
	bytes_free(ours);
}

static void test_oracle(const char *name, bool v3, bool v5, bool messages)
{
	struct bytes b = { 0 };
	char path[PATH_MAX], file[64];
	struct manifest *m;

	snprintf(path, sizeof(path), "%s/manifests/" OWN "/%s.man",
		 data_folder(), name);
	m = parse_file(path);
	if (!m) {
		SKIP("%s.man is not here", name);
		return;
	}
	if (v3) {
		wevt_write(&b, m, 3);
		snprintf(file, sizeof(file), "%s.wevt.v3.bin", name);
		check_same(file, &b);
	}
	if (v5) {
		wevt_write(&b, m, 5);
		snprintf(file, sizeof(file), "%s.wevt.v5.bin", name);
		check_same(file, &b);
	}
	if (messages) {
		messages_write(&b, m, 0);
		snprintf(file, sizeof(file), "%s.msg.bin", name);
		check_same(file, &b);
	}
	manifest_free(m);
}

/* Message numbers, and names that only XML has, are not compared */
static bool same_event(const struct found *a, const struct found *b,
		       const struct event *x, const struct event *y)
{
	struct bytes left = { 0 }, right = { 0 };
	bool same;

	build_manifest_event(&left, a, x, &x->descriptor);
	build_manifest_event(&right, b, y, &y->descriptor);
	same = left.len == right.len &&
	       !memcmp(left.data, right.data, left.len);
	bytes_free(&left);
	bytes_free(&right);
	return same;
}

static bool same_map(const struct manifest *a, const struct manifest *b,
		     const struct map *x, const struct provider *p)
{
	const struct map *y = p->maps;

	while (y && strcmp(x->name, y->name) != 0)
		y = y->next;
	if (!y || x->count != y->count || x->bits != y->bits)
		return false;
	for (const struct map_entry *e = x->entries; e; e = e->next) {
		const struct map_entry *f = y->entries;
		const char *text = message_text(a, e->message);

		while (f && f->value != e->value)
			f = f->next;
		if (!f || (text && strcmp(text, message_text(b, f->message)) != 0))
			return false;
	}
	return true;
}

static void check_provider(const char *what, const struct found *xml,
			   const struct manifest *m, unsigned int *events)
{
	struct found bin = { m, manifest_provider(m, &xml->provider->guid) };
	const struct event *e;
	bool good = bin.provider;

	for (e = xml->provider->events; good && e; e = e->next) {
		const struct event *f = find_event(&bin, &e->descriptor);

		good = f && same_event(xml, &bin, e, f);
		if (!good)
			printf("# %s: event %u of version %u\n", what,
			       e->descriptor.Id, e->descriptor.Version);
		++*events;
	}
	for (const struct map *map = xml->provider->maps; good && map;
	     map = map->next)
		good = same_map(xml->manifest, m, map, bin.provider);
	CHECK(good && list_length(bin.provider->filters) ==
		      list_length(xml->provider->filters),
	      "%s: %s is the same in compiled form", what, xml->provider->name);
}

static void test_again(const char *name, const char *path)
{
	struct bytes b = { 0 }, messages = { 0 };
	struct manifest *xml = parse_file(path), *bin;
	unsigned int events = 0;

	if (!xml)
		return;
	wevt_write(&b, xml, 5);
	messages_write(&messages, xml, 0);
	bin = wevt_read(b.data, b.len);
	CHECK(bin && messages_read(bin, "en-US", messages.data, messages.len),
	      "%s: compiled, it is read", name);
	for (struct provider *p = xml->providers; bin && p; p = p->next) {
		struct found found = { xml, p };

		check_provider(name, &found, bin, &events);
	}
	manifest_free(bin);
	manifest_free(xml);
	bytes_free(&b);
	bytes_free(&messages);
}

static int is_manifest(const struct dirent *entry)
{
	return !!strstr(entry->d_name, ".man");
}

static void test_folder(const char *folder)
{
	struct dirent **entries;
	char path[2 * PATH_MAX];
	int count = scandir(folder, &entries, is_manifest, alphasort);

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
			 entries[i]->d_name);
		test_again(entries[i]->d_name, path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void test_all(void)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int count;

	snprintf(path, sizeof(path), "%s/manifests", data_folder());
	count = scandir(path, &entries, NULL, alphasort);
	if (count < 0)
		SKIP("there are no manifests");
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/manifests/%s", data_folder(),
			 entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			test_folder(path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

/* A manifest with one thing of each kind, for the tests below */
static const char everything[] =
	"<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/"
	"08/events' xmlns:win='http://manifests.microsoft.com/win/2004/08/"
	"windows/events'><instrumentation><events>"
	"<provider name='P' guid='{11111111-2222-3333-4444-555566667777}' "
	"controlGuid='{21111111-2222-3333-4444-555566667777}' symbol='S' "
	"message='$(string.a)'>"
	"<traits groupGuid='{31111111-2222-3333-4444-555566667777}'/>"
	"<channels><channel name='C' type='Admin'/></channels>"
	"<tasks><task name='T' value='7'><opcodes><opcode name='O' value='30' "
	"message='$(string.a)'/></opcodes></task></tasks>"
	"<keywords><keyword name='K' mask='0x10'/></keywords>"
	"<maps><valueMap name='V'><map value='1' message='$(string.a)'/>"
	"</valueMap><bitMap name='B'><map value='2' message='$(string.b)'/>"
	"</bitMap></maps><templates><template tid='t' name='N'>"
	"<data name='n' inType='win:UInt16' map='V'/>"
	"<data name='s' inType='win:UnicodeString' length='n'/>"
	"<struct name='st' count='n'><data name='c' inType='win:UInt8' map='B'/>"
	"<data name='d' inType='win:AnsiString' count='c'/></struct></template>"
	"<template tid='u'><data name='n' inType='win:UInt16'/><UserData>"
	"<Own xmlns='urn:own' a='&quot;&lt;'><X>%1</X></Own></UserData></template>"
	"</templates>"
	"<filters><filter name='F' value='3' tid='t'/></filters>"
	"<events><event value='1' version='2' level='win:Error' task='T' "
	"opcode='O' keywords='K win:SQM' channel='C' template='t' "
	"message='$(string.b)' name='E' attributes='A=1;B=2'/>"
	"<event value='2' template='u'/></events></provider></events>"
	"</instrumentation><localization><resources culture='en-US'>"
	"<stringTable><string id='a' value='One'/><string id='b' "
	"value='&#x20ac; %1'/></stringTable></resources></localization>"
	"</instrumentationManifest>";

static struct manifest *parse_everything(void)
{
	struct manifest *m = manifest_parse("m", everything,
					    sizeof(everything) - 1, NULL,
					    NULL);

	if (m)
		manifest_number_messages(m);
	return m;
}

/* Read back the opcode's task, which the resource has as a number */
static void test_opcodes(void)
{
	struct manifest *xml = parse_everything(), *bin;
	const struct item *opcode = NULL;
	struct bytes b = { 0 };

	wevt_write(&b, xml, 5);
	bin = wevt_read(b.data, b.len);
	if (bin)
		opcode = bin->providers->items[ITEM_OPCODE];
	CHECK(opcode && opcode->value == 30 && opcode->task &&
	      opcode->task->value == 7 && !strcmp(opcode->task->name, "T"),
	      "compiled, an opcode is one of its task");
	manifest_free(bin);
	bytes_free(&b);
	manifest_free(xml);
}

/* Read the names of events with the same version, or the same id */
static void test_names_of_versions(void)
{
	static const char text[] =
		"<instrumentationManifest xmlns='http://schemas.microsoft.com/"
		"win/2004/08/events'><instrumentation><events><provider "
		"name='P' guid='{11111111-2222-3333-4444-555566667777}' "
		"symbol='S'><events><event value='7' version='1' name='71'/>"
		"<event value='1' version='1' name='11'/>"
		"<event value='1' version='2' name='12'/></events></provider>"
		"</events></instrumentation></instrumentationManifest>";
	struct manifest *xml = manifest_parse("m", text, sizeof(text) - 1,
					      NULL, NULL);
	struct bytes b = { 0 };
	char name[sizeof("65535255")];
	struct manifest *bin;
	bool right;

	wevt_write(&b, xml, 5);
	bin = wevt_read(b.data, b.len);
	right = bin && list_length(bin->providers->events) == 3;
	for (struct event *e = right ? bin->providers->events : NULL; e;
	     e = e->next) {
		snprintf(name, sizeof(name), "%u%u", e->descriptor.Id,
			 e->descriptor.Version);
		right = right && e->name && !strcmp(e->name, name);
	}
	CHECK(right, "compiled, each version of an event has its own name");
	manifest_free(bin);
	bytes_free(&b);
	manifest_free(xml);
}

static bool has_id(const struct template *t, const char *want)
{
	GUID id, wanted;

	binxml_template_id(t, &id);
	return guid_parse(want, &wanted) && same_guid(&id, &wanted);
}

/*
 * Hashes of "MS-WEVT" with its nul, of the XML in UTF-16 without one and of the
 * types of its fields, as GUIDs of version 5, computed by Python's hashlib.
 */
static void test_template_ids(void)
{
	struct manifest *m = parse_everything();
	const struct template *t = m->providers->templates;

	CHECK(has_id(t, "{edbcc518-ac7f-54fe-16ac-c910e80c0576}"),
	      "the id of a template with an array");
	CHECK(has_id(t->next, "{cbb43b9f-5dd7-5f01-6c31-c7ebf8514a08}"),
	      "the id of a template of own XML, with quotes in an attribute");
	manifest_free(m);
}

/* Whether three fields are substituted in order, each with its type */
static bool has_substitutions(const struct bytes *b, const u8 types[3])
{
	const u8 *at = b->data;

	for (u8 i = 0; i < 3; i++) {
		const u8 want[] = { 0x0d, i, 0, types[i] };

		at = memmem(at, b->data + b->len - at, want, sizeof(want));
		if (!at)
			return false;
	}
	return true;
}

static void test_substitutions(void)
{
	static const u8 types[] = { TDH_INTYPE_UINT16, TDH_INTYPE_UNICODESTRING,
				    0x80 | TDH_INTYPE_BINARY };
	struct manifest *m = parse_everything();
	struct bytes b = { 0 };

	binxml_write(&b, m->providers->templates);
	CHECK(has_substitutions(&b, types),
	      "types of fields in binary XML, one of which is an array");
	bytes_free(&b);
	manifest_free(m);
}

/* A letter has two bytes, so one of two lengths is not a multiple of 4 */
static void test_padding(void)
{
	static const char *const names[] = { "N", "NN" };
	size_t wrong = 0;

	for (size_t i = 0; i < EVNT_ARRAY_SIZE(names); i++) {
		struct template t = { .name = names[i] };
		struct bytes b = { 0 };

		bytes_add_u8(&b, 0);
		binxml_write(&b, &t);
		wrong += b.len % 4 != 1;
		bytes_free(&b);
	}
	CHECK(!wrong, "binary XML is filled up to a multiple of four bytes");
}

/* A resource of one provider; lists are added to it */
struct making {
	struct bytes b;
	u32 name;	/* place of a name, shared by everything with a name */
	u32 lists;	/* number of lists so far */
};

static void begin_resource(struct making *m)
{
	*m = (struct making) { .name = 36 };
	bytes_add(&m->b, "CRIM", 4);
	bytes_reserve(&m->b, 8);
	bytes_add_u32(&m->b, 1);
	bytes_reserve(&m->b, 16);
	bytes_add_u32(&m->b, 44);
	/* The name */
	bytes_add_u32(&m->b, 8);
	bytes_add_wide(&m->b, "K");
	bytes_add_u16(&m->b, 0);
	bytes_add(&m->b, "WEVT", 4);
	bytes_reserve(&m->b, 4);
	bytes_add_u32(&m->b, NO_MESSAGE);
	bytes_reserve(&m->b, 4 + 8 * 4);
}

/* Add a list with a head of @head bytes; its entries follow */
static void begin_list(struct making *m, u32 kind, u32 head, u32 count)
{
	size_t entry = 60 + 8 * m->lists, list = bytes_reserve(&m->b, head);

	bytes_put_u32(&m->b, entry, kind);
	bytes_put_u32(&m->b, entry + 4, list);
	bytes_put_u32(&m->b, 56, ++m->lists);
	bytes_put_u32(&m->b, list + 8, count);
}

static struct manifest *end_resource(struct making *m)
{
	struct manifest *manifest;

	bytes_put_u32(&m->b, 4, m->b.len);
	manifest = wevt_read(m->b.data, m->b.len);
	bytes_free(&m->b);
	return manifest;
}

/*
 * Read a struct, whose @out members begin at property @in, and three other
 * properties, of which @other is a struct unless it is 0.
 */
static bool reads_struct(u16 in, u16 out, unsigned int other)
{
	struct manifest *manifest;
	struct making m;
	size_t t;

	begin_resource(&m);
	begin_list(&m, WEVT_TEMPLATES, 12, 1);
	t = bytes_reserve(&m.b, 40);
	bytes_put_u32(&m.b, t + 4, 40);
	bytes_put_u32(&m.b, t + 8, 1);
	bytes_put_u32(&m.b, t + 12, 4);
	bytes_put_u32(&m.b, t + 16, m.b.len);
	for (unsigned int i = 0; i < 4; i++) {
		bytes_add_u32(&m.b, !i || i == other ? WEVT_STRUCT : 0);
		bytes_add_u16(&m.b, !i ? in : i == other ? 3 : 4);
		bytes_add_u16(&m.b, !i ? out : i == other ? 1 : 0);
		bytes_reserve(&m.b, 8);
		bytes_add_u32(&m.b, m.name);
	}
	manifest = end_resource(&m);
	manifest_free(manifest);
	return manifest;
}

static void test_structs(void)
{
	CHECK(reads_struct(1, 3, 0), "a struct of three members is read");
	CHECK(!reads_struct(1, 3, 2), "a struct in a struct is refused");
	CHECK(!reads_struct(0, 1, 0), "a struct in itself is refused");
	CHECK(!reads_struct(1, 4, 0), "a struct that is too long is refused");
}

#define KEYWORDS	1000

/*
 * Read events with 64 keywords, each the last one of 1000.  All share the same
 * 64 numbers, so the reader examines 64,000 items for an event of 48 bytes.
 */
static bool reads_events(u32 count)
{
	struct manifest *manifest;
	struct making m;
	u32 last, offsets;

	begin_resource(&m);
	begin_list(&m, WEVT_KEYWORDS, 12, KEYWORDS);
	for (u32 i = 0; i < KEYWORDS; i++) {
		last = bytes_reserve(&m.b, 8);
		bytes_add_u32(&m.b, NO_MESSAGE);
		bytes_add_u32(&m.b, m.name);
	}
	offsets = m.b.len;
	for (u32 i = 0; i < 64; i++)
		bytes_add_u32(&m.b, last);
	begin_list(&m, WEVT_EVENTS, 16, count);
	for (u32 i = 0; i < count; i++) {
		bytes_add_u16(&m.b, i);
		bytes_reserve(&m.b, 14);
		bytes_add_u32(&m.b, NO_MESSAGE);
		bytes_reserve(&m.b, 16);
		bytes_add_u32(&m.b, 64);
		bytes_add_u32(&m.b, offsets);
		bytes_reserve(&m.b, 4);
	}
	manifest = end_resource(&m);
	manifest_free(manifest);
	return manifest;
}

/* The limit is eight million */
static void test_work(void)
{
	CHECK(reads_events(100), "a resource that takes 6.4 million steps is read");
	CHECK(!reads_events(140), "a resource that takes 9 million is refused");
}

/* Read lists of an unknown kind */
static bool reads_lists(u32 count)
{
	struct manifest *manifest;
	struct making m;

	begin_resource(&m);
	bytes_put_u32(&m.b, 56, count);
	for (u32 i = 0; i < count; i++) {
		bytes_add_u32(&m.b, 99);
		bytes_add_u32(&m.b, 0);
	}
	manifest = end_resource(&m);
	manifest_free(manifest);
	return manifest;
}

/* Read providers without lists that share the same bytes */
static bool reads_providers(u32 count)
{
	struct manifest *manifest;
	struct bytes b = { 0 };

	bytes_add(&b, "CRIM", 4);
	bytes_reserve(&b, 8);
	bytes_add_u32(&b, count);
	for (u32 i = 0; i < count; i++) {
		bytes_reserve(&b, 16);
		bytes_add_u32(&b, 16 + 20 * count);
	}
	bytes_add(&b, "WEVT", 4);
	bytes_reserve(&b, 4);
	bytes_add_u32(&b, NO_MESSAGE);
	bytes_add_u32(&b, 0);
	manifest = wevt_read(b.data, b.len);
	bytes_free(&b);
	manifest_free(manifest);
	return manifest;
}

/*
 * Read providers with lists that share a template with binary XML; returns the
 * length of the XML that was read, or -1 if the resource is refused
 */
static ssize_t reads_xml(u32 providers, u32 lists, u32 xml)
{
	u32 provider = 16 + 20 * providers, list = provider + 16 + 8 * lists;
	struct manifest *manifest;
	struct bytes b = { 0 };
	ssize_t len = -1;

	bytes_add(&b, "CRIM", 4);
	bytes_reserve(&b, 8);
	bytes_add_u32(&b, providers);
	for (u32 i = 0; i < providers; i++) {
		bytes_reserve(&b, 16);
		bytes_add_u32(&b, provider);
	}
	bytes_add(&b, "WEVT", 4);
	bytes_reserve(&b, 4);
	bytes_add_u32(&b, NO_MESSAGE);
	bytes_add_u32(&b, lists);
	for (u32 i = 0; i < lists; i++) {
		bytes_add_u32(&b, WEVT_TEMPLATES);
		bytes_add_u32(&b, list);
	}
	bytes_add(&b, "TTBL", 4);
	bytes_reserve(&b, 4);
	bytes_add_u32(&b, 1);
	bytes_add(&b, "TEMP", 4);
	bytes_add_u32(&b, 40 + xml);
	bytes_reserve(&b, 8);
	bytes_add_u32(&b, list + 12 + 40 + xml);
	bytes_add_u32(&b, TEMPLATE_USER_DATA);
	bytes_reserve(&b, 16 + xml);
	manifest = wevt_read(b.data, b.len);
	if (manifest)
		len = manifest->providers->templates->xml_len;
	manifest_free(manifest);
	bytes_free(&b);
	return len;
}

static void test_user_data(void)
{
	CHECK(reads_xml(1, 32, USER_DATA_MAX) == USER_DATA_MAX,
	      "binary XML of 64 KiB is read");
	CHECK(!reads_xml(1, 1, USER_DATA_MAX + 1),
	      "longer binary XML is left out");
	CHECK(reads_xml(1024, 32, USER_DATA_MAX) == -1,
	      "too many copies of binary XML are refused");
}

/* Read blocks of 1024 messages that share the same bytes */
static bool reads_messages(u32 blocks)
{
	struct manifest *m = parse_everything();
	struct bytes b = { 0 };
	bool good;

	bytes_add_u32(&b, blocks);
	for (u32 i = 0; i < blocks; i++) {
		bytes_add_u32(&b, 0x10000);
		bytes_add_u32(&b, 0x10000 + 1023);
		bytes_add_u32(&b, 4 + 12 * blocks);
	}
	for (u32 i = 0; i < 1024; i++)
		bytes_add_u32(&b, 4);
	good = messages_read(m, "xx", b.data, b.len);
	bytes_free(&b);
	manifest_free(m);
	return good;
}

static void test_counts(void)
{
	CHECK(reads_lists(32) && !reads_lists(33), "a provider has 32 lists at most");
	CHECK(reads_providers(1024) && !reads_providers(1025),
	      "a resource has 1024 providers at most");
	CHECK(reads_messages(1024) && !reads_messages(1025),
	      "a table has 1024 times 1024 messages at most");
}

/* With any byte changed, the reader returns an error or a result */
static void test_damaged(void)
{
	struct manifest *xml = parse_everything(), *m;
	unsigned int good = 0, bad = 0;
	struct bytes b = { 0 }, damaged = { 0 };
	static const u8 values[] = { 0, 1, 0x7f, 0x80, 0xff };

	CHECK(xml, "a manifest of everything");
	wevt_write(&b, xml, 5);
	for (size_t i = 0; i < b.len * EVNT_ARRAY_SIZE(values); i++) {
		bytes_free(&damaged);
		bytes_add(&damaged, b.data, b.len);
		damaged.data[i / EVNT_ARRAY_SIZE(values)] =
			values[i % EVNT_ARRAY_SIZE(values)];
		m = wevt_read(damaged.data, damaged.len);
		*(m ? &good : &bad) += 1;
		manifest_free(m);
	}
	CHECK(good && bad, "a byte changed: %u resources read, %u refused",
	      good, bad);
	for (size_t i = 0; i < b.len - 2; i++) {
		bytes_free(&damaged);
		bytes_add(&damaged, b.data, i);
		m = wevt_read(damaged.data, damaged.len);
		if (m)
			CHECK(false, "the first %zu bytes are no resource", i);
		manifest_free(m);
	}
	bytes_free(&damaged);
	bytes_free(&b);
	manifest_free(xml);
}

static ULONG load(const struct bytes *b)
{
	char name[] = "/tmp/evnt-binary-XXXXXX";
	WCHAR wide[64] = { 0 };
	int fd = mkstemp(name);
	ULONG code;

	for (size_t i = 0; name[i]; i++)
		wide[i] = (unsigned char)name[i];
	if (write(fd, b->data, b->len) != (ssize_t)b->len)
		return ERROR_GEN_FAILURE;
	code = TdhLoadManifestFromBinary(wide);
	close(fd);
	unlink(name);
	if (!code)
		code = TdhUnloadManifest(wide);
	return code;
}

static void add_note(struct bytes *b, u32 type, const void *data, size_t len)
{
	bytes_add_u32(b, sizeof(EVNT_NOTE_NAME));
	bytes_add_u32(b, len);
	bytes_add_u32(b, type);
	bytes_add(b, EVNT_NOTE_NAME, sizeof(EVNT_NOTE_NAME));
	bytes_align(b, 4);
	bytes_add(b, data, len);
	bytes_align(b, 4);
}

/* Make an ELF file with only a section of notes */
static void make_elf(struct bytes *b, const struct bytes *resource,
		     const struct bytes *messages)
{
	size_t section = bytes_reserve(b, 64) + 64;

	memcpy(b->data, "\x7f" "ELF\x02\x01\x01", 7);
	bytes_reserve(b, 64);
	bytes_put_u32(b, 40, section);
	bytes_put_u16(b, 60, 1);
	bytes_put_u32(b, section + 4, 7);
	bytes_put_u32(b, section + 24, b->len);
	add_note(b, EVNT_NOTE_TEMPLATE, resource->data, resource->len);
	add_note(b, EVNT_NOTE_MESSAGES, messages->data, messages->len);
	bytes_put_u32(b, section + 32, b->len - 128);
}

#define RSRC	0x1000

static void add_directory(struct bytes *b, u32 names, u32 ids)
{
	size_t at = bytes_reserve(b, 16);

	bytes_put_u16(b, at + 12, names);
	bytes_put_u16(b, at + 14, ids);
}

static void add_entry(struct bytes *b, u32 id, u32 where)
{
	bytes_add_u32(b, id);
	bytes_add_u32(b, where);
}

#define RSRC_IN_FILE	0x200

/* Begin a DLL with only a section of resources */
static void begin_pe(struct bytes *b)
{
	bytes_reserve(b, RSRC_IN_FILE);
	memcpy(b->data, "MZ", 2);
	bytes_put_u32(b, 0x3c, 0x40);
	memcpy(b->data + 0x40, "PE\0", 4);
	bytes_put_u16(b, 0x46, 1);
	bytes_put_u16(b, 0x54, 240);
	bytes_put_u16(b, 0x58, 0x20b);
	bytes_put_u32(b, 0x58 + 128, RSRC);
	memcpy(b->data + 0x58 + 240, ".rsrc", 5);
	bytes_put_u32(b, 0x58 + 240 + 12, RSRC);
	bytes_put_u32(b, 0x58 + 240 + 20, RSRC_IN_FILE);
}

static void end_pe(struct bytes *b)
{
	bytes_put_u32(b, 0x58 + 240 + 16, b->len - RSRC_IN_FILE);
}

/* Add the two resources: types, names, languages, data */
static void make_pe(struct bytes *b, const struct bytes *resource,
		    const struct bytes *messages)
{
	size_t base = RSRC_IN_FILE, name;

	begin_pe(b);
	add_directory(b, 1, 1);
	name = b->len + 4;
	add_entry(b, 0x80000000u, 0x80000020u);
	add_entry(b, 11, 0x80000038u);
	add_directory(b, 0, 1);
	add_entry(b, 1, 0x80000050u);
	add_directory(b, 0, 1);
	add_entry(b, 1, 0x80000068u);
	add_directory(b, 0, 1);
	add_entry(b, 0x409, 0x80);
	add_directory(b, 0, 1);
	add_entry(b, 0x409, 0x90);
	bytes_add_u32(b, RSRC + 0xc0);
	bytes_add_u32(b, resource->len);
	bytes_reserve(b, 8);
	bytes_add_u32(b, RSRC + 0xc0 + resource->len);
	bytes_add_u32(b, messages->len);
	bytes_reserve(b, 8);
	bytes_put_u32(b, name - 4, 0x80000000u | (u32)(b->len - base));
	bytes_add_u16(b, 13);
	bytes_add_wide(b, "WEVT_TEMPLATE");
	bytes_reserve(b, base + 0xc0 - b->len);
	bytes_add(b, resource->data, resource->len);
	bytes_add(b, messages->data, messages->len);
	end_pe(b);
}

#define DIRECTORY	0x80000000u

/* Place of the next thing among the resources */
static u32 place(const struct bytes *b)
{
	return b->len - RSRC_IN_FILE;
}

/* Add a directory of @count entries that all refer to @where */
static u32 add_same(struct bytes *b, u32 count, u32 where)
{
	u32 at = place(b);

	add_directory(b, 0, count);
	for (u32 i = 0; i < count; i++)
		add_entry(b, i, where);
	return at;
}

/*
 * Read a DLL with a resource @depth directories deep, after @count entries that
 * share one directory of @count entries that are no resources.
 */
static bool reads_tree(const struct bytes *resource, u32 count,
		       unsigned int depth)
{
	struct bytes b = { 0 };
	struct manifest *m;
	size_t entries;
	ULONG code;
	u32 empty;

	begin_pe(&b);
	add_directory(&b, 1, 1);
	entries = bytes_reserve(&b, 16);
	empty = add_same(&b, count, 0);
	bytes_put_u32(&b, entries, 7);
	bytes_put_u32(&b, entries + 4,
		      DIRECTORY | add_same(&b, count, DIRECTORY | empty));
	bytes_put_u32(&b, entries + 8, DIRECTORY | place(&b));
	bytes_add_u16(&b, 13);
	bytes_add_wide(&b, "WEVT_TEMPLATE");
	bytes_put_u32(&b, entries + 12, DIRECTORY | place(&b));
	for (; depth; depth--)
		add_same(&b, 1, (depth > 1 ? DIRECTORY : 0) |
				(place(&b) + 16 + 8));
	bytes_add_u32(&b, RSRC + place(&b) + 16);
	bytes_add_u32(&b, resource->len);
	bytes_reserve(&b, 8);
	bytes_add(&b, resource->data, resource->len);
	end_pe(&b);
	m = binary_manifest(b.data, b.len, &code);
	bytes_free(&b);
	manifest_free(m);
	return m;
}

static void test_trees(const struct bytes *resource)
{
	CHECK(reads_tree(resource, 0, 2), "a resource behind two directories is found");
	CHECK(!reads_tree(resource, 0, 3),
	      "a resource behind three directories is not looked for");
	CHECK(reads_tree(resource, 250, 2), "a resource behind 62,500 entries is found");
	CHECK(!reads_tree(resource, 260, 2),
	      "a resource behind 67,600 entries is not looked for");
}

static void check_binary(const char *what, const struct bytes *b)
{
	ULONG code = 0;
	struct manifest *m = binary_manifest(b->data, b->len, &code);
	const char *text = m && m->providers ?
			   message_text(m, m->providers->message) : NULL;

	CHECK(text && !strcmp(text, "One") && !load(b),
	      "TdhLoadManifestFromBinary: %s: code %u", what, code);
	manifest_free(m);
	/* Each prefix is accepted or refused, without reading beyond it */
	for (size_t i = 0; i < b->len; i += 3) {
		struct bytes part = { 0 };

		bytes_add(&part, b->data, i);
		manifest_free(binary_manifest(part.data, part.len, &code));
		bytes_free(&part);
	}
}

static void test_binary(void)
{
	struct bytes resource = { 0 }, table = { 0 }, note = { 0 }, b = { 0 };
	struct manifest *m = parse_everything();

	wevt_write(&resource, m, 5);
	messages_write(&table, m, 0);
	bytes_add(&note, "en-US", 6);
	bytes_add(&note, table.data, table.len);
	make_elf(&b, &resource, &note);
	check_binary("ELF", &b);
	bytes_free(&b);
	make_pe(&b, &resource, &table);
	check_binary("PE", &b);
	test_trees(&resource);
	CHECK(!load(&resource), "TdhLoadManifestFromBinary: the resource");
	bytes_put_u32(&resource, 20, 0x7fffffff);
	bytes_put_u32(&resource, 32, 0x7fffffff);
	CHECK(load(&resource) == ERROR_FILE_CORRUPT,
	      "TdhLoadManifestFromBinary: ERROR_FILE_CORRUPT");
	bytes_free(&b);
	bytes_add(&b, "nothing of the kind", 19);
	CHECK(load(&b) == ERROR_RESOURCE_TYPE_NOT_FOUND,
	      "TdhLoadManifestFromBinary: ERROR_RESOURCE_TYPE_NOT_FOUND");
	CHECK(TdhLoadManifestFromBinary(NULL) == ERROR_INVALID_PARAMETER,
	      "TdhLoadManifestFromBinary: ERROR_INVALID_PARAMETER");
	CHECK(TdhLoadManifestFromBinary((PWSTR)u"/nowhere/a.dll") ==
	      ERROR_FILE_NOT_FOUND,
	      "TdhLoadManifestFromBinary: ERROR_FILE_NOT_FOUND");
	bytes_free(&b);
	bytes_free(&note);
	bytes_free(&table);
	bytes_free(&resource);
	manifest_free(m);
}

static bool same_queries(const struct query *a, const struct query *b)
{
	for (; a && b; a = a->next, b = b->next) {
		const struct query_entry *e = a->entries, *f = b->entries;

		if (strcmp(a->name, b->name) != 0 ||
		    strcmp(a->format, b->format) != 0 ||
		    a->count != b->count)
			return false;
		for (; e && f; e = e->next, f = f->next) {
			if (strcmp(e->name, f->name) != 0 ||
			    strcmp(e->value, f->value) != 0)
				return false;
		}
		if (e || f)
			return false;
	}
	return !a && !b;
}

/* Named queries are compiled, and read again */
static void test_queries(void)
{
	static const char text[] =
		"<instrumentationManifest xmlns='http://schemas.microsoft.com/"
		"win/2004/08/events'><instrumentation><events>"
		"<provider name='P' symbol='P' "
		"guid='{11111111-2222-3333-4444-555566667777}'>"
		"<namedQueries><patternMaps>"
		"<patternMap name='A' format='f'><map name='n' value='v'/>"
		"</patternMap><patternMap name='B' format='g'/>"
		"</patternMaps></namedQueries>"
		"<events><event value='9'/></events></provider></events>"
		"</instrumentation></instrumentationManifest>";
	/* Offsets of two pattern maps, these, and their names */
	static const u8 table[] = {
		'Q', 'T', 'A', 'B', 0x74, 0, 0, 0, 2, 0, 0, 0,
	};
	struct manifest *m = manifest_parse("m", text, sizeof(text) - 1, NULL,
					    NULL);
	struct bytes b = { 0 };
	struct manifest *again;

	CHECK(m && m->providers->queries->next, "named queries are read");
	if (!m)
		return;
	manifest_number_messages(m);
	wevt_write(&b, m, 5);
	CHECK(memmem(b.data, b.len, table, sizeof(table)),
	      "named queries are compiled");
	again = wevt_read(b.data, b.len);
	CHECK(again && manifest_event(again, again->providers, 9, 0),
	      "events of a provider with named queries are read");
	CHECK(again && same_queries(m->providers->queries,
				    again->providers->queries),
	      "compiled named queries are read");
	manifest_free(again);
	manifest_free(m);
	bytes_free(&b);
}

int main(void)
{
	setenv("LC_ALL", "C", 1);
	test_queries();
	test_oracle("Empty", true, true, false);
	test_oracle("EventAttributes", false, true, true);
	test_oracle("ImportChannelFromProvider", true, true, true);
	test_oracle("ImportChannels", true, true, true);
	test_oracle("Large", false, true, true);
	test_oracle("ProviderTraits", false, true, true);
	test_oracle("ReferenceChannels", false, true, true);
	test_oracle("TaskOpcodes", true, true, true);
	test_oracle("TypeMangling", false, true, false);
	test_all();
	test_opcodes();
	test_names_of_versions();
	test_template_ids();
	test_substitutions();
	test_padding();
	test_structs();
	test_work();
	test_user_data();
	test_counts();
	test_damaged();
	test_binary();
	return tap_end();
}
