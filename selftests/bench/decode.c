// SPDX-License-Identifier: MIT
/*
 * Write logs to decode: TraceLogging events, and the same events as described
 * by a manifest.
 *
 * usage: decode FOLDER EVENTS
 *
 * Writes FOLDER/tracelogging.etl, FOLDER/manifest.etl and FOLDER/bench.man.  An
 * event is a finished request: an id, an offset, a path, a method, a status,
 * which is 1 for each seventh event.  These are warnings, all others are
 * information; the method determines the keyword, 1, 2 or 4.  There is an event
 * every 1.3 us, from 8 threads in turn.
 */
#include "selftests/unit/common/etl_make.h"
#include "evntcons.h"

#define BUFFER_SIZE	0x10000u
#define TICKS		13	/* from one event to the next */
#define IN_BUFFER	180	/* maximum number of events */
#define HEADER		0x50

/* {6b2f0c1e-9a57-4d55-8f6e-2d3c4b5a6978} */
static const uint8_t provider[] = {
	0x1e, 0x0c, 0x2f, 0x6b, 0x57, 0x9a, 0x55, 0x4d,
	0x8f, 0x6e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78,
};

#define PROVIDER_NAME	"Bench-Decoding"

/* Types: UINT32, HEXINT64, UNICODESTRING, ANSISTRING with UTF8, INT32 */
static const char schema[] =
	"\0\0\0Request\0" "id\0\x08" "offset\0\x15" "path\0\x01"
	"method\0\x82\x23" "status\0\x07";
static const char traits[] = "\0\0" PROVIDER_NAME;

static const char manifest[] =
"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
"<instrumentationManifest"
" xmlns=\"http://schemas.microsoft.com/win/2004/08/events\">\n"
"<instrumentation><events>\n"
"<provider name=\"" PROVIDER_NAME "\" symbol=\"BENCH\""
" guid=\"{6b2f0c1e-9a57-4d55-8f6e-2d3c4b5a6978}\""
" resourceFileName=\"bench\" messageFileName=\"bench\">\n"
"<maps><valueMap name=\"Status\">"
"<map value=\"0\" message=\"$(string.Done)\"/>"
"<map value=\"1\" message=\"$(string.Refused)\"/></valueMap></maps>\n"
"<templates><template tid=\"Request\">"
"<data name=\"id\" inType=\"win:UInt32\"/>"
"<data name=\"offset\" inType=\"win:HexInt64\"/>"
"<data name=\"path\" inType=\"win:UnicodeString\"/>"
"<data name=\"method\" inType=\"win:AnsiString\" outType=\"win:Utf8\"/>"
"<data name=\"status\" inType=\"win:UInt32\" map=\"Status\"/>"
"</template></templates>\n"
"<events><event value=\"1\" symbol=\"REQUEST\" template=\"Request\""
" level=\"win:Informational\" message=\"$(string.Request)\"/>"
"<event value=\"2\" symbol=\"REFUSAL\" template=\"Request\""
" level=\"win:Warning\" message=\"$(string.Request)\"/></events>\n"
"</provider></events></instrumentation>\n"
"<localization><resources culture=\"en-US\"><stringTable>"
"<string id=\"Done\" value=\"Done\"/>"
"<string id=\"Refused\" value=\"Refused\"/>"
"<string id=\"Request\" value=\"%4 of %3 ended: %5\"/>"
"</stringTable></resources></localization>\n"
"</instrumentationManifest>\n";

static uint8_t *put_text(uint8_t *at, const char *text, size_t len)
{
	return (uint8_t *)memcpy(at, text, len) + len;
}

static uint8_t *put_wide(uint8_t *at, const char *text)
{
	do {
		*at++ = *text;
		*at++ = 0;
	} while (*text++);
	return at;
}

static size_t put_payload(uint8_t *to, uint32_t n)
{
	static const char *const methods[] = { "GET", "PUT", "DELETE" };
	const char *method = methods[n % 3];
	uint8_t *at = to;
	char path[64];

	snprintf(path, sizeof(path), "/var/lib/store/%u.dat", n % 1000);
	make_put(at, n, 4);
	make_put(at + 4, 0x7f0000000000ull + 4096ull * n, 8);
	at = put_wide(at + 12, path);
	at = put_text(at, method, strlen(method) + 1);
	make_put(at, n % 7 == 0, 4);
	return at + 4 - to;
}

/* Put an extended item as in a file; returns its size */
static size_t put_item(uint8_t *to, int type, bool more, const char *data,
		       size_t len)
{
	size_t size = (8 + len + 7) & ~(size_t)7;

	memset(to, 0, size);
	make_put(to, size, 2);
	make_put(to + 2, type, 2);
	make_put(to + 4, more, 2);
	make_put(to + 6, len, 2);
	memcpy(to + 8, data, len);
	/* Both begin with their length */
	make_put(to + 8, len, 2);
	return size;
}

static size_t put_items(uint8_t *to)
{
	size_t len = put_item(to, EVENT_HEADER_EXT_TYPE_PROV_TRAITS, true,
			      traits, sizeof(traits));

	return len + put_item(to + len, EVENT_HEADER_EXT_TYPE_EVENT_SCHEMA_TL,
			      false, schema, sizeof(schema) - 1);
}

static void put_event(struct etl_make *m, uint32_t n, bool tracelogging)
{
	uint8_t body[1024], *data;
	size_t len = tracelogging ? put_items(body) : 0;

	len += put_payload(body + len, n);
	data = make_record(m, MAKE_EVENT64, MAKE_BASE + (int64_t)n * TICKS,
			   len);
	memcpy(data, body, len);
	data -= HEADER;
	make_put(data + 0x04, tracelogging, 2);
	make_put(data + 0x08, 100 + n % 8, 4);
	make_put(data + 0x0c, 100, 4);
	memcpy(data + 0x18, provider, sizeof(provider));
	make_put(data + 0x28, tracelogging ? 0 : n % 7 ? 1 : 2, 2);
	data[0x2b] = tracelogging ? 11 : 0;
	data[0x2c] = n % 7 ? 4 : 3;
	make_put(data + 0x30, 1 << n % 3, 8);
}

static void make_log(const char *folder, const char *name, uint32_t events,
		     bool tracelogging)
{
	char path[4096];
	struct etl_make m;
	uint32_t n;

	make_begin(&m, BUFFER_SIZE, true, "bench");
	make_put(make_header(&m) + 0x10, MAKE_START + 1, 8);
	for (n = 0; n < events; n++) {
		if (n % IN_BUFFER == 0)
			make_buffer(&m, 0, n / IN_BUFFER + 1);
		put_event(&m, n, tracelogging);
		if (n % IN_BUFFER == IN_BUFFER - 1 || n == events - 1)
			make_buffer_end(&m);
	}
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	make_write(&m, path);
	make_free(&m);
}

int main(int argc, char **argv)
{
	uint32_t events;
	char path[4096];
	FILE *f;

	if (argc != 3) {
		fprintf(stderr, "usage: decode FOLDER EVENTS\n");
		return 2;
	}
	events = strtoul(argv[2], NULL, 10);
	make_log(argv[1], "tracelogging.etl", events, true);
	make_log(argv[1], "manifest.etl", events, false);
	snprintf(path, sizeof(path), "%s/bench.man", argv[1]);
	f = fopen(path, "w");
	if (!f || fputs(manifest, f) < 0 || fclose(f)) {
		perror(path);
		return 1;
	}
	return 0;
}
