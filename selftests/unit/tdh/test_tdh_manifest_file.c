// SPDX-License-Identifier: MIT
/*
 * Manifests found by events that name a file: in files of each kind, in
 * replaced files, and by untrusted events.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/evntprov.h>

#include "core/self_layout.h"
#include "tdh/binary.h"
#include "evnttdh.h"
#include "selftests/unit/common/tap.h"

#define ID	"0123456789abcdef"

static const GUID ours = {
	0x11111111, 0x2222, 0x3333,
	{ 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77, 0x77 }
}, other = { .Data1 = 1 };

static char dir[32];

/* Two providers, each with an event @n of this name */
static void make_text(char *text, const char *name)
{
	char *at = text;

	at += sprintf(at, "<instrumentationManifest xmlns="
		      "'http://schemas.microsoft.com/win/2004/08/events'>"
		      "<instrumentation><events>");
	at += sprintf(at, "<provider name='Ours-%s' symbol='O' guid="
		      "'{11111111-2222-3333-4444-555566667777}'><events>"
		      "<event value='1' symbol='A'/></events></provider>",
		      name);
	at += sprintf(at, "<provider name='Other-%s' symbol='P' guid="
		      "'{00000001-0000-0000-0000-000000000000}'><events>"
		      "<event value='1' symbol='B'/></events></provider>",
		      name);
	sprintf(at, "</events></instrumentation></instrumentationManifest>");
}

static void add_note(struct bytes *b, const char *name, u32 type,
		     const void *data, size_t len)
{
	bytes_add_u32(b, strlen(name) + 1);
	bytes_add_u32(b, len);
	bytes_add_u32(b, type);
	bytes_add(b, name, strlen(name) + 1);
	bytes_align(b, 4);
	bytes_add(b, data, len);
	bytes_align(b, 4);
}

static void add_template(struct bytes *b, const char *name)
{
	struct bytes resource = { 0 };
	struct manifest *m;
	char text[1024];

	make_text(text, name);
	m = manifest_parse("", text, strlen(text), NULL, NULL);
	manifest_number_messages(m);
	wevt_write(&resource, m, 5);
	add_note(b, EVNT_NOTE_NAME, EVNT_NOTE_TEMPLATE, resource.data,
		 resource.len);
	bytes_free(&resource);
	manifest_free(m);
}

/* Write an ELF file with a section of notes: a build id, and a manifest */
static void make_file(const char *path, bool has_id, const char *name)
{
	static const u8 id[] = { 1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
	struct bytes b = { 0 };
	size_t section = bytes_reserve(&b, 64) + 64;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	memcpy(b.data, "\x7f" "ELF\x02\x01\x01", 7);
	bytes_reserve(&b, 64);
	bytes_put_u32(&b, 40, section);
	bytes_put_u16(&b, 60, 1);
	bytes_put_u32(&b, section + 4, 7);
	bytes_put_u32(&b, section + 24, b.len);
	if (has_id)
		add_note(&b, "GNU", 3, id, sizeof(id));
	if (name)
		add_template(&b, name);
	bytes_put_u32(&b, section + 32, b.len - 128);
	if (write(fd, b.data, b.len) != (ssize_t)b.len)
		abort();
	close(fd);
	bytes_free(&b);
}

static EVENT_RECORD record_of(void)
{
	static const struct evntprov_guid images = EVNTPROV_IMAGES_PROVIDER;
	EVENT_RECORD record = {
		.EventHeader.EventDescriptor.Opcode = EVNTPROV_MANIFEST_OPCODE,
	};

	memcpy(&record.EventHeader.ProviderId, &images, sizeof(images));
	return record;
}

/* Use memory of the exact size, so that a sanitizer sees reads beyond it */
static ULONG load_bytes(const void *data, size_t len)
{
	EVENT_RECORD record = record_of();
	void *copy = malloc(len ? len : 1);
	ULONG code;

	memcpy(copy, data, len);
	record.UserData = copy;
	record.UserDataLength = len;
	code = EvntLoadManifestFromEvent(&record);
	free(copy);
	return code;
}

static size_t make_data(char *data, const GUID *provider, const char *id,
			const char *path)
{
	size_t len = sizeof(*provider);

	memcpy(data, provider, len);
	memcpy(data + len, id, strlen(id) + 1);
	len += strlen(id) + 1;
	memcpy(data + len, path, strlen(path) + 1);
	return len + strlen(path) + 1;
}

static ULONG load(const GUID *provider, const char *id, const char *path)
{
	char data[512];

	return load_bytes(data, make_data(data, provider, id, path));
}

static char *path_of(const char *name)
{
	static char path[64];

	sprintf(path, "%s/%s", dir, name);
	return path;
}

/* Provider name of decoded events, or "" */
static const char *name_of(const GUID *provider)
{
	static char name[64];
	EVENT_RECORD record = {
		.EventHeader.ProviderId = *provider,
		.EventHeader.EventDescriptor.Id = 1,
	};
	TRACE_EVENT_INFO *info;
	ULONG size = 0;
	const WCHAR *wide;
	size_t i;

	*name = '\0';
	if (TdhGetEventInformation(&record, 0, NULL, NULL, &size) !=
	    ERROR_INSUFFICIENT_BUFFER)
		return name;
	info = malloc(size);
	if (!TdhGetEventInformation(&record, 0, NULL, info, &size)) {
		wide = (const WCHAR *)((char *)info + info->ProviderNameOffset);
		for (i = 0; wide[i] && i < sizeof(name) - 1; i++)
			name[i] = wide[i];
		name[i] = '\0';
	}
	free(info);
	return name;
}

static bool is_named(const GUID *provider, const char *name)
{
	return !strcmp(name_of(provider), name);
}

static void test_events(void)
{
	EVENT_RECORD record = record_of();
	char data[512];
	size_t i, len;

	CHECK(EvntLoadManifestFromEvent(NULL) == ERROR_INVALID_PARAMETER,
	      "NULL is refused");
	record.EventHeader.EventDescriptor.Opcode = EVNTPROV_IMAGE_OPCODE;
	CHECK(EvntLoadManifestFromEvent(&record) == ERROR_NOT_FOUND,
	      "an event of an image is not found");
	record = record_of();
	record.EventHeader.ProviderId.Data1++;
	CHECK(EvntLoadManifestFromEvent(&record) == ERROR_NOT_FOUND,
	      "an event of another provider is not found");
	record = record_of();
	CHECK(EvntLoadManifestFromEvent(&record) ==
	      ERROR_EVT_INVALID_EVENT_DATA, "an event without data is refused");
	len = make_data(data, &ours, ID, path_of("good"));
	for (i = 0; i < len; i++) {
		if (load_bytes(data, i) != ERROR_EVT_INVALID_EVENT_DATA)
			break;
	}
	CHECK(i == len, "cut anywhere: none");
	CHECK(load(&ours, ID, "good") == ERROR_EVT_INVALID_EVENT_DATA &&
	      load(&ours, ID, "") == ERROR_EVT_INVALID_EVENT_DATA,
	      "a path that is not absolute");
	CHECK(is_named(&ours, ""),
	      "events without a correct path load nothing");
}

static void test_files(void)
{
	make_file(path_of("none"), true, NULL);
	CHECK(load(&ours, ID, path_of("none")) ==
	      ERROR_RESOURCE_TYPE_NOT_FOUND, "no manifest in it");
	CHECK(load(&ours, ID, path_of("gone")) == ERROR_FILE_NOT_FOUND,
	      "no such file");
	CHECK(load(&ours, ID, dir) == ERROR_BAD_PATHNAME,
	      "a folder is refused");
	mkfifo(path_of("fifo"), 0644);
	CHECK(load(&ours, ID, path_of("fifo")) == ERROR_BAD_PATHNAME,
	      "a pipe, which is not waited for");
	CHECK(load(&ours, "", "/dev/null") == ERROR_BAD_PATHNAME,
	      "a device is refused");
	CHECK(load(&ours, "", "/proc/self/stat") ==
	      ERROR_RESOURCE_TYPE_NOT_FOUND,
	      "a file without contents is not read");
	CHECK(load(&ours, "00", path_of("good")) == ERROR_REVISION_MISMATCH &&
	      load(&ours, "", path_of("good")) == ERROR_REVISION_MISMATCH,
	      "a file of another build is refused");
	CHECK(load(&ours, ID, path_of("bare")) == ERROR_REVISION_MISMATCH,
	      "a file without a build id is refused");
	CHECK(load(&(GUID) { .Data1 = 2 }, ID, path_of("good")) ==
	      ERROR_RESOURCE_TYPE_NOT_FOUND,
	      "a file with a manifest of another provider is refused");
	CHECK(is_named(&ours, ""), "refused files load nothing");
}

static void test_ranks(void)
{
	char text[1024];

	CHECK(!load(&ours, ID, path_of("good")) && is_named(&ours, "Ours-good"),
	      "a manifest is loaded from a file");
	CHECK(is_named(&other, ""),
	      "a manifest is loaded for the announced provider only");
	unlink(path_of("good"));
	CHECK(!load(&ours, ID, path_of("good")), "a manifest is loaded once");
	CHECK(!load(&ours, "", path_of("bare")) && is_named(&ours, "Ours-bare"),
	      "a later one counts");
	make_text(text, "given");
	CHECK(!TdhLoadManifestFromMemory(text, strlen(text)) &&
	      is_named(&ours, "Ours-given") && is_named(&other, "Other-given"),
	      "a given manifest replaces a loaded one");
	make_file(path_of("new"), true, "new");
	CHECK(!load(&ours, ID, path_of("new")) && is_named(&ours, "Ours-given"),
	      "a later announcement does not replace a given manifest");
	TdhUnloadManifestFromMemory(text, strlen(text));
	CHECK(is_named(&ours, "Ours-new"),
	      "unloading a given manifest restores the announced one");
}

/* Each file of a program has a manifest; the one with the provider is used */
static void test_several(void)
{
	static const char one[] =
		"<instrumentationManifest xmlns="
		"'http://schemas.microsoft.com/win/2004/08/events'>"
		"<instrumentation><events><provider name='One' symbol='O' guid="
		"'{00000009-0000-0000-0000-000000000000}'><events>"
		"<event value='1' symbol='A' message='$(string.m)'/></events>"
		"</provider></events></instrumentation><localization>"
		"<resources culture='en-US'><stringTable>"
		"<string id='m' value='%s'/></stringTable></resources>"
		"</localization></instrumentationManifest>";
	struct bytes b = { 0 }, notes = { 0 };
	struct manifest *m;
	char text[1024];
	ULONG code;

	for (int i = 0; i < 2; i++) {
		struct bytes part = { 0 };

		sprintf(text, one, i ? "right" : "wrong");
		if (!i)
			strstr(text, "{0000000")[8] = '8';
		m = manifest_parse("", text, strlen(text), NULL, NULL);
		manifest_number_messages(m);
		wevt_write(&part, m, 5);
		add_note(&notes, EVNT_NOTE_NAME, EVNT_NOTE_TEMPLATE, part.data,
			 part.len);
		bytes_free(&part);
		bytes_add(&part, "en-US", 6);
		messages_write(&part, m, 0);
		add_note(&notes, EVNT_NOTE_NAME, EVNT_NOTE_MESSAGES, part.data,
			 part.len);
		bytes_free(&part);
		manifest_free(m);
	}
	bytes_reserve(&b, 128);
	memcpy(b.data, "\x7f" "ELF\x02\x01\x01", 7);
	bytes_put_u32(&b, 40, 64);
	bytes_put_u16(&b, 60, 1);
	bytes_put_u32(&b, 68, 7);
	bytes_put_u32(&b, 88, 128);
	bytes_put_u32(&b, 96, notes.len);
	bytes_add(&b, notes.data, notes.len);
	m = binary_manifest_of(b.data, b.len, &(GUID) { .Data1 = 9 }, "",
			       &code);
	CHECK(m && !strcmp(m->providers->name, "One") &&
	      m->providers->guid.Data1 == 9, "the second of two");
	manifest_free(m);
	m = binary_manifest(b.data, b.len, &code);
	CHECK(m && m->providers->guid.Data1 == 8, "the first, of any");
	manifest_free(m);
	bytes_free(&notes);
	bytes_free(&b);
}

int main(void)
{
	setenv("EVNTPROV_MANIFESTS", "/nonexistent", 1);
	strcpy(dir, "/tmp/evnt-manifest-XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	make_file(path_of("good"), true, "good");
	make_file(path_of("bare"), false, "bare");
	test_events();
	test_files();
	test_ranks();
	test_several();
	unlink(path_of("bare"));
	unlink(path_of("new"));
	unlink(path_of("none"));
	unlink(path_of("fifo"));
	rmdir(dir);
	return tap_end();
}
