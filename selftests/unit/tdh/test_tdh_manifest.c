// SPDX-License-Identifier: MIT
/*
 * Manifests: which are accepted, which errors are reported and where, and what
 * TDH's functions return for their providers and events.  Real manifests are in
 * $EVNT_DATA/manifests.
 */
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evnttdh.h"
#include "selftests/unit/common/fork_slowly.h"
#include "tdh/model.h"
#include "selftests/unit/common/tap.h"
#include "selftests/unit/tdh/tdh_text.h"

#define HEAD								\
	"<instrumentationManifest xmlns='http://schemas.microsoft.com/win/"	\
	"2004/08/events' xmlns:win='http://manifests.microsoft.com/win/2004/"	\
	"08/windows/events'>\n<instrumentation><events>\n"
#define PROVIDER							\
	"<provider name='P' guid='{11111111-2222-3333-4444-555566667777}' "	\
	"symbol='Prov' message='$(string.p)'>\n"
#define TAIL								\
	"</provider></events></instrumentation>\n"			\
	"<localization><resources culture='en-US'><stringTable>\n"	\
	"<string id='p' value='The provider'/>"				\
	"<string id='a' value='One '/><string id='b' value='Two '/>"	\
	"<string id='m' value='It is %1 of %2%n'/>\n"			\
	"</stringTable></resources>\n"					\
	"<resources culture='de-DE'><stringTable>"			\
	"<string id='p' value='Der Anbieter'/></stringTable></resources>\n"	\
	"</localization></instrumentationManifest>\n"

static const char everything[] = HEAD PROVIDER
	"<channels><channel name='P/Admin' chid='C' type='Admin'/>"
	"<importChannel name='System' chid='S'/></channels>\n"
	"<levels><level name='L' value='20' message='$(string.a)'/></levels>\n"
	"<tasks><task name='T' value='7' message='$(string.b)'><opcodes>"
	"<opcode name='O' value='30'/></opcodes></task></tasks>\n"
	"<opcodes><opcode name='O' value='31'/></opcodes>\n"
	"<keywords><keyword name='K' mask='0x10'/><keyword name='K2' mask='0x20'/></keywords>\n"
	"<maps><valueMap name='V'><map value='1' message='$(string.a)'/>"
	"<map value='2' message='$(string.b)'/></valueMap>"
	"<bitMap name='B'><map value='0x1' message='$(string.a)'/>"
	"<map value='0x4' message='$(string.b)'/></bitMap></maps>\n"
	"<templates><template tid='t'>"
	"<data name='v' inType='win:UInt8' map='V'/>"
	"<data name='b' inType='win:UInt32' map='B'/>"
	"<data name='n' inType='win:UInt16'/>"
	"<data name='s' inType='win:UnicodeString' length='n'/>"
	"<data name='x' inType='win:Binary' length='2'/>"
	"<data name='arr' inType='win:UInt8' count='n'/>"
	"<struct name='st' count='2'><data name='c' inType='win:UInt8'/>"
	"<data name='d' inType='win:AnsiString' count='c'/></struct>"
	"<data name='e' inType='win:UInt32' outType='win:HexInt32'/>"
	"</template></templates>\n"
	"<filters><filter name='F' value='3' version='1' tid='t' message='$(string.a)'/>"
	"<filter name='G' value='4'/></filters>\n"
	"<events><event value='1' symbol='One' version='2' level='L' task='T' opcode='O' "
	"keywords='K K2' channel='C' template='t' message='$(string.m)' name='TheEvent' "
	"attributes='A=1;B=\"2;3\"'/>"
	"<event value='2' symbol='Two' level='win:Error' opcode='O'/></events>\n"
	TAIL;

static GUID provider_id = { 0x11111111, 0x2222, 0x3333,
			    { 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77,
			      0x77 } };

/* Reported problems of a manifest, a line each */
struct reported {
	char text[2048];
	size_t len;
};

static void listen(const struct problem *p, void *context)
{
	struct reported *reported = context;

	reported->len += snprintf(reported->text + reported->len,
				  sizeof(reported->text) - reported->len,
				  "%s:%u:%u: %s\n", p->file, p->line, p->column,
				  p->text);
	if (reported->len > sizeof(reported->text) - 600)
		reported->len = sizeof(reported->text) - 600;
}

static void check_wrong(const char *what, const char *body, const char *want)
{
	struct reported reported = { .len = 0 };
	struct manifest *m;

	m = manifest_parse("x.man", body, strlen(body), listen, &reported);
	CHECK(!m && strstr(reported.text, want), "%s: %s", what, reported.text);
	manifest_free(m);
}

/* The body is in a provider that begins in line 3 */
#define WRONG(body, want) check_wrong(want, HEAD PROVIDER body TAIL, want)

static void test_wrong(void)
{
	check_wrong("no XML", "<a", "x.man:1:");
	check_wrong("not closed", HEAD, "x.man:3:");
	check_wrong("nothing", "", "the file is empty");
	check_wrong("UTF-16 of another byte order", "\xfe\xff", "write UTF-8");
	check_wrong("a byte order mark alone", "\xef\xbb\xbf",
		    "the file is empty");
	check_wrong("something else", "<a/>", "x.man:1:1: <a> is no <instr");
	check_wrong("a document type", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
		    "no document type");
	check_wrong("no instrumentation", "<instrumentationManifest/>",
		    "has no <instrumentation>");
	check_wrong("an error in front of many others", "<a b=c ' x=''><a1/><a2/>",
		    "x.man:1:");
	check_wrong("attributes in a comment", HEAD "<!-- <a ' --><b c='",
		    "x.man:3:");
	check_wrong("counters alone", "<instrumentationManifest>"
		    "<instrumentation><counters/></instrumentation>"
		    "</instrumentationManifest>", "performance counters alone");
	check_wrong("no GUID", HEAD "<provider name='P' symbol='S'>" TAIL,
		    "x.man:3:1: <provider> lacks its attribute 'guid'");
	check_wrong("a wrong GUID", HEAD "<provider name='P' guid='{1}' "
		    "symbol='S'>" TAIL, "x.man:3:20: '{1}' is no GUID");
	check_wrong("no symbol", HEAD "<provider name='P' guid='{11111111-2222-3333-4444-555566667777}'>"
		    TAIL, "lacks its attribute 'symbol'");
	check_wrong("a wrong symbol", HEAD "<provider name='P' guid='{11111111-2222-3333-4444-555566667777}' symbol='1a'>"
		    TAIL, "is no identifier of C");
	check_wrong("a wrong name", HEAD "<provider name='P?' guid='{11111111-2222-3333-4444-555566667777}' symbol='S'>"
		    TAIL, "x.man:3:11: a provider's name has none of");
	WRONG("<events><event/></events>",
	      "x.man:4:9: <event> lacks its attribute 'value'");
	WRONG("<events><event value='x'/></events>",
	      "x.man:4:16: 'x' is no number");
	WRONG("<events><event value='65536'/></events>",
	      "65536 is too large: 'value' is at most 65535");
	WRONG("<events><event value='1' version='256'/></events>",
	      "x.man:4:26: 256 is too large");
	WRONG("<events><event value='1' level='none'/></events>",
	      "x.man:4:26: there is no level 'none'");
	WRONG("<events><event value='1' task='none'/></events>",
	      "there is no task 'none'");
	WRONG("<events><event value='1' opcode='none'/></events>",
	      "there is no opcode 'none'");
	WRONG("<events><event value='1' channel='none'/></events>",
	      "there is no channel 'none'");
	WRONG("<events><event value='1' keywords='win:SQM none'/></events>",
	      "there is no keyword 'none'");
	WRONG("<events><event value='1' template='none'/></events>",
	      "there is no template 'none'");
	WRONG("<events><event value='1' message='none'/></events>",
	      "is no reference to a string");
	WRONG("<events><event value='1' message='$(string.none)'/></events>",
	      "there is no string 'none'");
	WRONG("<events><event value='1' notLogged='maybe'/></events>",
	      "'maybe' is neither true nor false");
	WRONG("<events><event value='1' attributes='A'/></events>",
	      "'A' is no NAME=VALUE");
	WRONG("<events><event value='1'/>\n<event value='1'/></events>",
	      "x.man:5:8: there are two events 1 of version 0");
	WRONG("<events><event value='1' symbol='a'/><event value='2' symbol='a'/></events>",
	      "there are two events 'a'");
	WRONG("<levels><level name='a' value='5'/></levels>",
	      "the value of level 'a' has to be from 16 to 255");
	WRONG("<opcodes><opcode name='a' value='9'/></opcodes>",
	      "the value of opcode 'a' has to be from 10 to 239");
	WRONG("<tasks><task name='a' value='0'/></tasks>",
	      "the value of task 'a' has to be from 1 to 65535");
	WRONG("<keywords><keyword name='a' mask='3'/></keywords>",
	      "the mask of keyword 'a' has to be one bit");
	WRONG("<keywords><keyword name='a' mask='0x1000000000000'/></keywords>",
	      "of the lower 48");
	WRONG("<keywords><keyword name='a' mask='1'/><keyword name='a' mask='2'/></keywords>",
	      "there are two keywords 'a'");
	WRONG("<tasks><task name='a' value='1'/><task name='b' value='1'/></tasks>",
	      "tasks 'a' and 'b' have the same value");
	WRONG("<channels><channel name='a' type='b'/></channels>",
	      "the type of a channel is Admin");
	WRONG("<maps><valueMap name='a'><map value='1'/></valueMap></maps>",
	      "<map> lacks its attribute 'message'");
	WRONG("<maps><valueMap name='a'><map value='1' message='$(string.a)'/><map value='1' message='$(string.a)'/></valueMap></maps>",
	      "map 'a' has two entries for 1");
	WRONG("<maps><valueMap name='a'/><bitMap name='a'/></maps>",
	      "there are two maps 'a'");
	WRONG("<valueMap name='a'/>", "a <valueMap> stands in <maps>");
	WRONG("<maps><a/></maps>", "<a> is no <valueMap> or <bitMap>");
	WRONG("<templates><template/></templates>",
	      "<template> lacks its attribute 'tid'");
	WRONG("<templates><template tid='a'/><template tid='a'/></templates>",
	      "there are two templates 'a'");
	WRONG("<templates><template tid='a'><UserData><b/><c/></UserData></template></templates>",
	      "<UserData> has one element in it");
	WRONG("<templates><template tid='a'><UserData/></template></templates>",
	      "<UserData> has one element in it");
	WRONG("<namedQueries><patternMaps><patternMap name='a' format='b'/><patternMap name='a' format='b'/></patternMaps></namedQueries>",
	      "there are two pattern maps 'a'");
	WRONG("<namedQueries><patternMaps><patternMap name='a'/></patternMaps></namedQueries>",
	      "<patternMap> lacks its attribute 'format'");
#define FIELDS(fields, want) \
	WRONG("<templates><template tid='a'>" fields "</template></templates>", \
	      want)
	FIELDS("<data name='a' inType='win:None'/>", "'win:None' is no type");
	FIELDS("<data name='a' inType='win:Int8' outType='xs:none'/>",
	       "'xs:none' is no way to show");
	FIELDS("<data name='a' inType='win:Binary'/>",
	       "lacks its attribute 'length'");
	FIELDS("<data name='a' inType='win:Int8' count='b'/><data name='b' inType='win:Int8'/>",
	       "there is no field 'b' in front");
	FIELDS("<data name='b' inType='win:Float'/><data name='a' inType='win:Int8' count='b'/>",
	       "field 'b' is no integer");
	FIELDS("<data name='a' inType='win:Int8' map='none'/>",
	       "there is no map 'none'");
	WRONG("<maps><valueMap name='m'><map value='1' message='$(string.a)'/></valueMap></maps>"
	      "<templates><template tid='a'><data name='b' inType='win:Float' map='m'/></template></templates>",
	      "only fields of integers have a map");
	WRONG("<maps><patternMap name='m' format='f'/></maps>"
	      "<templates><template tid='a'><data name='b' inType='win:UInt32' map='m'/></template></templates>",
	      "only fields of text have the pattern map 'm'");
	FIELDS("<data name='a' inType='win:Int8'/><data name='a' inType='win:Int8'/>",
	       "there are two fields 'a'");
	FIELDS("<struct name='a'/>", "the struct has no <data>");
	FIELDS("<struct name='a'><data name='b' inType='win:Int8'/><struct name='c'/></struct>",
	       "a struct in a struct");
	FIELDS("<none/>", "<none> is no <data>");
	WRONG("<filters><filter name='a' value='1'/><filter name='b' value='1'/></filters>",
	      "there are two filters 1 of version 0");
	WRONG("</provider>" PROVIDER, "two providers have this GUID");
}

static struct manifest *parse(const char *body)
{
	return manifest_parse("x.man", body, strlen(body), NULL, NULL);
}

static void test_two_strings(void)
{
	check_wrong("a string twice", HEAD PROVIDER
		    "</provider></events></instrumentation>"
		    "<localization><resources culture='en-US'><stringTable>"
		    "<string id='p' value='1'/><string id='p' value='2'/>"
		    "</stringTable></resources></localization>"
		    "</instrumentationManifest>", "there are two strings 'p'");
}

#define TABLE(messages)							\
	HEAD PROVIDER "</provider></events></instrumentation>"		\
	"<localization><resources culture='en-US'><stringTable>"		\
	"<string id='p' value='P'/></stringTable><messageTable>"		\
	messages "</messageTable></resources></localization>"		\
	"</instrumentationManifest>"

/* Messages whose numbers the author has chosen */
static void test_message_table(void)
{
	struct manifest *m;

	m = parse(TABLE("<message value='0xC0000007' symbol='S' "
			"message='$(string.p)'/>"));
	CHECK(m && !strcmp(m->messages->id, "p") &&
	      m->messages->number == 0xc0000007,
	      "a message has the number of the message table");
	manifest_free(m);
	m = parse(TABLE("<message value='7' symbol='S' message='$(mc.p)'/>"));
	CHECK(m && m->messages->number == 7,
	      "a message of mc.exe is one of the strings");
	manifest_free(m);
	m = parse(TABLE("<message value='7' symbol='S'/>"));
	CHECK(m && m->messages->number == NO_MESSAGE,
	      "a number without a message has no effect");
	manifest_free(m);
	check_wrong("no symbol", TABLE("<message value='7'/>"),
		    "<message> lacks its attribute 'symbol'");
	check_wrong("no number", TABLE("<message symbol='S'/>"),
		    "<message> lacks its attribute 'value'");
	check_wrong("a large number",
		    TABLE("<message symbol='S' value='0x100000000'/>"),
		    "'value' is at most 4294967295");
	check_wrong("an unknown string",
		    TABLE("<message symbol='S' value='7' message='$(string.x)'/>"),
		    "there is no string 'x'");
}

/* C would read the first one as octal */
static void test_decimal(void)
{
	struct manifest *m = parse(HEAD PROVIDER "<events><event value='010'/>"
				   "<event value='0x10'/></events>" TAIL);
	const struct event *e = m ? m->providers->events : NULL;

	CHECK(e && e->descriptor.Id == 10 && e->next &&
	      e->next->descriptor.Id == 16,
	      "a number without 0x is decimal, whatever it begins with");
	manifest_free(m);
}

/**
 * struct limit - limited number of things in a manifest
 * @what: their name
 * @begin: beginning of the manifest
 * @each: one of them, with %u for its number
 * @end: end of the manifest
 * @most: maximum number, in addition to those at the beginning
 * @wrong: problem that is reported for one more
 * @fine: problem that is reported for @most; NULL: none
 */
struct limit {
	const char *what;
	const char *begin;
	const char *each;
	const char *end;
	unsigned int most;
	const char *wrong;
	const char *fine;
};

static const struct limit limits[] = {
	{ "fields", HEAD PROVIDER "<templates><template tid='t'>",
	  "<data name='f%u' inType='win:UInt8'/>",
	  "</template></templates>" TAIL, 4096, "more than 4096 fields", NULL },
	{ "elements of UserData", HEAD PROVIDER
	  "<templates><template tid='t'><UserData><a>", "<b/>",
	  "</a></UserData></template></templates>" TAIL, 3853,
	  "<UserData> is too large: 65540 bytes in binary form, of at most 65536",
	  NULL },
	{ "channels", HEAD PROVIDER "<channels>",
	  "<channel name='c%u' chid='c%u' type='Admin'/>", "</channels>" TAIL,
	  64, "the provider has too many channels", NULL },
	{ "languages", HEAD PROVIDER "</provider></events></instrumentation>"
	  "<localization><resources culture='xx-00'><stringTable>"
	  "<string id='p' value='P'/></stringTable></resources>",
	  "<resources culture='xx-%u'/>",
	  "</localization></instrumentationManifest>", 63,
	  "more than 64 languages", NULL },
	{ "nested elements", "", "<e%u>", "", 64, "nested too deep",
	  "x.man:1:" },
	{ "attributes", HEAD PROVIDER "<x ", "a%u='' ", "/>" TAIL, 256,
	  "an element has more than 256 attributes", NULL },
	/* There are two at the beginning */
	{ "namespaces", HEAD PROVIDER "<x ", "xmlns:n%u='u' ", "/>" TAIL, 254,
	  "more than 256 namespaces are known at one place", NULL },
	{ "names", "<a>", "<n%u/>", "", 8191,
	  "there are more than 8192 names of elements", "x.man:1:" },
	{ "names of entities", "<a>", "&n%u;", "", 8191,
	  "there are more than 8192 names of elements", "x.man:1:" },
};

static bool reports(const struct limit *limit, unsigned int count,
		    const char *want)
{
	struct reported reported = { .len = 0 };
	struct bytes b = { 0 };
	struct manifest *m;
	char each[128];
	bool good;

	bytes_add(&b, limit->begin, strlen(limit->begin));
	for (unsigned int i = 1; i <= count; i++) {
		snprintf(each, sizeof(each), limit->each, i, i);
		bytes_add(&b, each, strlen(each));
	}
	bytes_add(&b, limit->end, strlen(limit->end));
	m = manifest_parse("x.man", b.data, b.len, listen, &reported);
	good = want ? !m && strstr(reported.text, want) : m && !reported.len;
	if (!good)
		printf("# %s\n", reported.text);
	manifest_free(m);
	bytes_free(&b);
	return good;
}

static void test_limits(void)
{
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(limits); i++) {
		const struct limit *limit = &limits[i];

		CHECK(reports(limit, limit->most, limit->fine),
		      "%s are accepted up to the limit", limit->what);
		CHECK(reports(limit, limit->most + 1, limit->wrong),
		      "one more than the maximum is refused: %s", limit->wrong);
	}
}

static void count_problem(const struct problem *p, void *context)
{
	(void)p;
	++*(unsigned int *)context;
}

/* A file of 16 MiB and one byte, and one with a hundred wrong events */
static void test_much(void)
{
	static const char event[] = "<events><event/></events>";
	unsigned int problems = 0;
	struct bytes b = { 0 };

	bytes_reserve(&b, (16 << 20) + 1);
	memset(b.data, ' ', b.len);
	b.data[b.len - 1] = 0;
	check_wrong("a large file", (char *)b.data, "x.man:1:");
	b.data[b.len - 1] = ' ';
	bytes_add_u8(&b, 0);
	check_wrong("a file that is too large", (char *)b.data,
		    "the file is too large for a manifest");
	bytes_free(&b);
	bytes_add(&b, HEAD PROVIDER, sizeof(HEAD PROVIDER) - 1);
	for (unsigned int i = 0; i < 100; i++)
		bytes_add(&b, event, sizeof(event) - 1);
	bytes_add(&b, TAIL, sizeof(TAIL));
	CHECK(!manifest_parse("x.man", b.data, b.len - 1, count_problem,
			      &problems) && problems == 50,
	      "fifty problems are reported, whatever there is: %u", problems);
	bytes_free(&b);
}

static struct manifest *parse_name(unsigned int len, struct reported *reported)
{
	static char body[4096];
	char name[300] = "";

	memset(name, 'n', len);
	snprintf(body, sizeof(body), "%s<provider name='%s' guid='"
		 "{11111111-2222-3333-4444-555566667777}' symbol='S'>%s", HEAD,
		 name, TAIL);
	return manifest_parse("x.man", body, strlen(body), listen, reported);
}

static void test_name_length(void)
{
	struct reported reported = { .len = 0 };
	struct manifest *m = parse_name(255, &reported);

	CHECK(m, "a provider's name of 255 characters: %s", reported.text);
	manifest_free(m);
	m = parse_name(256, &reported);
	CHECK(!m && strstr(reported.text, "longer than 255"),
	      "a provider's name of 256 characters: %s", reported.text);
	manifest_free(m);
}

/* Channels of self-describing events and of metadata are no destinations */
static void test_channel_bits(void)
{
	struct manifest *m = parse(HEAD PROVIDER
		"<channels><importChannel name='TraceLogging' chid='T'/>"
		"<importChannel name='ProviderMetadata' chid='M'/>"
		"<channel name='P/Admin' chid='A' type='Admin'/></channels>"
		"<events><event value='1' channel='T'/>"
		"<event value='2' channel='M'/><event value='3' channel='A'/>"
		"</events>" TAIL);
	const struct event *e = m ? m->providers->events : NULL;
	unsigned int count = 0, wrong = 0;

	for (; e; e = e->next, count++)
		wrong += e->descriptor.Channel != (count == 2 ? 16 : 11 + count) ||
			 e->descriptor.Keyword != (count == 2 ? 1ull << 61 : 0);
	CHECK(count == 3 && !wrong,
	      "channels 11 and 12 have no bit among the keywords");
	manifest_free(m);
}

static void test_load(void)
{
	WCHAR path[300] = u"/nowhere/a.man";
	ULONG size = sizeof(everything) - 1;

	CHECK(TdhLoadManifest(NULL) == ERROR_INVALID_PARAMETER &&
	      TdhUnloadManifest(NULL) == ERROR_INVALID_PARAMETER &&
	      TdhLoadManifestFromMemory(NULL, 1) == ERROR_INVALID_PARAMETER &&
	      TdhLoadManifestFromMemory("", 0) == ERROR_INVALID_PARAMETER &&
	      TdhUnloadManifestFromMemory(NULL, 1) ==
	      ERROR_INVALID_PARAMETER &&
	      EvntLoadManifest(NULL, NULL, NULL) == ERROR_INVALID_PARAMETER,
	      "loading: ERROR_INVALID_PARAMETER");
	CHECK(TdhLoadManifest(path) == ERROR_FILE_NOT_FOUND &&
	      TdhUnloadManifest(path) == ERROR_FILE_NOT_FOUND &&
	      TdhUnloadManifestFromMemory("x", 1) == ERROR_FILE_NOT_FOUND,
	      "loading: ERROR_FILE_NOT_FOUND");
	for (size_t i = 0; i < 299; i++)
		path[i] = 'a';
	CHECK(TdhLoadManifest(path) == ERROR_INVALID_PARAMETER,
	      "loading: ERROR_INVALID_PARAMETER: a path that is too long");
	CHECK(TdhLoadManifestFromMemory("<a/>", 4) == ERROR_XML_PARSE_ERROR,
	      "loading: ERROR_XML_PARSE_ERROR");
	CHECK(!TdhLoadManifestFromMemory(everything, size) &&
	      !TdhLoadManifestFromMemory(everything, size) &&
	      !TdhUnloadManifestFromMemory(everything, size) &&
	      TdhUnloadManifestFromMemory(everything, size) ==
	      ERROR_FILE_NOT_FOUND, "loaded twice it is there once");
}

static void test_load_file(void)
{
	char name[] = "/tmp/evnt-manifest-XXXXXX";
	int fd = mkstemp(name);
	WCHAR wide[64];
	size_t i;

	for (i = 0; name[i]; i++)
		wide[i] = (unsigned char)name[i];
	wide[i] = 0;
	CHECK(write(fd, everything, sizeof(everything) - 1) ==
	      (ssize_t)sizeof(everything) - 1 && !TdhLoadManifest(wide) &&
	      !TdhUnloadManifest(wide), "loading a file");
	CHECK(!ftruncate(fd, 100) &&
	      TdhLoadManifest(wide) == ERROR_XML_PARSE_ERROR,
	      "loading: ERROR_XML_PARSE_ERROR: half a file");
	close(fd);
	unlink(name);
}

/* A payload for all of the fields */
static u8 payload[] =
	"\x02" "\x09\0\0\0" "\x02\0" "h\0i\0" "\xab\xcd" "\x07\x08"
	"\x01" "x\0" "\x02" "y\0z\0" "\xef\xbe\xad\xde";

static EVENT_RECORD record = {
	.EventHeader = {
		.Flags = EVENT_HEADER_FLAG_64_BIT_HEADER,
		.EventDescriptor = { 1, 2, 16, 20, 30, 7, 0x30 },
	},
	.UserData = payload,
	.UserDataLength = sizeof(payload) - 1,
};

/* Get a TDH function's result, after querying its size; the caller frees it */
#define GET(pointer, function, ...) do {				\
	ULONG size_ = 0;						\
	ULONG code_ = function(__VA_ARGS__, NULL, &size_);		\
	CHECK(code_ == ERROR_INSUFFICIENT_BUFFER && size_,		\
	      #function ": ERROR_INSUFFICIENT_BUFFER: %u", code_);	\
	(pointer) = code_ == ERROR_INSUFFICIENT_BUFFER ?		\
		    malloc(size_) : NULL;				\
	if (!(pointer))							\
		exit(tap_end());					\
	size_--;							\
	CHECK(function(__VA_ARGS__, pointer, &size_) ==			\
	      ERROR_INSUFFICIENT_BUFFER,				\
	      #function ": ERROR_INSUFFICIENT_BUFFER: one byte");	\
	CHECK(!function(__VA_ARGS__, pointer, &size_), #function);	\
} while (0)

static void check_event(TRACE_EVENT_INFO *info)
{
	const WCHAR *keyword = TEI_KEYWORDS_NAME(info);

	CHECK(info->DecodingSource == DecodingSourceXMLFile &&
	      !memcmp(&info->ProviderGuid, &provider_id, sizeof(GUID)) &&
	      info->EventDescriptor.Id == 1 &&
	      info->EventDescriptor.Version == 2 &&
	      info->TopLevelPropertyCount == 8 && info->PropertyCount == 10 &&
	      info->Flags == TEMPLATE_EVENT_DATA, "the event's head");
	CHECK(is_text(TEI_PROVIDER_NAME(info), "P") &&
	      is_text(TEI_LEVEL_NAME(info), "One ") &&
	      is_text(TEI_CHANNEL_NAME(info), "P/Admin") &&
	      is_text(TEI_TASK_NAME(info), "Two ") &&
	      is_text(TEI_OPCODE_NAME(info), "O") &&
	      is_text(TEI_EVENT_MESSAGE(info), "It is %1 of %2%n") &&
	      is_text(TEI_PROVIDER_MESSAGE(info), "The provider") &&
	      is_text(evnt_tdh_text(info, info->EventNameOffset),
		      "TheEvent") &&
	      is_text(evnt_tdh_text(info, info->EventAttributesOffset),
		      "A=1;B=\"2;3\""), "an event has its texts");
	CHECK(is_text(keyword, "K") && is_text(keyword + 2, "K2") &&
	      !keyword[5], "an event has its keywords");
}

static void test_event(void)
{
	TRACE_EVENT_INFO *info, *same;
	EVENT_DESCRIPTOR other = { 2, 0, 0, 0, 0, 0, 0 };
	EVENT_DESCRIPTOR wrong = { 1, 1, 0, 0, 0, 0, 0 };
	ULONG size = 0;

	GET(info, TdhGetEventInformation, &record, 0, NULL);
	check_event(info);
	GET(same, TdhGetManifestEventInformation, &provider_id,
	    &record.EventHeader.EventDescriptor);
	CHECK(same->PropertyCount == 10 &&
	      same->EventDescriptor.Keyword == (0x30 | 1ull << 63) &&
	      same->EventDescriptor.Channel == 16,
	      "TdhGetManifestEventInformation: keyword 0x%llx, channel %u",
	      same->EventDescriptor.Keyword, same->EventDescriptor.Channel);
	free(same);
	GET(same, TdhGetManifestEventInformation, &provider_id, &other);
	CHECK(same->EventDescriptor.Opcode == 31 &&
	      is_text(TEI_LEVEL_NAME(same), "Error") && !same->PropertyCount,
	      "an opcode of no task");
	free(same);
	free(info);
	CHECK(TdhGetManifestEventInformation(&provider_id, &wrong, NULL,
					     &size) == ERROR_NOT_FOUND,
	      "TdhGetManifestEventInformation: ERROR_NOT_FOUND");
	CHECK(TdhGetManifestEventInformation(NULL, &wrong, NULL, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetManifestEventInformation(&provider_id, NULL, NULL,
					     &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetManifestEventInformation(&provider_id, &wrong, NULL,
					     NULL) == ERROR_INVALID_PARAMETER,
	      "TdhGetManifestEventInformation: ERROR_INVALID_PARAMETER");
}

static void test_control_guid(void)
{
	static u8 traits[] = "\x16\0\0" "\x13\0\x02" "0123456789abcdef";
	EVENT_HEADER_EXTENDED_DATA_ITEM item = {
		.ExtType = EVENT_HEADER_EXT_TYPE_PROV_TRAITS,
		.DataSize = 0x16,
		.DataPtr = (uintptr_t)traits,
	};
	EVENT_RECORD other = record;
	ULONG size = 0;

	memset(&other.EventHeader.ProviderId, 7, sizeof(GUID));
	memcpy(traits + 6, &provider_id, sizeof(GUID));
	other.ExtendedData = &item;
	CHECK(TdhGetEventInformation(&other, 0, NULL, NULL, &size) ==
	      ERROR_NOT_FOUND, "TdhGetEventInformation: ERROR_NOT_FOUND");
	other.ExtendedDataCount = 1;
	CHECK(TdhGetEventInformation(&other, 0, NULL, NULL, &size) ==
	      ERROR_INSUFFICIENT_BUFFER, "known by the GUID of its traits");
	item.DataSize = 0x15;
	size = 0;
	CHECK(TdhGetEventInformation(&other, 0, NULL, NULL, &size) ==
	      ERROR_NOT_FOUND, "traits that are cut short");
}

struct values {
	TRACE_EVENT_INFO *info;
	char text[512];
};

static ULONG WINAPI add_value(const EVNT_PROPERTY *p, PVOID context)
{
	struct values *v = context;
	const EVENT_PROPERTY_INFO *info =
		&v->info->EventPropertyInfoArray[p->Index];
	EVENT_MAP_INFO *map = NULL;
	size_t len = strlen(v->text);
	USHORT consumed;
	WCHAR text[64];
	ULONG size = sizeof(text);
	char *value;

	if (p->Kind != EvntPropertyValue)
		return ERROR_SUCCESS;
	if (TEI_MAP_NAME(v->info, info))
		GET(map, TdhGetEventMapInformation, &record,
		    TEI_MAP_NAME(v->info, info));
	TdhFormatProperty(v->info, map, 8, info->nonStructType.InType,
			  info->nonStructType.OutType, p->Length, p->DataLength,
			  p->Data, &size, text, &consumed);
	value = narrow(text);
	snprintf(v->text + len, sizeof(v->text) - len, "%s,", value);
	free(value);
	free(map);
	return ERROR_SUCCESS;
}

static void test_values(void)
{
	struct values v = { .text = "" };

	GET(v.info, TdhGetEventInformation, &record, 0, NULL);
	CHECK(!EvntEnumerateProperties(&record, v.info, add_value, &v) &&
	      !strcmp(v.text, "Two,One|0x8,2,hi,0xABCD,7,8,1,x,2,y,z,"
		      "0xDEADBEEF,"), "values: %s", v.text);
	free(v.info);
}

static void test_map(void)
{
	EVENT_MAP_INFO *map;
	ULONG size = 0;

	GET(map, TdhGetEventMapInformation, &record, (PWSTR)u"B");
	CHECK(map->Flag == EVENTMAP_INFO_FLAG_MANIFEST_BITMAP &&
	      map->EntryCount == 2 &&
	      map->MapEntryValueType == EVENTMAP_ENTRY_VALUETYPE_ULONG &&
	      is_text(EMI_MAP_NAME(map), "B") &&
	      map->MapEntryArray[1].Value == 4 &&
	      is_text(EMI_MAP_OUTPUT(map, &map->MapEntryArray[1]), "Two "),
	      "a bit map");
	free(map);
	CHECK(TdhGetEventMapInformation(&record, (PWSTR)u"none", NULL,
					&size) == ERROR_NOT_FOUND,
	      "TdhGetEventMapInformation: ERROR_NOT_FOUND");
	CHECK(TdhGetEventMapInformation(NULL, (PWSTR)u"B", NULL, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetEventMapInformation(&record, NULL, NULL, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhGetEventMapInformation(&record, (PWSTR)u"B", NULL, NULL) ==
	      ERROR_INVALID_PARAMETER,
	      "TdhGetEventMapInformation: ERROR_INVALID_PARAMETER");
}

/* XML's own entities, and characters by their numbers, are read as characters */
static void test_entities(void)
{
	static const char manifest[] = HEAD PROVIDER
		"<events><event value='1' symbol='E' message='$(string.e)'/>"
		"</events></provider></events></instrumentation>"
		"<localization><resources culture='en-US'><stringTable>"
		"<string id='p' value='P'/>"
		"<string id='e' value='&amp;&#38;&#x26; &lt;&gt;&quot;&apos;'/>"
		"</stringTable></resources></localization>"
		"</instrumentationManifest>";
	EVENT_RECORD event = {
		.EventHeader.EventDescriptor.Id = 1,
		.EventHeader.ProviderId = provider_id,
	};
	TRACE_EVENT_INFO *info;

	CHECK(!TdhLoadManifestFromMemory(manifest, sizeof(manifest) - 1),
	      "loading entities");
	GET(info, TdhGetEventInformation, &event, 0, NULL);
	CHECK(is_text(TEI_EVENT_MESSAGE(info), "&&& <>\"'"),
	      "a message has its special characters");
	free(info);
	CHECK(!TdhUnloadManifestFromMemory(manifest, sizeof(manifest) - 1),
	      "unloading entities");
}

/* A map of patterns is described, and leaves the text of its field unchanged */
static void test_pattern_map(void)
{
	static const char manifest[] = HEAD PROVIDER
		"<maps><valueMap name='V'/></maps>"
		"<namedQueries><patternMaps>"
		"<patternMap name='Sites' format='winrxv1'>"
		"<map name='/^ms$/' value='https://ms.com'/>"
		"<map name='x' value='y'/></patternMap></patternMaps>"
		"</namedQueries><templates><template tid='t'>"
		"<data name='s' inType='win:AnsiString' map='Sites'/>"
		"</template></templates>"
		"<events><event value='1' symbol='E' template='t'/></events>"
		TAIL;
	EVENT_RECORD event = {
		.EventHeader.EventDescriptor.Id = 1,
		.EventHeader.ProviderId = provider_id,
		.UserData = "ms",
		.UserDataLength = 3,
	};
	struct values v = { .text = "" };
	const EVENT_MAP_ENTRY *entry;
	EVENT_MAP_INFO *map;
	const WCHAR *name;

	CHECK(!TdhLoadManifestFromMemory(manifest, sizeof(manifest) - 1),
	      "loading a pattern map");
	GET(v.info, TdhGetEventInformation, &event, 0, NULL);
	name = TEI_MAP_NAME(v.info, v.info->EventPropertyInfoArray);
	CHECK(is_text(name, "Sites"), "a field has its pattern map");
	GET(map, TdhGetEventMapInformation, &event, (PWSTR)name);
	entry = map->MapEntryArray;
	CHECK(map->Flag == EVENTMAP_INFO_FLAG_MANIFEST_PATTERNMAP &&
	      map->EntryCount == 2 && is_text(EMI_MAP_NAME(map), "Sites") &&
	      is_text(EMI_MAP_FORMAT(map), "winrxv1"), "a pattern map");
	CHECK(is_text(EMI_MAP_INPUT(map, &entry[0]), "/^ms$/") &&
	      is_text(EMI_MAP_OUTPUT(map, &entry[0]), "https://ms.com") &&
	      is_text(EMI_MAP_INPUT(map, &entry[1]), "x") &&
	      is_text(EMI_MAP_OUTPUT(map, &entry[1]), "y"),
	      "a pattern map has its entries");
	free(map);
	CHECK(!EvntEnumerateProperties(&event, v.info, add_value, &v) &&
	      !strcmp(v.text, "ms,"), "a pattern map is not applied: %s",
	      v.text);
	free(v.info);
	CHECK(!TdhUnloadManifestFromMemory(manifest, sizeof(manifest) - 1),
	      "unloading a pattern map");
}

static void test_providers(void)
{
	PROVIDER_ENUMERATION_INFO *all;
	PROVIDER_EVENT_INFO *events;
	GUID other = { 7, 0, 0, { 0 } };
	ULONG size = 0, code;

	code = TdhEnumerateProviders(NULL, &size);
	CHECK(code == ERROR_INSUFFICIENT_BUFFER && size,
	      "TdhEnumerateProviders: ERROR_INSUFFICIENT_BUFFER");
	all = malloc(size);
	CHECK(!TdhEnumerateProviders(all, &size) &&
	      all->NumberOfProviders == 1 &&
	      !memcmp(&all->TraceProviderInfoArray[0].ProviderGuid,
		      &provider_id, sizeof(GUID)) &&
	      !all->TraceProviderInfoArray[0].SchemaSource &&
	      is_text(PEI_PROVIDER_NAME(all, &all->TraceProviderInfoArray[0]),
		      "P"), "TdhEnumerateProviders returns the provider");
	free(all);
	CHECK(TdhEnumerateProviders(NULL, NULL) == ERROR_INVALID_PARAMETER,
	      "TdhEnumerateProviders: ERROR_INVALID_PARAMETER");
	size = 0;
	code = TdhEnumerateProvidersForDecodingSource(DecodingSourceXMLFile,
						      NULL, 0, &size);
	all = malloc(size);
	CHECK(code == ERROR_INSUFFICIENT_BUFFER &&
	      !TdhEnumerateProvidersForDecodingSource(DecodingSourceXMLFile,
						      all, size, &size) &&
	      all->NumberOfProviders == 1 &&
	      is_text(PEI_PROVIDER_NAME(all, &all->TraceProviderInfoArray[0]),
		      "P"),
	      "TdhEnumerateProvidersForDecodingSource returns the provider");
	CHECK(!TdhEnumerateProvidersForDecodingSource(DecodingSourceWbem, all,
						      size, &size) &&
	      !all->NumberOfProviders && size < sizeof(*all),
	      "no manifest's provider is one of MOF");
	free(all);
	CHECK(TdhEnumerateProvidersForDecodingSource(DecodingSourceTlg, NULL, 0,
						     &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhEnumerateProvidersForDecodingSource(DecodingSourceWbem, NULL,
						     0, NULL) ==
	      ERROR_INVALID_PARAMETER,
	      "TdhEnumerateProvidersForDecodingSource: ERROR_INVALID_PARAMETER");
	GET(events, TdhEnumerateManifestProviderEvents, &provider_id);
	CHECK(events->NumberOfEvents == 2 &&
	      events->EventDescriptorsArray[0].Task == 7 &&
	      events->EventDescriptorsArray[1].Id == 2,
	      "the events of the provider are returned");
	free(events);
	size = 0;
	CHECK(TdhEnumerateManifestProviderEvents(&other, NULL, &size) ==
	      ERROR_FILE_NOT_FOUND &&
	      TdhGetManifestEventInformation(&other, &record.EventHeader
					     .EventDescriptor, NULL, &size) ==
	      ERROR_FILE_NOT_FOUND,
	      "ERROR_FILE_NOT_FOUND: no manifest has the provider");
	CHECK(TdhEnumerateManifestProviderEvents(NULL, NULL, &size) ==
	      ERROR_INVALID_PARAMETER,
	      "TdhEnumerateManifestProviderEvents: ERROR_INVALID_PARAMETER");
}

/* All events of a provider that have the version of an event */
static void test_all_events(void)
{
	static const char all[] = HEAD "<provider name='All' symbol='A' "
		"guid='{00000008-0000-0000-0000-000000000000}'><events>"
		"<event value='1' symbol='a' version='1'/>"
		"<event value='2' symbol='b'/>"
		"<event value='3' symbol='c' version='1'/></events>" TAIL;
	EVENT_RECORD event = { .EventHeader.ProviderId = { .Data1 = 8 } };
	PTRACE_EVENT_INFO *infos;
	ULONG index = 7, count = 0, size = 0;
	PEVENT_RECORD none = NULL;

	CHECK(TdhGetAllEventsInformation(&event, NULL, &index, &count, NULL,
					 &size) == ERROR_NOT_FOUND && !count,
	      "TdhGetAllEventsInformation: ERROR_NOT_FOUND: no provider");
	TdhLoadManifestFromMemory(all, sizeof(all) - 1);
	event.EventHeader.EventDescriptor.Version = 1;
	CHECK(TdhGetAllEventsInformation(&event, NULL, &index, &count, NULL,
					 &size) == ERROR_INSUFFICIENT_BUFFER &&
	      count == 2, "TdhGetAllEventsInformation: ERROR_INSUFFICIENT_BUFFER");
	infos = malloc(size);
	CHECK(!TdhGetAllEventsInformation(&event, NULL, &index, &count, infos,
					  &size) && !index && count == 2 &&
	      infos[0]->EventDescriptor.Id == 1 &&
	      infos[1]->EventDescriptor.Id == 3 &&
	      infos[1]->EventDescriptor.Version == 1 &&
	      is_text(TEI_PROVIDER_NAME(infos[1]), "All"),
	      "the events of a version are described");
	free(infos);
	size = 0;
	event.EventHeader.EventDescriptor.Version = 2;
	CHECK(TdhGetAllEventsInformation(&event, NULL, &index, &count, NULL,
					 &size) == ERROR_NOT_FOUND,
	      "TdhGetAllEventsInformation: ERROR_NOT_FOUND: no such version");
	CHECK(TdhGetAllEventsInformation(none, NULL, &index, &count, NULL,
					 &size) == ERROR_INVALID_PARAMETER &&
	      TdhGetAllEventsInformation(&event, &event, &index, &count, NULL,
					 &size) == ERROR_INVALID_PARAMETER &&
	      TdhGetAllEventsInformation(&event, NULL, NULL, &count, NULL,
					 &size) == ERROR_INVALID_PARAMETER &&
	      TdhGetAllEventsInformation(&event, NULL, &index, NULL, NULL,
					 &size) == ERROR_INVALID_PARAMETER &&
	      TdhGetAllEventsInformation(&event, NULL, &index, &count, NULL,
					 NULL) == ERROR_INVALID_PARAMETER,
	      "TdhGetAllEventsInformation: ERROR_INVALID_PARAMETER");
	TdhUnloadManifestFromMemory(all, sizeof(all) - 1);
}

static void test_empty_provider(void)
{
	static const char empty[] = HEAD "<provider name='E' symbol='E' "
		"guid='{00000007-0000-0000-0000-000000000000}'>" TAIL;
	GUID id = { 7, 0, 0, { 0 } };
	ULONG size = 0;

	TdhLoadManifestFromMemory(empty, sizeof(empty) - 1);
	CHECK(TdhEnumerateManifestProviderEvents(&id, NULL, &size) ==
	      ERROR_EMPTY &&
	      TdhGetManifestEventInformation(&id, &record.EventHeader
					     .EventDescriptor, NULL, &size) ==
	      ERROR_EMPTY, "ERROR_EMPTY: a provider without events");
	CHECK(TdhEnumerateProviderFieldInformation(&id, EventTaskInformation,
						   NULL, &size) ==
	      ERROR_NOT_FOUND, "ERROR_NOT_FOUND: a provider without tasks");
	TdhUnloadManifestFromMemory(empty, sizeof(empty) - 1);
}

static void check_fields(EVENT_FIELD_TYPE type, ULONG count, ULONGLONG value,
			 const char *name, const char *message)
{
	PROVIDER_FIELD_INFOARRAY *fields;
	const PROVIDER_FIELD_INFO *first;

	GET(fields, TdhEnumerateProviderFieldInformation, &provider_id, type);
	first = &fields->FieldInfoArray[0];
	CHECK(fields->NumberOfElements == count && fields->FieldType == type &&
	      first->Value == value &&
	      is_text(PFI_FIELD_NAME(fields, first), name) &&
	      is_text(PFI_FIELD_MESSAGE(fields, first), message),
	      "fields of type %d: %u, the first 0x%llx", (int)type,
	      fields->NumberOfElements, first->Value);
	free(fields);
}

static void check_query(EVENT_FIELD_TYPE type, ULONGLONG value, ULONG count)
{
	PROVIDER_FIELD_INFOARRAY *fields;

	GET(fields, TdhQueryProviderFieldInformation, &provider_id, value,
	    type);
	CHECK(fields->NumberOfElements == count, "query of 0x%llx: %u", value,
	      fields->NumberOfElements);
	free(fields);
}

static void test_fields(void)
{
	GUID other = { 9, 0, 0, { 0 } };
	ULONG size = 0;

	check_fields(EventKeywordInformation, 2, 0x10, "K", NULL);
	check_fields(EventLevelInformation, 2, 20, "L", "One ");
	check_fields(EventChannelInformation, 2, 16, "P/Admin", NULL);
	check_fields(EventTaskInformation, 1, 7, "T", "Two ");
	check_fields(EventOpcodeInformation, 2, 31 << 16, "O", NULL);
	check_query(EventKeywordInformation, 0x30, 2);
	check_query(EventKeywordInformation, 0x20, 1);
	check_query(EventOpcodeInformation, 30 << 16 | 7, 1);
	check_query(EventLevelInformation, 2, 1);
	CHECK(TdhQueryProviderFieldInformation(&provider_id, 0x40,
					       EventKeywordInformation, NULL,
					       &size) == ERROR_NOT_FOUND &&
	      TdhQueryProviderFieldInformation(&other, 1,
					       EventKeywordInformation, NULL,
					       &size) == ERROR_NOT_FOUND,
	      "TdhQueryProviderFieldInformation: ERROR_NOT_FOUND");
	CHECK(TdhQueryProviderFieldInformation(NULL, 1, EventTaskInformation,
					       NULL, &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhQueryProviderFieldInformation(&provider_id, 1,
					       EventInformationMax, NULL,
					       &size) ==
	      ERROR_INVALID_PARAMETER &&
	      TdhEnumerateProviderFieldInformation(&provider_id,
						   EventTaskInformation, NULL,
						   NULL) ==
	      ERROR_INVALID_PARAMETER,
	      "fields: ERROR_INVALID_PARAMETER");
}

static void test_filters(void)
{
	PROVIDER_FILTER_INFO **filters;
	GUID other = { 9, 0, 0, { 0 } };
	ULONG size = 0, count = 0;

	CHECK(TdhEnumerateProviderFilters(&provider_id, 0, NULL, &count, NULL,
					  &size) == ERROR_INSUFFICIENT_BUFFER &&
	      count == 2, "TdhEnumerateProviderFilters: ERROR_INSUFFICIENT_BUFFER");
	filters = malloc(size);
	CHECK(!TdhEnumerateProviderFilters(&provider_id, 0, NULL, &count,
					   filters, &size) &&
	      filters[0]->Id == 3 && filters[0]->Version == 1 &&
	      is_text(PFI_FILTER_MESSAGE(filters[0]), "One ") &&
	      filters[0]->PropertyCount == 10 && filters[1]->Id == 4 &&
	      !filters[1]->PropertyCount && !PFI_FILTER_MESSAGE(filters[1]) &&
	      is_text(PFI_PROPERTY_NAME(filters[0], &filters[0]
					->EventPropertyInfoArray[0]), "v"),
	      "TdhEnumerateProviderFilters returns the filter");
	free(filters);
	size = 0;
	CHECK(TdhEnumerateProviderFilters(&other, 0, NULL, &count, NULL,
					  &size) == ERROR_NOT_FOUND && !count,
	      "TdhEnumerateProviderFilters: ERROR_NOT_FOUND");
	CHECK(TdhEnumerateProviderFilters(NULL, 0, NULL, &count, NULL,
					  &size) == ERROR_INVALID_PARAMETER &&
	      TdhEnumerateProviderFilters(&provider_id, 1, NULL, &count, NULL,
					  &size) == ERROR_INVALID_PARAMETER &&
	      TdhEnumerateProviderFilters(&provider_id, 0, NULL, NULL, NULL,
					  &size) == ERROR_INVALID_PARAMETER &&
	      TdhEnumerateProviderFilters(&provider_id, 0, NULL, &count, NULL,
					  NULL) == ERROR_INVALID_PARAMETER,
	      "TdhEnumerateProviderFilters: ERROR_INVALID_PARAMETER");
}

static void test_language(void)
{
	TRACE_EVENT_INFO *info;

	setenv("LC_ALL", "de_DE.UTF-8", 1);
	GET(info, TdhGetEventInformation, &record, 0, NULL);
	CHECK(is_text(TEI_PROVIDER_MESSAGE(info), "Der Anbieter") &&
	      is_text(TEI_LEVEL_NAME(info), "One "),
	      "a text in the user's language, where there is one");
	free(info);
	setenv("LC_ALL", "C", 1);
}

static void test_functions(void)
{
	record.EventHeader.ProviderId = provider_id;
	if (TdhLoadManifestFromMemory(everything, sizeof(everything) - 1)) {
		CHECK(false, "the manifest is loaded");
		return;
	}
	test_event();
	test_control_guid();
	test_values();
	test_map();
	test_providers();
	test_all_events();
	test_empty_provider();
	test_fields();
	test_filters();
	test_language();
	TdhUnloadManifestFromMemory(everything, sizeof(everything) - 1);
}

/* Runs in a child, as the system's manifests are searched for only once */
static int look_for_system(char *folder)
{
	ULONG size = 0;

	setenv("EVNTPROV_MANIFESTS", folder, 1);
	record.EventHeader.ProviderId = provider_id;
	return TdhGetEventInformation(&record, 0, NULL, NULL, &size) !=
	       ERROR_INSUFFICIENT_BUFFER;
}

static void test_system(void)
{
	char folder[] = "/tmp/evnt-manifests-XXXXXX", path[64], absent[64];
	int status = -1;
	FILE *file;
	pid_t pid;

	CHECK(mkdtemp(folder), "a folder of manifests");
	snprintf(path, sizeof(path), "%s/a.man", folder);
	file = fopen(path, "w");
	fputs(everything, file);
	fclose(file);
	snprintf(absent, sizeof(absent), "%s/b.man", folder);
	CHECK(!symlink("/nowhere", absent), "a manifest that is not there");
	fflush(stdout);
	pid = fork();
	/* A leak is an error when it exits */
	if (!pid)
		exit(look_for_system(folder));
	waitpid(pid, &status, 0);
	CHECK(!status, "a manifest of the system is found, beside an absent one");
	unlink(absent);
	unlink(path);
	rmdir(folder);
}

static void *enumerate_slowly(void *arg)
{
	ULONG size = 0;

	TdhEnumerateManifestProviderEvents(slow_page, NULL, &size);
	return arg;
}

static int enumerate(void)
{
	ULONG size = 0;

	return TdhEnumerateProviders(NULL, &size) != ERROR_INSUFFICIENT_BUFFER;
}

/* Real manifests: numbers of providers and events, or the expected problem */
static const struct real {
	const char *path;
	unsigned int providers;
	unsigned int events;
	const char *wrong;
} reals[] = {
	{ "GameTechDev+PresentMon/Intel-PresentMon.man", 1, 15, NULL },
	{ "PowerShell+openssh-portable/Openssh-events.man", 1, 5, NULL },
	{ "aetos382+EtwSamples/ProviderManifest0.man", 1, 1, NULL },
	{ "aetos382+EtwSamples/ProviderManifest1.man", 1, 1, NULL },
	{ "aetos382+EtwSamples/ProviderManifest3.man", 1, 2, NULL },
	{ "aetos382+EtwSamples/ProviderManifest4.man", 1, 1, NULL },
	{ "aremmell+libsir/sir_wineventlog.man", 1, 5, NULL },
	{ "gix+event-trace-kit/Empty.man", 0, 0, NULL },
	{ "gix+event-trace-kit/EventAttributes.man", 1, 7, NULL },
	{ "gix+event-trace-kit/ImportChannels.man", 1, 6, NULL },
	{ "gix+event-trace-kit/NativeConsoleApp.man", 1, 3, NULL },
	{ "gix+event-trace-kit/ProviderTraits.man", 3, 3, NULL },
	{ "gix+event-trace-kit/TaskOpcodes.man", 1, 2, NULL },
	{ "google+UIforETW/etwproviders.man", 4, 30, NULL },
	{ "jxcore+jxcore/node_etw_provider.man", 1, 12, NULL },
	{ "jxcore+jxcore/node_perfctr_provider.man", 0, 0, "counters alone" },
	{ "microsoft+CLOG/clog_examples.man", 1, 11, NULL },
	{ "microsoft+D3D9On12/DirectX-Direct3D9on12.man", 0, 0,
	  "has no <instrumentation>" },
	{ "microsoft+DirectXShaderCompiler/DxcRuntime.man", 1, 7, NULL },
	{ "microsoft+DirectXShaderCompiler/dxcetw.man", 1, 16, NULL },
	{ "microsoft+Tx/CSV.man", 1, 27, NULL },
	{ "microsoft+Tx/HTTP_Server.man", 1, 85, NULL },
	{ "microsoft+Tx/Microsoft.Windows.ApplicationServer.Applications.manifest",
	  1, 481, NULL },
	{ "microsoft+Tx/asp.man", 2, 79, NULL },
	{ "microsoft+Tx/eventing.man", 1, 3, NULL },
	{ "microsoft+Windows-classic-samples/SimpleProvider.man", 1, 5, NULL },
	{ "microsoft+Windows-classic-samples/gas.man", 0, 0,
	  "counters alone" },
	{ "microsoft+Windows-classic-samples/ucs.man", 0, 0,
	  "counters alone" },
	{ "microsoft+Windows-driver-samples/UfxClientSample.man", 1, 5, NULL },
	{ "microsoft+Windows-driver-samples/kcs.man", 0, 0, "counters alone" },
	{ "microsoft+mimalloc/etw.man", 1, 2, NULL },
	{ "microsoft+perfview/AdvancedFeatures.manifest.xml", 1, 3, NULL },
	{ "microsoft+perfview/BoolPointerTest.manifest.xml", 1, 1, NULL },
	{ "microsoft+perfview/EnumTest.manifest.xml", 0, 0,
	  ":20:9: a <valueMap> stands in <maps>" },
	{ "microsoft+perfview/LeadingDigitProvider.manifest.xml", 1, 1, NULL },
	{ "microsoft+perfview/MultiType.manifest.xml", 1, 3, NULL },
	{ "microsoft+perfview/OpcodeTest.manifest.xml", 1, 2, NULL },
	{ "microsoft+perfview/SimpleTest.manifest.xml", 1, 2, NULL },
	{ "microsoft+perfview/TemplateSharingTest.manifest.xml", 1, 2, NULL },
	{ "microsoft+perfview/VersionedEvent.manifest.xml", 1, 2, NULL },
	{ "microsoft+xdp-for-windows/xdpetw.man", 1, 22, NULL },
	{ "microsoft+xdp-for-windows/xdppcw.man", 0, 0, "counters alone" },
	{ "openzfsonwindows+openzfs/OpenZFS.man", 0, 0, "counters alone" },
	{ "osquery+osquery/osquery.man", 1, 5, NULL },
	{ "pistacheio+pistache/pist_winlog.man", 1, 15, NULL },
};

static char *read_whole(const char *path, size_t *len)
{
	FILE *file = fopen(path, "rb");
	char *data;

	if (!file)
		return NULL;
	fseek(file, 0, SEEK_END);
	*len = ftell(file);
	rewind(file);
	data = malloc(*len + 1);
	*len = fread(data, 1, *len, file);
	fclose(file);
	return data;
}

static void test_real(const struct real *real)
{
	struct reported reported = { .len = 0 };
	unsigned int events = 0;
	struct manifest *m;
	char path[PATH_MAX];
	size_t len;
	char *data;

	snprintf(path, sizeof(path), "%s/manifests/%s", data_folder(),
		 real->path);
	data = read_whole(path, &len);
	if (!data) {
		SKIP("%s is not here", real->path);
		return;
	}
	m = manifest_parse(real->path, data, len, listen, &reported);
	free(data);
	if (real->wrong) {
		CHECK(!m && strstr(reported.text, real->wrong), "%s",
		      reported.text);
		manifest_free(m);
		return;
	}
	for (struct provider *p = m ? m->providers : NULL; p; p = p->next)
		events += list_length(p->events);
	CHECK(m && list_length(m->providers) == real->providers &&
	      events == real->events, "%s: %u events %s", real->path, events,
	      reported.text);
	manifest_free(m);
}

/* Windows' events described by a manifest: all of each is used */
struct counts {
	unsigned int events;
	unsigned int whole;
	size_t bytes;
};

static ULONG WINAPI add_bytes(const EVNT_PROPERTY *p, PVOID context)
{
	if (p->Kind == EvntPropertyValue)
		*(size_t *)context += p->DataLength;
	return ERROR_SUCCESS;
}

static VOID WINAPI see(PEVENT_RECORD event)
{
	struct counts *counts = event->UserContext;
	TRACE_EVENT_INFO *info;
	size_t bytes = 0;
	ULONG size = 0;

	if (event->EventHeader.Flags & EVENT_HEADER_FLAG_CLASSIC_HEADER)
		return;
	counts->events++;
	TdhGetEventInformation(event, 0, NULL, NULL, &size);
	info = malloc(size + 1);
	if (size && !TdhGetEventInformation(event, 0, NULL, info, &size))
		counts->whole += !EvntEnumerateProperties(event, info,
							  add_bytes, &bytes) &&
				 bytes == event->UserDataLength;
	free(info);
}

static void test_http(void)
{
	struct counts counts = { 0 };
	EVENT_TRACE_LOGFILEA file = {
		.ProcessTraceMode = PROCESS_TRACE_MODE_EVENT_RECORD,
		.EventRecordCallback = see,
		.Context = &counts,
	};
	char path[PATH_MAX];
	TRACEHANDLE handle;

	snprintf(path, sizeof(path), "%s/manifests/microsoft+Tx/HTTP_Server.man",
		 data_folder());
	if (access(path, R_OK)) {
		SKIP("HTTP_Server.man is not here");
		return;
	}
	CHECK(!EvntLoadManifest(path, NULL, NULL), "HTTP_Server.man is loaded");
	snprintf(path, sizeof(path), "%s/etl/HTTP_Server.etl", data_folder());
	file.LogFileName = path;
	handle = OpenTraceA(&file);
	ProcessTrace(&handle, 1, NULL, NULL);
	CloseTrace(handle);
	CHECK(counts.events == 2041 && counts.whole == 2041,
	      "HTTP_Server.etl: %u events, %u decoded whole", counts.events,
	      counts.whole);
}

int main(void)
{
	setenv("LC_ALL", "C", 1);
	setenv("EVNTPROV_MANIFESTS", "/nowhere", 1);
	test_wrong();
	test_two_strings();
	test_message_table();
	test_decimal();
	test_limits();
	test_much();
	test_name_length();
	test_channel_bits();
	test_load();
	test_load_file();
	test_system();
	CHECK(fork_works(enumerate_slowly, enumerate),
	      "a child looks for manifests, whatever other threads were at");
	test_functions();
	test_pattern_map();
	test_entities();
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(reals); i++)
		test_real(&reals[i]);
	test_http();
	return tap_end();
}
