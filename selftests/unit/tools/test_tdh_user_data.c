// SPDX-License-Identifier: MIT
/*
 * Events as XML by the UserData element of their template: with each kind of
 * field, from a compiled manifest, and from damaged definitions.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

#include "selftests/unit/common/tap.h"

void *must_have(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

/* Names of providers are not printed here */
#include "decode/known_providers.h"

const char *known_provider(const GUID *id)
{
	(void)id;
	return NULL;
}

#include "decode/event_types.c"
#include "decode/format.c"
#include "decode/schema.c"
#include "tools/common/strbuf.c"
#include "tools/events/event_view.c"
#include "tools/events/fields.c"
#include "tools/events/kind_text.c"
#include "tools/print/user_data.c"
#include "tools/print/xml_writer.c"

#include "tdh/wevt.h"

#define MANIFEST(own)							\
	"<instrumentationManifest xmlns='http://schemas.microsoft.com/win/2004/"\
	"08/events'><instrumentation><events><provider name='P' symbol='P' "	\
	"guid='{00000007-0000-0000-0000-000000000000}'><templates>"	\
	"<template tid='t'><data name='n' inType='win:UInt8'/>"		\
	"<data name='a' inType='win:UInt8' count='n'/>"			\
	"<struct name='s'><data name='x' inType='win:UInt8'/>"		\
	"<data name='y' inType='win:UInt8'/></struct>"			\
	"<data name='t' inType='win:AnsiString'/>"			\
	"<UserData>" own "</UserData></template></templates>"		\
	"<events><event value='1' symbol='E' template='t'/></events>"	\
	"</provider></events></instrumentation></instrumentationManifest>"

static struct out out;

static EVENT_RECORD event_of(const char *payload, size_t len)
{
	EVENT_RECORD event = {
		.EventHeader.ProviderId = { .Data1 = 7 },
		.EventHeader.EventDescriptor.Id = 1,
		.EventHeader.Flags = EVENT_HEADER_FLAG_64_BIT_HEADER,
		.UserData = (void *)payload,
		.UserDataLength = len,
	};

	return event;
}

/* Write an event, and check the text and the result */
static bool writes(const EVENT_RECORD *event, bool good, const char *wanted)
{
	struct schema *schema = schema_make(event);
	struct xml_writer w = { .out = &out };
	bool result, same;

	out.len = 0;
	result = schema && user_data_put(&w, event, schema);
	same = result == good && !w.depth &&
	       !strcmp(out_string(&out), wanted);
	if (!same)
		printf("# %d: '%s'\n", result, out_string(&out));
	schema_free(schema);
	return same;
}

static void load(const char *manifest)
{
	if (TdhLoadManifestFromMemory(manifest, strlen(manifest)))
		exit(tap_end());
}

static void unload(const char *manifest)
{
	TdhUnloadManifestFromMemory(manifest, strlen(manifest));
}

#define OWN								\
	"<E xmlns='urn:own' k='&lt;&amp;'><T>%4</T><G><A>%2</A><S>%3</S></G>"\
	"<N>%1</N><None>%9</None><Empty/></E>"
#define PAYLOAD		"\2\1\2\xab\xcdm<\0"
#define WANTED								\
	"<E xmlns=\"urn:own\" k=\"&lt;&amp;\">\n\t<T>m&lt;</T>\n\t<G>\n"	\
	"\t\t<A>1</A>\n\t\t<A>2</A>\n\t\t<S>abcd</S>\n\t</G>\n\t<N>2</N>\n"	\
	"\t<None/>\n\t<Empty/>\n</E>\n"

static void test_fields(void)
{
	EVENT_RECORD event = event_of(PAYLOAD, sizeof(PAYLOAD) - 1);
	EVENT_RECORD none = event_of("\0\1\2x\0", 5);
	EVENT_RECORD cut = event_of(PAYLOAD, 4);

	load(MANIFEST(OWN));
	CHECK(writes(&event, true, WANTED), "each kind of field");
	CHECK(writes(&none, true,
		     "<E xmlns=\"urn:own\" k=\"&lt;&amp;\">\n\t<T>x</T>\n\t<G>\n"
		     "\t\t<A/>\n\t\t<S>0102</S>\n\t</G>\n\t<N>0</N>\n"
		     "\t<None/>\n\t<Empty/>\n</E>\n"),
	      "an array without elements");
	CHECK(writes(&cut, false,
		     "<E xmlns=\"urn:own\" k=\"&lt;&amp;\">\n\t<T/>\n\t<G>\n"
		     "\t\t<A>1</A>\n\t\t<A>2</A>\n\t\t<S>ab</S>\n\t</G>\n"
		     "\t<N>2</N>\n\t<None/>\n\t<Empty/>\n</E>\n"),
	      "a payload that ends in a struct");
	unload(MANIFEST(OWN));
}

/* Constant texts, and several fields in one text */
static void test_texts(void)
{
	static const char manifest[] =
		MANIFEST("<E><A>constant</A><B>\n  n is %1, t is %4&lt; 5% %0\n  </B>"
			 "<C>%1%4</C></E>");
	EVENT_RECORD event = event_of(PAYLOAD, sizeof(PAYLOAD) - 1);

	load(manifest);
	CHECK(writes(&event, true,
		     "<E>\n\t<A>constant</A>\n"
		     "\t<B>n is 2, t is m&lt;&lt; 5% %0</B>\n\t<C>2m&lt;</C>\n</E>\n"),
	      "constant texts and several fields");
	unload(manifest);
}

/* Elements in elements are not repeated by the texts of the outer ones */
static void test_nested(void)
{
	static const char manifest[] = MANIFEST("<A>%2<B>%2</B></A>");
	static const char deep[] =
		MANIFEST("<a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a><a>%1"
			 "</a></a></a></a></a></a></a></a></a></a></a></a></a>"
			 "</a></a></a></a>");
	EVENT_RECORD event = event_of(PAYLOAD, sizeof(PAYLOAD) - 1);
	struct xml_writer w = { .out = &out };
	struct schema *schema;

	load(manifest);
	CHECK(writes(&event, true,
		     "<A>1\t<B>1</B>\n\t<B>2</B>\n</A>\n"),
	      "an element with a text and an element");
	unload(manifest);
	load(deep);
	schema = schema_make(&event);
	CHECK(schema && !user_data_put(&w, &event, schema) && !w.depth,
	      "an element in 16 others is an error");
	schema_free(schema);
	unload(deep);
}

/* The compiled manifest has the same definition */
static void test_compiled(void)
{
	struct manifest *m = manifest_parse("m", MANIFEST(OWN),
					    sizeof(MANIFEST(OWN)) - 1, NULL,
					    NULL);
	EVENT_RECORD event = event_of(PAYLOAD, sizeof(PAYLOAD) - 1);
	char name[] = "/tmp/evnt-user-data-XXXXXX";
	int fd = mkstemp(name);
	struct bytes b = { 0 };
	WCHAR wide[64];
	size_t i;

	manifest_number_messages(m);
	wevt_write(&b, m, 5);
	for (i = 0; name[i]; i++)
		wide[i] = (unsigned char)name[i];
	wide[i] = 0;
	CHECK(write(fd, b.data, b.len) == (ssize_t)b.len &&
	      !TdhLoadManifestFromBinary(wide) &&
	      writes(&event, true, WANTED), "a compiled manifest");
	TdhUnloadManifest(wide);
	close(fd);
	unlink(name);
	bytes_free(&b);
	manifest_free(m);
}

/* Any definition ends all elements that it begins */
static void test_damaged(void)
{
	EVENT_RECORD event = event_of(PAYLOAD, sizeof(PAYLOAD) - 1);
	struct xml_writer w = { .out = &out };
	struct schema *schema;
	unsigned int refused = 0, open = 0;
	TRACE_EVENT_INFO *info;
	uint8_t *xml, kept;
	ULONG len;

	load(MANIFEST(OWN));
	schema = schema_make(&event);
	if (!schema)
		exit(tap_end());
	info = schema->info;
	xml = (uint8_t *)info + info->BinaryXMLOffset;
	len = info->BinaryXMLSize;
	for (ULONG i = 0; i < len; i++) {
		kept = xml[i];
		for (int bit = 0; bit < 8; bit++) {
			xml[i] = kept ^ 1 << bit;
			out.len = 0;
			refused += !user_data_put(&w, &event, schema);
			open += w.depth;
		}
		xml[i] = kept;
		/* The end of the buffer is the end of the definition */
		info->BinaryXMLOffset = info->BinaryXMLOffset + len - i;
		memmove((uint8_t *)info + info->BinaryXMLOffset, xml, i);
		info->BinaryXMLSize = i;
		out.len = 0;
		refused += !user_data_put(&w, &event, schema);
		open += w.depth;
		info->BinaryXMLOffset = info->BinaryXMLOffset - len + i;
		info->BinaryXMLSize = len;
	}
	CHECK(!open && refused > len, "%u damaged definitions are refused",
	      refused);
	schema_free(schema);
	unload(MANIFEST(OWN));
}

int main(void)
{
	setenv("LC_ALL", "C", 1);
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	test_fields();
	test_texts();
	test_nested();
	test_compiled();
	test_damaged();
	out_free(&out);
	return tap_end();
}
