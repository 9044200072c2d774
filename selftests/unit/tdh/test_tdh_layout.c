// SPDX-License-Identifier: MIT
/* Sizes, offsets and numbers of tdh.h, compared with 64-bit Windows. */
#include "evnttdh.h"
#include "selftests/unit/common/tap.h"

#define SIZE(type, size) \
	CHECK(sizeof(type) == (size), #type " has %zu bytes", sizeof(type))
#define AT(type, member, offset) \
	CHECK(offsetof(type, member) == (offset), #type "." #member " is at %zu", \
	      offsetof(type, member))
#define IS(name, value) \
	CHECK((name) == (value), #name " is %d", (int)(name))

static void test_event(void)
{
	SIZE(TRACE_EVENT_INFO, 136);
	AT(TRACE_EVENT_INFO, EventGuid, 16);
	AT(TRACE_EVENT_INFO, EventDescriptor, 32);
	AT(TRACE_EVENT_INFO, DecodingSource, 48);
	AT(TRACE_EVENT_INFO, ProviderNameOffset, 52);
	AT(TRACE_EVENT_INFO, LevelNameOffset, 56);
	AT(TRACE_EVENT_INFO, ChannelNameOffset, 60);
	AT(TRACE_EVENT_INFO, KeywordsNameOffset, 64);
	AT(TRACE_EVENT_INFO, TaskNameOffset, 68);
	AT(TRACE_EVENT_INFO, OpcodeNameOffset, 72);
	AT(TRACE_EVENT_INFO, EventMessageOffset, 76);
	AT(TRACE_EVENT_INFO, ProviderMessageOffset, 80);
	AT(TRACE_EVENT_INFO, BinaryXMLOffset, 84);
	AT(TRACE_EVENT_INFO, BinaryXMLSize, 88);
	AT(TRACE_EVENT_INFO, EventNameOffset, 92);
	AT(TRACE_EVENT_INFO, ActivityIDNameOffset, 92);
	AT(TRACE_EVENT_INFO, EventAttributesOffset, 96);
	AT(TRACE_EVENT_INFO, RelatedActivityIDNameOffset, 96);
	AT(TRACE_EVENT_INFO, PropertyCount, 100);
	AT(TRACE_EVENT_INFO, TopLevelPropertyCount, 104);
	AT(TRACE_EVENT_INFO, Flags, 108);
	AT(TRACE_EVENT_INFO, EventPropertyInfoArray, 112);

	SIZE(EVENT_PROPERTY_INFO, 24);
	AT(EVENT_PROPERTY_INFO, NameOffset, 4);
	AT(EVENT_PROPERTY_INFO, nonStructType.InType, 8);
	AT(EVENT_PROPERTY_INFO, nonStructType.OutType, 10);
	AT(EVENT_PROPERTY_INFO, nonStructType.MapNameOffset, 12);
	AT(EVENT_PROPERTY_INFO, structType.StructStartIndex, 8);
	AT(EVENT_PROPERTY_INFO, structType.NumOfStructMembers, 10);
	AT(EVENT_PROPERTY_INFO, customSchemaType.CustomSchemaOffset, 12);
	AT(EVENT_PROPERTY_INFO, count, 16);
	AT(EVENT_PROPERTY_INFO, countPropertyIndex, 16);
	AT(EVENT_PROPERTY_INFO, length, 18);
	AT(EVENT_PROPERTY_INFO, lengthPropertyIndex, 18);
	AT(EVENT_PROPERTY_INFO, Reserved, 20);
}

static void test_others(void)
{
	SIZE(EVENT_MAP_INFO, 24);
	AT(EVENT_MAP_INFO, Flag, 4);
	AT(EVENT_MAP_INFO, EntryCount, 8);
	AT(EVENT_MAP_INFO, MapEntryValueType, 12);
	AT(EVENT_MAP_INFO, FormatStringOffset, 12);
	AT(EVENT_MAP_INFO, MapEntryArray, 16);
	SIZE(EVENT_MAP_ENTRY, 8);
	AT(EVENT_MAP_ENTRY, Value, 4);
	AT(EVENT_MAP_ENTRY, InputOffset, 4);

	SIZE(PROPERTY_DATA_DESCRIPTOR, 16);
	AT(PROPERTY_DATA_DESCRIPTOR, ArrayIndex, 8);
	SIZE(TDH_CONTEXT, 16);
	AT(TDH_CONTEXT, ParameterType, 8);
	AT(TDH_CONTEXT, ParameterSize, 12);
	SIZE(TRACE_PROVIDER_INFO, 24);
	AT(TRACE_PROVIDER_INFO, SchemaSource, 16);
	AT(TRACE_PROVIDER_INFO, ProviderNameOffset, 20);
	SIZE(PROVIDER_ENUMERATION_INFO, 32);
	AT(PROVIDER_ENUMERATION_INFO, TraceProviderInfoArray, 8);
	SIZE(PROVIDER_FIELD_INFO, 16);
	AT(PROVIDER_FIELD_INFO, DescriptionOffset, 4);
	AT(PROVIDER_FIELD_INFO, Value, 8);
	SIZE(PROVIDER_FIELD_INFOARRAY, 24);
	AT(PROVIDER_FIELD_INFOARRAY, FieldType, 4);
	AT(PROVIDER_FIELD_INFOARRAY, FieldInfoArray, 8);
	SIZE(PROVIDER_EVENT_INFO, 24);
	AT(PROVIDER_EVENT_INFO, EventDescriptorsArray, 8);
	SIZE(PROVIDER_FILTER_INFO, 40);
	AT(PROVIDER_FILTER_INFO, Version, 1);
	AT(PROVIDER_FILTER_INFO, MessageOffset, 4);
	AT(PROVIDER_FILTER_INFO, PropertyCount, 12);
	AT(PROVIDER_FILTER_INFO, EventPropertyInfoArray, 16);
	SIZE(PAYLOAD_FILTER_PREDICATE, 24);
	AT(PAYLOAD_FILTER_PREDICATE, CompareOp, 8);
	AT(PAYLOAD_FILTER_PREDICATE, Value, 16);
}

static void test_numbers(void)
{
	IS(TDH_INTYPE_SID, 19);
	IS(TDH_INTYPE_MANIFEST_COUNTEDBINARY, 25);
	IS(TDH_INTYPE_COUNTEDSTRING, 300);
	IS(TDH_INTYPE_WBEMSID, 310);
	IS(TDH_OUTTYPE_HEXBINARY, 15);
	IS(TDH_OUTTYPE_SOCKETADDRESS, 25);
	IS(TDH_OUTTYPE_HRESULT, 32);
	IS(TDH_OUTTYPE_DATETIME_UTC, 38);
	IS(TDH_OUTTYPE_NOPRINT, 301);
	IS(PropertyHasCustomSchema, 0x80);
	IS(DecodingSourceTlg, 3);
	IS(EventOpcodeInformation, 4);
	IS(EVENTMAP_INFO_FLAG_WBEM_NO_MAP, 64);
	IS(TEMPLATE_CONTROL_GUID, 4);
	IS(TDH_CONTEXT_PDB_PATH, 4);
	IS(PAYLOADFIELD_GT, 3);
	IS(PAYLOADFIELD_MODULO, 8);
	IS(PAYLOADFIELD_DOESNTCONTAIN, 21);
	IS(PAYLOADFIELD_ISNOT, 31);
	IS(PAYLOADFIELD_INVALID, 32);
	IS(MAX_PAYLOAD_PREDICATES, 8);
}

int main(void)
{
	test_event();
	test_others();
	test_numbers();
	return tap_end();
}
