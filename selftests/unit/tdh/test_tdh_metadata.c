// SPDX-License-Identifier: MIT
/*
 * Descriptions of events in a log itself, as merged logs of Windows have them:
 * events are decoded by them, manifests take precedence, and malformed ones do
 * no harm.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "evnttdh.h"
#include "selftests/unit/common/tap.h"
#include "selftests/unit/tdh/tdh_text.h"

static const char manifest[] =
	"<instrumentationManifest xmlns='http://schemas.microsoft.com/win/"
	"2004/08/events' xmlns:win='http://manifests.microsoft.com/win/2004/"
	"08/windows/events'><instrumentation><events><provider name='P' "
	"guid='{11111111-2222-3333-4444-555566667777}'><maps>"
	"<valueMap name='M'><map value='1' message='$(string.One)'/>"
	"<map value='2' message='$(string.Two)'/></valueMap></maps>"
	"<keywords><keyword name='K' mask='1'/></keywords>"
	"<templates><template tid='t'>"
	"<data name='a' inType='win:UInt32' map='M'/>"
	"<data name='n' inType='win:UInt16'/>"
	"<struct name='s' count='n'><data name='c' inType='win:UInt8'/></struct>"
	"<data name='b' inType='win:UnicodeString'/>"
	"</template></templates><events>"
	"<event value='1' template='t' keywords='K' level='win:Error' "
	"message='$(string.Two)'/></events></provider>"
	"</events></instrumentation><localization><resources culture='en-US'>"
	"<stringTable><string id='One' value='One'/>"
	"<string id='Two' value='Two'/>"
	"</stringTable></resources></localization></instrumentationManifest>";

static u8 payload[] = {
	2, 0, 0, 0, 2, 0, 7, 8, 'x', 0, 0, 0,
};

static EVENT_RECORD event = {
	.EventHeader = {
		.ProviderId = { 0x11111111, 0x2222, 0x3333,
				{ 0x44, 0x44, 0x55, 0x55, 0x66, 0x66, 0x77,
				  0x77 } },
		.EventDescriptor = { .Id = 1, .Level = 2, .Keyword = 1 },
	},
	.UserData = payload,
	.UserDataLength = sizeof(payload),
};

static WCHAR map_name[] = { 'M', 0 };

/* Return an EVENT_MAP_INFO; the caller frees it */
static EVENT_MAP_INFO *map_of(EVENT_RECORD *record, ULONG *size)
{
	EVENT_MAP_INFO *map;

	*size = 0;
	if (TdhGetEventMapInformation(record, map_name, NULL, size) !=
	    ERROR_INSUFFICIENT_BUFFER)
		return NULL;
	map = malloc(*size);
	if (TdhGetEventMapInformation(record, map_name, map, size)) {
		free(map);
		return NULL;
	}
	return map;
}

static ULONG load(UCHAR opcode, const void *data, size_t len)
{
	EVENT_RECORD metadata = {
		.EventHeader = {
			.ProviderId = { 0xbbccf6c1, 0x6cd1, 0x48c4,
					{ 0x80, 0xff, 0x83, 0x94, 0x82, 0xe3,
					  0x76, 0x71 } },
			.EventDescriptor.Opcode = opcode,
		},
		.UserDataLength = len,
	};
	void *exact = malloc(len ? len : 1);
	ULONG code;

	memcpy(exact, data, len);
	metadata.UserData = exact;
	code = EvntLoadManifestFromEvent(&metadata);
	free(exact);
	return code;
}

/* Text of all values of an event */
struct shown {
	const TRACE_EVENT_INFO *info;
	const EVENT_MAP_INFO *map;
	char text[200];
};

static ULONG WINAPI show(const EVNT_PROPERTY *property, PVOID context)
{
	struct shown *shown = context;
	char value[100];
	ULONG size = sizeof(value);
	size_t len = strlen(shown->text);

	if (property->Kind != EvntPropertyValue ||
	    EvntFormatProperty(shown->info, property->Index ? NULL : shown->map,
			       8, property, &size, value))
		return ERROR_SUCCESS;
	snprintf(shown->text + len, sizeof(shown->text) - len, "%s ", value);
	return ERROR_SUCCESS;
}

/* Describe the event and read all texts; return its values */
static const char *decode(EVENT_RECORD *record)
{
	static struct shown shown;
	TRACE_EVENT_INFO *info = info_of(record);
	ULONG size, first = 0;
	EVENT_MAP_INFO *map = map_of(record, &size);

	shown = (struct shown) { .info = info, .map = map };
	if (info) {
		const ULONG texts[] = {
			info->ProviderNameOffset, info->LevelNameOffset,
			info->ChannelNameOffset, info->TaskNameOffset,
			info->OpcodeNameOffset, info->EventMessageOffset,
			info->ProviderMessageOffset, info->EventNameOffset,
			info->EventAttributesOffset,
		};
		const WCHAR *keyword =
			evnt_tdh_text(info, info->KeywordsNameOffset);

		for (size_t i = 0; i < EVNT_ARRAY_SIZE(texts); i++) {
			if (texts[i])
				first += wide_len(evnt_tdh_text(info, texts[i]));
		}
		while (keyword && *keyword)
			keyword += wide_len(keyword) + 1;
		for (ULONG i = 0; i < info->PropertyCount; i++)
			first += wide_len(evnt_tdh_text(info,
				info->EventPropertyInfoArray[i].NameOffset) ?:
				map_name);
		EvntEnumerateProperties(record, info, show, &shown);
	}
	free(info);
	free(map);
	return shown.text;
}

/*
 * Load each description with one changed word and each shortened one for another
 * event, and use it
 */
static void test_malformed(const u8 *data, size_t len, const u8 *map,
			   size_t map_len)
{
	static const u32 words[] = { 0, 1, 0x7f, 0xffff, 0x7fffffff, UINT32_MAX };
	const size_t guid = offsetof(TRACE_EVENT_INFO, ProviderGuid);
	unsigned int accepted = 0, refused = 0;
	EVENT_RECORD other = event;
	u8 *changed = malloc(len);
	u8 *changed_map = malloc(map_len);

	for (u32 i = 0; i < (len / 4 - 16) * 6 + len; i++) {
		size_t size = i < len ? i : len;
		u32 at = 48 + (i - len) / 6 * 4;

		memcpy(changed, data, len);
		if (i >= len && at + 4 <= len)
			memcpy(changed + at, &words[(i - len) % 6], 4);
		other.EventHeader.ProviderId.Data1 = i;
		memcpy(changed + guid, &i, sizeof(i));
		if (load(32, changed, size))
			refused++;
		else
			accepted++;
		memcpy(changed_map, map, map_len);
		at = 16 + i / 6 * 4;
		if (at + 4 <= map_len)
			memcpy(changed_map + at, &words[i % 6], 4);
		memcpy(changed_map, &i, sizeof(i));
		load(33, changed_map, at + 4 <= map_len ? map_len : i % map_len);
		decode(&other);
	}
	CHECK(accepted > 100 && refused > 100,
	      "malformed descriptions are refused (%u) or bounded (%u)", refused,
	      accepted);
	free(changed);
	free(changed_map);
}

int main(void)
{
	static u8 described[1024], mapped[256];
	EVENT_RECORD classic = event;
	TRACE_EVENT_INFO *info;
	EVENT_MAP_INFO *map;
	ULONG size = sizeof(described), map_size;
	const char *text;

	CHECK(!TdhLoadManifestFromMemory(manifest, sizeof(manifest) - 1),
	      "a manifest is loaded");
	if (TdhGetEventInformation(&event, 0, NULL, (TRACE_EVENT_INFO *)described,
				   &size))
		return 1;
	map = map_of(&event, &map_size);
	if (!map)
		return 1;
	memcpy(mapped, &event.EventHeader.ProviderId, sizeof(GUID));
	memcpy(mapped + sizeof(GUID), map, map_size);
	free(map);
	map_size += sizeof(GUID);
	text = decode(&event);
	CHECK(!strcmp(text, "Two 2 7 8 x "), "the manifest decodes: %s", text);
	TdhUnloadManifestFromMemory(manifest, sizeof(manifest) - 1);
	CHECK(!info_of(&event), "nothing describes the event");

	CHECK(!load(32, described, size) && !load(33, mapped, map_size),
	      "descriptions of an event and a map are loaded");
	text = decode(&event);
	CHECK(!strcmp(text, "Two 2 7 8 x "), "they decode the event: %s", text);
	info = info_of(&event);
	CHECK(info && is_text(TEI_PROVIDER_NAME(info), "P") &&
	      is_text(TEI_LEVEL_NAME(info), "Error") &&
	      is_text(TEI_EVENT_MESSAGE(info), "Two") &&
	      is_text(TEI_KEYWORDS_NAME(info), "K"), "the names are there");
	free(info);
	event.EventHeader.EventDescriptor.Version = 1;
	CHECK(!info_of(&event), "another version is not described");
	event.EventHeader.EventDescriptor.Version = 0;

	((TRACE_EVENT_INFO *)described)->EventPropertyInfoArray[0].nonStructType
		.InType = TDH_INTYPE_INT8;
	CHECK(!load(32, described, size), "a second description is no error");
	text = decode(&event);
	CHECK(!strcmp(text, "Two 2 7 8 x "), "the first one counts: %s", text);

	((TRACE_EVENT_INFO *)described)->DecodingSource = DecodingSourceWbem;
	((TRACE_EVENT_INFO *)described)->EventGuid =
		event.EventHeader.ProviderId;
	((TRACE_EVENT_INFO *)described)->EventDescriptor.Opcode = 9;
	CHECK(!load(32, described, size), "a classic event is described");
	classic.EventHeader.Flags = EVENT_HEADER_FLAG_CLASSIC_HEADER;
	classic.EventHeader.EventDescriptor =
		(EVENT_DESCRIPTOR) { .Opcode = 9 };
	info = info_of(&classic);
	CHECK(info && info->PropertyCount == 5,
	      "class, type and version find it");
	free(info);
	CHECK(load(34, described, size) == ERROR_NOT_FOUND,
	      "an event with other contents is not taken");

	((TRACE_EVENT_INFO *)described)->DecodingSource =
		DecodingSourceXMLFile;
	test_malformed(described, size, mapped, map_size);
	return tap_end();
}
