/* SPDX-License-Identifier: MIT */
/*
 * TraceLogging as sources for Linux have it that write user_events: here, they
 * write events of ETW.
 *
 * IDs of activities and GUIDs are pointers to 16 bytes in the order of RFC 4122,
 * Long and ULong are as long as C's long, and packed fields have encodings and
 * formats of these sources.  Pairs of them that ETW does not have become the
 * nearest type: see TraceLoggingWrite(3).
 */
#ifndef EVNT_EVENTHEADER_TRACELOGGINGPROVIDER_H
#define EVNT_EVENTHEADER_TRACELOGGINGPROVIDER_H

#include <errno.h>
#include <stdint.h>

#include "../../TraceLoggingProvider.h"

enum {
	event_level_invalid,
	event_level_critical_error,
	event_level_error,
	event_level_warning,
	event_level_information,
	event_level_verbose
};

enum {
	event_opcode_info,
	event_opcode_activity_start,
	event_opcode_activity_stop,
	event_opcode_collection_start,
	event_opcode_collection_stop,
	event_opcode_extension,
	event_opcode_reply,
	event_opcode_resume,
	event_opcode_suspend,
	event_opcode_send,
	event_opcode_receive = 240
};

/*
 * Encodings are layouts of ETW and, above their 7 bits, what the macros below
 * must know of them.
 */
enum {
	EVNT_EH_NUMBER = 0x100,			/* has a signed layout, one less */
	EVNT_EH_COUNTED = 0x200,		/* an array already */
	EVNT_EH_UNCOUNTED = 0x400,		/* needs a count in front */
	EVNT_EH_ARRAY = 0x800,

	event_field_encoding_struct = _TlgInSTRUCT,
	event_field_encoding_value8 = TlgInUINT8 | EVNT_EH_NUMBER,
	event_field_encoding_value16 = TlgInUINT16 | EVNT_EH_NUMBER,
	event_field_encoding_value32 = TlgInUINT32 | EVNT_EH_NUMBER,
	event_field_encoding_value64 = TlgInUINT64 | EVNT_EH_NUMBER,
	event_field_encoding_value128 = TlgInGUID,
	event_field_encoding_zstring_char8 = TlgInANSISTRING,
	event_field_encoding_zstring_char16 = TlgInUNICODESTRING,
	event_field_encoding_zstring_char32 =
		TlgInHEXINT32 | _TlgInVcount | EVNT_EH_UNCOUNTED,
	event_field_encoding_string_length16_char8 = TlgInCOUNTEDANSISTRING,
	event_field_encoding_string_length16_char16 =
		TlgInUINT16 | _TlgInVcount | EVNT_EH_COUNTED,
	event_field_encoding_string_length16_char32 =
		TlgInHEXINT32 | _TlgInVcount | EVNT_EH_COUNTED,
	event_field_encoding_binary_length16_char8 = TlgInCOUNTEDBINARY,
	event_field_encoding_carray_flag = _TlgInCcount | EVNT_EH_ARRAY,
	event_field_encoding_varray_flag = _TlgInVcount | EVNT_EH_ARRAY,

	event_field_encoding_value_long = sizeof(long) == 8 ?
		event_field_encoding_value64 : event_field_encoding_value32,
	event_field_encoding_value_ptr = sizeof(void *) == 8 ?
		event_field_encoding_value64 : event_field_encoding_value32,
	event_field_encoding_value_float = event_field_encoding_value32,
	event_field_encoding_value_double = event_field_encoding_value64,
	event_field_encoding_value_wchar = __SIZEOF_WCHAR_T__ == 2 ?
		event_field_encoding_value16 : event_field_encoding_value32,
	event_field_encoding_zstring_wchar = __SIZEOF_WCHAR_T__ == 2 ?
		event_field_encoding_zstring_char16 :
		event_field_encoding_zstring_char32,
	event_field_encoding_string_length16_wchar = __SIZEOF_WCHAR_T__ == 2 ?
		event_field_encoding_string_length16_char16 :
		event_field_encoding_string_length16_char32
};

/* Formats: ETW's, in 7 bits, and others in higher bits */
enum {
	event_field_format_default = TlgOutNULL,
	event_field_format_unsigned_int = 0x100,
	event_field_format_signed_int = 0x200,
	event_field_format_hex_int = TlgOutHEX,
	event_field_format_errno = event_field_format_signed_int,
	event_field_format_pid = TlgOutPID,
	event_field_format_time = event_field_format_signed_int,
	event_field_format_boolean = TlgOutBOOLEAN,
	event_field_format_float = 0x300,
	event_field_format_hex_bytes = 0x400,
	event_field_format_string8 = TlgOutSTRING,
	event_field_format_string_utf = TlgOutUTF8,
	event_field_format_string_utf_bom = TlgOutUTF8,
	event_field_format_string_xml = TlgOutXML,
	event_field_format_string_json = TlgOutJSON,
	event_field_format_uuid = 0x500,
	event_field_format_port = TlgOutPORT,
	event_field_format_ip_address = TlgOutIPV4,
	event_field_format_ipv4 = TlgOutIPV4
};

/* Layout and format of ETW for an encoding with a format; constants */
#define EVNT_EH_IN(encoding, format) \
	EVNT_EH_IN_((0 + (encoding)), (0 + (format)))
#define EVNT_EH_OUT(encoding, format) \
	EVNT_EH_OUT_((0 + (encoding)), (0 + (format)))
#define EVNT_EH_IN_(encoding, format) \
	((((encoding) & EVNT_EH_NUMBER) == 0 ? (encoding) : \
	  (format) == event_field_format_signed_int ? (encoding) - 1 : \
	  (format) != event_field_format_float ? (encoding) : \
	  ((encoding) & _TlgInTypeMask) == TlgInUINT32 ? \
		(encoding) - TlgInUINT32 + TlgInFLOAT : \
	  ((encoding) & _TlgInTypeMask) == TlgInUINT64 ? \
		(encoding) - TlgInUINT64 + TlgInDOUBLE : (encoding)) & 0x7f)
#define EVNT_EH_OUT_(encoding, format) \
	(((encoding) & EVNT_EH_NUMBER) != 0 ? \
		((format) == event_field_format_hex_bytes ? TlgOutHEX : \
		 (format) == event_field_format_string_utf ? TlgOutSTRING : \
		 (format) & 0x7f) : \
	 ((encoding) & _TlgInTypeMask) == TlgInUINT16 ? TlgOutSTRING : \
	 ((encoding) & _TlgInTypeMask) == TlgInANSISTRING || \
	 ((encoding) & _TlgInTypeMask) == TlgInCOUNTEDANSISTRING ? \
		((format) == event_field_format_default ? TlgOutUTF8 : \
		 (format) & 0x7f) : \
	 ((encoding) & _TlgInTypeMask) == TlgInUNICODESTRING && \
	 ((format) == event_field_format_string_xml || \
	  (format) == event_field_format_string_json) ? \
		(format) & 0x7f : 0)
/* Refuse arrays of arrays, and strings without a count if they have data */
#define EVNT_EH_IS_VALID(encoding, refused) \
	(((0 + (encoding)) & (refused)) == 0 && \
	 (((encoding) & EVNT_EH_ARRAY) == 0 || \
	  ((encoding) & (EVNT_EH_COUNTED | EVNT_EH_UNCOUNTED)) == 0))

#undef TraceLoggingPackedField
#define TraceLoggingPackedField(pValue, cbValue, encoding, ...) \
	EVNT_EH_PACKED(encoding, event_field_format_default, #pValue, pValue, \
		       cbValue, __VA_ARGS__)
#undef TraceLoggingPackedFieldEx
#define TraceLoggingPackedFieldEx(pValue, cbValue, encoding, format, ...) \
	EVNT_EH_PACKED(encoding, format, #pValue, pValue, cbValue, __VA_ARGS__)
#undef TraceLoggingPackedMetadata
#define TraceLoggingPackedMetadata(encoding, ...) \
	EVNT_EH_METADATA(encoding, event_field_format_default, __VA_ARGS__)
#undef TraceLoggingPackedMetadataEx
#define TraceLoggingPackedMetadataEx(encoding, format, ...) \
	EVNT_EH_METADATA(encoding, format, __VA_ARGS__)
#define EVNT_EH_PACKED(encoding, format, text, pointer, size, ...) \
	EVNT_TLG_FIELD(evnt_field, \
		       (EVNT_TLG_NAME(text, pointer, __VA_ARGS__), \
			EVNT_EH_IN(encoding, format) / \
				EVNT_EH_IS_VALID(encoding, 0), \
			EVNT_EH_OUT(encoding, format), \
			EVNT_TLG_TAG(pointer, __VA_ARGS__)), \
		       evnt_packed, (encoding, pointer, size))
#define EVNT_EH_METADATA(encoding, format, ...) \
	EVNT_TLG_SCHEMA(EVNT_FIRST(__VA_ARGS__), \
			EVNT_EH_IN(encoding, format) / \
				EVNT_EH_IS_VALID(encoding, EVNT_EH_UNCOUNTED), \
			EVNT_EH_OUT(encoding, format), \
			EVNT_TLG_TAG(0, __VA_ARGS__))
#define EVNT_TLG_BLOCKS_evnt_packed(encoding, pointer, size) \
	+ (((encoding) & EVNT_EH_UNCOUNTED) != 0 ? 2 : 1)
#define EVNT_TLG_DATA_evnt_packed(n, encoding, pointer, size) \
	const ULONG tlg_size_##n = (ULONG)(size); \
	const USHORT tlg_count_##n = evnt_tlg_bytes(tlg_size_##n / 4, 1); \
	if (((encoding) & EVNT_EH_UNCOUNTED) != 0) \
		evnt_tlg_put(&tlg_next_, &tlg_count_##n, \
			     sizeof(tlg_count_##n)); \
	evnt_tlg_put(&tlg_next_, (pointer), tlg_size_##n);

/* A long is as long as the system's */
#undef EVNT_TLG_Long
#define EVNT_TLG_Long long, TlgInINTPTR, TlgOutNULL
#undef EVNT_TLG_ULong
#define EVNT_TLG_ULong unsigned long, TlgInUINTPTR, TlgOutNULL
#undef EVNT_TLG_HexLong
#define EVNT_TLG_HexLong long, TlgInPOINTER, TlgOutNULL
#undef EVNT_TLG_HexULong
#define EVNT_TLG_HexULong unsigned long, TlgInPOINTER, TlgOutNULL

#if __SIZEOF_WCHAR_T__ == 4
#undef EVNT_TLG_WChar
#define EVNT_TLG_WChar wchar_t, TlgInHEXINT32, TlgOutNULL
#undef TraceLoggingWideString
#define TraceLoggingWideString(...) \
	EVNT_TLG_ONE(evnt_string32, EVNT_EH_WideString, #__VA_ARGS__, \
		     __VA_ARGS__)
#define EVNT_EH_WideString \
	wchar_t, TlgInHEXINT32 | _TlgInVcount, TlgOutNULL
#undef TraceLoggingCountedWideString
#define TraceLoggingCountedWideString(pchValue, ...) \
	EVNT_TLG_ARRAY(EVNT_TLG_WChar, #pchValue, pchValue, __VA_ARGS__)
#endif

/* 16 bytes in the order of RFC 4122, as a GUID */
static inline GUID evnt_eh_guid(const void *bytes)
{
	const UCHAR *p = (const UCHAR *)bytes;
	GUID guid;

	guid.Data1 = (DWORD)p[0] << 24 | (DWORD)p[1] << 16 |
		     (DWORD)p[2] << 8 | p[3];
	guid.Data2 = (USHORT)(p[4] << 8 | p[5]);
	guid.Data3 = (USHORT)(p[6] << 8 | p[7]);
	memcpy(guid.Data4, p + 8, sizeof(guid.Data4));
	return guid;
}

static inline const GUID *evnt_eh_id(GUID *to, const void *bytes)
{
	if (!bytes)
		return NULL;
	*to = evnt_eh_guid(bytes);
	return to;
}

#undef TraceLoggingGuid
#define TraceLoggingGuid(...) \
	EVNT_TLG_ONE(evnt_uuid, EVNT_TLG_Guid, #__VA_ARGS__, __VA_ARGS__)
#define EVNT_TLG_BLOCKS_evnt_uuid(...)	+ 1
#define EVNT_TLG_DATA_evnt_uuid(n, type, pointer) \
	const GUID tlg_value_##n = evnt_eh_guid(pointer); \
	evnt_tlg_put(&tlg_next_, &tlg_value_##n, sizeof(tlg_value_##n));

#undef TraceLoggingWriteActivity
#define TraceLoggingWriteActivity(hProvider, eventName, pActivityId, ...) \
do { \
	GUID tlg_ids_[2]; \
	EVNT_TLG_WRITE(hProvider, evnt_eh_id(&tlg_ids_[0], pActivityId), \
		       evnt_eh_id(&tlg_ids_[1], EVNT_FIRST(__VA_ARGS__)), \
		       eventName, __VA_ARGS__); \
} while (0)

#endif /* EVNT_EVENTHEADER_TRACELOGGINGPROVIDER_H */
