/* SPDX-License-Identifier: MIT */
/*
 * A provider whose events stay in the program: the functions that
 * TraceLogging's macros call, and their last arguments.
 */
#ifndef EVNT_TEST_TLG_HOOKS_H
#define EVNT_TEST_TLG_HOOKS_H

#include <evntprov.h>

static ULONG test_register(LPCGUID id, PENABLECALLBACK callback, PVOID context,
			   PREGHANDLE handle);
static ULONG test_unregister_call(REGHANDLE handle);
static ULONG test_set_information(REGHANDLE handle, EVENT_INFO_CLASS info_class,
				  PVOID info, ULONG size);
static ULONG test_write(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
			LPCGUID activity, LPCGUID related, ULONG count,
			PEVENT_DATA_DESCRIPTOR data);

#define TLG_EVENT_REGISTER		test_register
#define TLG_EVENT_UNREGISTER		test_unregister_call
#define TLG_EVENT_SET_INFORMATION	test_set_information
#define TLG_EVENT_WRITE_TRANSFER	test_write
#include <TraceLoggingProvider.h>

#include "../common/tap.h"
#include "decode.h"

TRACELOGGING_DEFINE_PROVIDER(provider, "MyCompany.MyComponent",
			     (0xce5fa4ea, 0xab00, 0x5402,
			      0x8b, 0x76, 0x9f, 0x76, 0xac, 0x85, 0x8f, 0xb5));

TRACELOGGING_DEFINE_PROVIDER(member, "Member",
			     (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
			     TraceLoggingOptionGroup(0x04030201, 0x0605, 0x0807,
						     9, 10, 11, 12, 13, 14, 15, 16));

TRACELOGGING_DEFINE_PROVIDER(named, "Named", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
			     TraceLoggingOptionGroupName("msft"));

/* An option may be empty */
#define NO_OPTION
TRACELOGGING_DEFINE_PROVIDER(plain, "Plain", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
			     NO_OPTION);

/* The latest registration */
static struct {
	GUID id;
	PENABLECALLBACK callback;
	PVOID context;
	UCHAR traits[256];
	ULONG traits_size;
	ULONG fails;		/* error code of the next one */
	int unregistered;
} registration;

/* The last event written, and the number of events */
static struct {
	int count;
	EVENT_DESCRIPTOR descriptor;
	int has_activity, has_related;
	GUID activity, related;
	UCHAR schema[4096], data[140000];
	ULONG schema_size, size;
	int traits_come_first;
} written;

static struct tlg_decoder decoder;

static ULONG test_register(LPCGUID id, PENABLECALLBACK callback, PVOID context,
			   PREGHANDLE handle)
{
	if (registration.fails)
		return registration.fails;
	registration.id = *id;
	registration.callback = callback;
	registration.context = context;
	registration.traits_size = 0;
	*handle = 0x1234;
	return 0;
}

static ULONG test_unregister_call(REGHANDLE handle)
{
	registration.unregistered += handle == 0x1234;
	return 0;
}

static ULONG test_set_information(REGHANDLE handle, EVENT_INFO_CLASS info_class,
				  PVOID info, ULONG size)
{
	if (handle != 0x1234 || info_class != EventProviderSetTraits)
		return ERROR_INVALID_PARAMETER;
	memcpy(registration.traits, info, size);
	registration.traits_size = size;
	return 0;
}

static void append(UCHAR *to, ULONG *size, const EVENT_DATA_DESCRIPTOR *from)
{
	if (from->Size)
		memcpy(to + *size, (const void *)(uintptr_t)from->Ptr,
		       from->Size);
	*size += from->Size;
}

static ULONG test_write(REGHANDLE handle, PCEVENT_DESCRIPTOR descriptor,
			LPCGUID activity, LPCGUID related, ULONG count,
			PEVENT_DATA_DESCRIPTOR data)
{
	ULONG i;

	if (handle != 0x1234)
		return ERROR_INVALID_HANDLE;
	written.count++;
	written.descriptor = *descriptor;
	written.has_activity = !!activity;
	if (activity)
		written.activity = *activity;
	written.has_related = !!related;
	if (related)
		written.related = *related;
	written.schema_size = 0;
	written.size = 0;
	written.traits_come_first = data[0].Type == 2 &&
		data[0].Size == registration.traits_size &&
		!memcmp((const void *)(uintptr_t)data[0].Ptr,
			registration.traits, data[0].Size);
	for (i = 1; i < count; i++) {
		if (data[i].Type == 1)
			append(written.schema, &written.schema_size, &data[i]);
		else
			append(written.data, &written.size, &data[i]);
	}
	return 0;
}

/* Call the enable callback, like a session */
static void callback(PEVENT_FILTER_DESCRIPTOR filter, ULONG control,
		     UCHAR level, ULONGLONG any, ULONGLONG all)
{
	static const GUID source = { 0, 0, 0, { 0 } };

	registration.callback(&source, control, level, any, all, filter,
			      registration.context);
}

static int hex_digit(int c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Convert hexadecimal text with blanks to bytes; returns their number */
static ULONG from_hex(const char *hex, UCHAR *to)
{
	ULONG n = 0;

	while (*hex) {
		if (*hex == ' ') {
			hex++;
			continue;
		}
		to[n++] = (UCHAR)(hex_digit(hex[0]) << 4 | hex_digit(hex[1]));
		hex += 2;
	}
	return n;
}

static inline void say_bytes(const char *what, const UCHAR *p, ULONG n)
{
	printf("# %s:", what);
	while (n--)
		printf(" %02x", *p++);
	printf("\n");
}

/* Check that the last event has these bytes and this text */
static inline void expect(const char *schema, const char *data,
			  const char *text, int line)
{
	static UCHAR want_schema[512], want_data[1024];
	ULONG schema_size = 2 + from_hex(schema, want_schema + 2);
	ULONG size = from_hex(data, want_data);
	int same;

	want_schema[0] = (UCHAR)schema_size;
	want_schema[1] = (UCHAR)(schema_size >> 8);
	same = written.count == 1 && written.traits_come_first &&
	       written.schema_size == schema_size && written.size == size &&
	       !memcmp(written.schema, want_schema, schema_size) &&
	       !memcmp(written.data, want_data, size);
	CHECK(same, "line %d: %s", line, text);
	if (!same) {
		say_bytes("schema", written.schema, written.schema_size);
		say_bytes("wanted", want_schema, schema_size);
		say_bytes("data  ", written.data, written.size);
		say_bytes("wanted", want_data, size);
	}
	same = tlg_decode(&decoder, written.schema, written.schema_size,
			  written.data, written.size) &&
	       !strcmp(decoder.text, text);
	CHECK(same, "line %d: decoded", line);
	if (!same)
		printf("# %s\n# wanted: %s\n", decoder.text, text);
	written.count = 0;
}

#define CASE(schema, data, text, ...) do { \
	TraceLoggingWrite(provider, "E", __VA_ARGS__); \
	expect(schema, data, text, __LINE__); \
} while (0)

static int user_calls;

static VOID NTAPI user_callback(LPCGUID source, ULONG control, UCHAR level,
				ULONGLONG any, ULONGLONG all,
				PEVENT_FILTER_DESCRIPTOR filter, PVOID context)
{
	(void)source;
	(void)filter;
	user_calls += control == 1 && level == 4 && any == 5 && all == 1 &&
		      context == &user_calls &&
		      TraceLoggingProviderEnabled(provider, 4, 1);
}

/* Traits: the size, the name, and a group after it */
static const char traits[] = "1800 4d79436f6d70616e792e4d79436f6d706f6e656e7400";
static const char member_traits[] =
	"1c00 4d656d62657200 1300 01 0102030405060708090a0b0c0d0e0f10";

static const char named_traits[] =
	"1000 4e616d656400 0800 80 6d73667400";
static const char plain_traits[] = "0800 506c61696e00";

static int has_traits(const char *hex)
{
	static UCHAR want[256];
	ULONG n = from_hex(hex, want);

	return registration.traits_size == n &&
	       !memcmp(registration.traits, want, n);
}

static void test_provider(void)
{
	GUID id = TraceLoggingProviderId(provider);

	TraceLoggingWrite(provider, "E");
	TraceLoggingUnregister(provider);
	CHECK(!written.count && !registration.unregistered,
	      "an unregistered provider neither writes nor ends");
	CHECK(id.Data1 == 0xce5fa4ea && id.Data4[7] == 0xb5,
	      "the provider's id is the hash of its name");
	registration.fails = ERROR_NO_SYSTEM_RESOURCES;
	CHECK(TraceLoggingRegister(provider) == (HRESULT)0x800705aa,
	      "a failure is an HRESULT");
	registration.fails = 0;
	CHECK(TraceLoggingRegister(member) == S_OK &&
	      has_traits(member_traits), "traits: name and group");
	CHECK(TraceLoggingRegister(named) == S_OK && has_traits(named_traits),
	      "traits: name and a group's name");
	CHECK(TraceLoggingRegister(plain) == S_OK && has_traits(plain_traits),
	      "traits: an option without effect");
	CHECK(!strcmp(TraceLoggingProviderName(provider),
		      "MyCompany.MyComponent"), "a provider has a name");
	CHECK(TraceLoggingRegisterEx(provider, user_callback, &user_calls) ==
	      S_OK && !memcmp(&registration.id, &id, sizeof(id)) &&
	      has_traits(traits), "traits contain the name");
	CHECK(TraceLoggingRegister(provider) ==
	      HRESULT_FROM_WIN32(ERROR_ALREADY_EXISTS),
	      "a provider is not registered twice");
	TraceLoggingWrite(provider, "E");
	CHECK(!written.count, "a disabled provider writes nothing");
	/* As if called before EventRegister() has returned */
	registration.traits_size = 0;
	callback(NULL, 1, 4, 5, 1);
	CHECK(user_calls == 1 && has_traits(traits),
	      "the user's callback comes last, with traits set");
	CHECK(TraceLoggingSetInformation(provider, MaxEventInfo, NULL, 0) ==
	      HRESULT_FROM_WIN32(ERROR_INVALID_PARAMETER),
	      "other information is passed on");
}

static void test_unregister(void)
{
	TraceLoggingUnregister(provider);
	TraceLoggingWrite(provider, "E");
	CHECK(registration.unregistered == 1 && !written.count &&
	      !TraceLoggingProviderEnabled(provider, 0, 0),
	      "TraceLoggingUnregister ends the registration");
	TraceLoggingUnregister(provider);
	CHECK(registration.unregistered == 1,
	      "TraceLoggingUnregister ends the registration once");
	CHECK(TraceLoggingRegister(provider) == S_OK,
	      "a provider can be registered again");
	TraceLoggingUnregister(provider);
}

#endif /* EVNT_TEST_TLG_HOOKS_H */
