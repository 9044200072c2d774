// SPDX-License-Identifier: MIT
/*
 * Objects that every manifest may use without declaring them.
 */
#include "tdh/winmeta.h"

static const struct builtin items[] = {
	{ ITEM_LEVEL, "win:LogAlways", 0, "Log Always" },
	{ ITEM_LEVEL, "win:Critical", 1, "Critical" },
	{ ITEM_LEVEL, "win:Error", 2, "Error" },
	{ ITEM_LEVEL, "win:Warning", 3, "Warning" },
	{ ITEM_LEVEL, "win:Informational", 4, "Information" },
	{ ITEM_LEVEL, "win:Verbose", 5, "Verbose" },
	{ ITEM_LEVEL, "win:ReservedLevel6", 6, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel7", 7, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel8", 8, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel9", 9, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel10", 10, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel11", 11, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel12", 12, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel13", 13, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel14", 14, NULL },
	{ ITEM_LEVEL, "win:ReservedLevel15", 15, NULL },
	{ ITEM_TASK, "win:None", 0, "None" },
	{ ITEM_OPCODE, "win:Info", 0, "Info" },
	{ ITEM_OPCODE, "win:Start", 1, "Start" },
	{ ITEM_OPCODE, "win:Stop", 2, "Stop" },
	{ ITEM_OPCODE, "win:DC_Start", 3, "DCStart" },
	{ ITEM_OPCODE, "win:DC_Stop", 4, "DCStop" },
	{ ITEM_OPCODE, "win:Extension", 5, "Extension" },
	{ ITEM_OPCODE, "win:Reply", 6, "Reply" },
	{ ITEM_OPCODE, "win:Resume", 7, "Resume" },
	{ ITEM_OPCODE, "win:Suspend", 8, "Suspend" },
	{ ITEM_OPCODE, "win:Send", 9, "Send" },
	{ ITEM_OPCODE, "win:Receive", 240, "Receive" },
	{ ITEM_OPCODE, "win:ReservedOpcode241", 241, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode242", 242, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode243", 243, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode244", 244, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode245", 245, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode246", 246, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode247", 247, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode248", 248, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode249", 249, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode250", 250, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode251", 251, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode252", 252, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode253", 253, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode254", 254, NULL },
	{ ITEM_OPCODE, "win:ReservedOpcode255", 255, NULL },
	{ ITEM_KEYWORD, "win:AnyKeyword", 0, NULL },
	{ ITEM_KEYWORD, "win:ResponseTime", 1ull << 48, "Response Time" },
	{ ITEM_KEYWORD, "win:WDIContext", 1ull << 49, "WDI Context" },
	{ ITEM_KEYWORD, "win:WDIDiag", 1ull << 50, "WDI Diag" },
	{ ITEM_KEYWORD, "win:SQM", 1ull << 51, "SQM" },
	{ ITEM_KEYWORD, "win:AuditFailure", 1ull << 52, "Audit Failure" },
	{ ITEM_KEYWORD, "win:AuditSuccess", 1ull << 53, "Audit Success" },
	{ ITEM_KEYWORD, "win:CorrelationHint", 1ull << 54,
	  "Correlation Hint" },
	{ ITEM_KEYWORD, "win:EventlogClassic", 1ull << 55, "Classic" },
	{ ITEM_KEYWORD, "win:ReservedKeyword56", 1ull << 56, NULL },
	{ ITEM_KEYWORD, "win:ReservedKeyword57", 1ull << 57, NULL },
	{ ITEM_KEYWORD, "win:ReservedKeyword58", 1ull << 58, NULL },
	{ ITEM_KEYWORD, "win:ReservedKeyword59", 1ull << 59, NULL },
	{ ITEM_KEYWORD, "win:ReservedKeyword60", 1ull << 60, NULL },
	{ ITEM_KEYWORD, "win:ReservedKeyword61", 1ull << 61, NULL },
	{ ITEM_KEYWORD, "win:ReservedKeyword62", 1ull << 62, NULL },
	{ ITEM_KEYWORD, "win:ReservedKeyword63", 1ull << 63, NULL },
	{ ITEM_CHANNEL, "TraceClassic", 0, "TraceClassic" },
	{ ITEM_CHANNEL, "System", 8, "System" },
	{ ITEM_CHANNEL, "Application", 9, "Application" },
	{ ITEM_CHANNEL, "Security", 10, "Security" },
	{ ITEM_CHANNEL, "TraceLogging", 11, "TraceLogging" },
	{ ITEM_CHANNEL, "ProviderMetadata", 12, "ProviderMetadata" },
};

const struct builtin *winmeta_item(enum item_kind kind, const char *name)
{
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(items); i++) {
		if (items[i].kind == kind && !strcmp(items[i].name, name))
			return &items[i];
	}
	return NULL;
}

const struct builtin *winmeta_item_by_value(enum item_kind kind, u64 value)
{
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(items); i++) {
		if (items[i].kind == kind && items[i].value == value)
			return &items[i];
	}
	return NULL;
}

static const struct field_type in_types[] = {
	{ "UnicodeString", TDH_INTYPE_UNICODESTRING, TDH_OUTTYPE_STRING },
	{ "AnsiString", TDH_INTYPE_ANSISTRING, TDH_OUTTYPE_STRING },
	{ "Int8", TDH_INTYPE_INT8, TDH_OUTTYPE_BYTE },
	{ "UInt8", TDH_INTYPE_UINT8, TDH_OUTTYPE_UNSIGNEDBYTE },
	{ "Int16", TDH_INTYPE_INT16, TDH_OUTTYPE_SHORT },
	{ "UInt16", TDH_INTYPE_UINT16, TDH_OUTTYPE_UNSIGNEDSHORT },
	{ "Int32", TDH_INTYPE_INT32, TDH_OUTTYPE_INT },
	{ "UInt32", TDH_INTYPE_UINT32, TDH_OUTTYPE_UNSIGNEDINT },
	{ "Int64", TDH_INTYPE_INT64, TDH_OUTTYPE_LONG },
	{ "UInt64", TDH_INTYPE_UINT64, TDH_OUTTYPE_UNSIGNEDLONG },
	{ "Float", TDH_INTYPE_FLOAT, TDH_OUTTYPE_FLOAT },
	{ "Double", TDH_INTYPE_DOUBLE, TDH_OUTTYPE_DOUBLE },
	{ "Boolean", TDH_INTYPE_BOOLEAN, TDH_OUTTYPE_BOOLEAN },
	{ "Binary", TDH_INTYPE_BINARY, TDH_OUTTYPE_HEXBINARY },
	{ "GUID", TDH_INTYPE_GUID, TDH_OUTTYPE_GUID },
	{ "Pointer", TDH_INTYPE_POINTER, TDH_OUTTYPE_HEXINT64 },
	{ "FILETIME", TDH_INTYPE_FILETIME, TDH_OUTTYPE_DATETIME },
	{ "SYSTEMTIME", TDH_INTYPE_SYSTEMTIME, TDH_OUTTYPE_DATETIME },
	{ "SID", TDH_INTYPE_SID, TDH_OUTTYPE_STRING },
	{ "HexInt32", TDH_INTYPE_HEXINT32, TDH_OUTTYPE_HEXINT32 },
	{ "HexInt64", TDH_INTYPE_HEXINT64, TDH_OUTTYPE_HEXINT64 },
	{ "CountedUnicodeString", TDH_INTYPE_MANIFEST_COUNTEDSTRING,
	  TDH_OUTTYPE_STRING },
	{ "CountedAnsiString", TDH_INTYPE_MANIFEST_COUNTEDANSISTRING,
	  TDH_OUTTYPE_STRING },
	{ "CountedBinary", TDH_INTYPE_MANIFEST_COUNTEDBINARY,
	  TDH_OUTTYPE_HEXBINARY },
};

static const struct field_type out_types[] = {
	{ "string", TDH_OUTTYPE_STRING, 0 },
	{ "dateTime", TDH_OUTTYPE_DATETIME, 0 },
	{ "byte", TDH_OUTTYPE_BYTE, 0 },
	{ "unsignedByte", TDH_OUTTYPE_UNSIGNEDBYTE, 0 },
	{ "short", TDH_OUTTYPE_SHORT, 0 },
	{ "unsignedShort", TDH_OUTTYPE_UNSIGNEDSHORT, 0 },
	{ "int", TDH_OUTTYPE_INT, 0 },
	{ "unsignedInt", TDH_OUTTYPE_UNSIGNEDINT, 0 },
	{ "long", TDH_OUTTYPE_LONG, 0 },
	{ "unsignedLong", TDH_OUTTYPE_UNSIGNEDLONG, 0 },
	{ "float", TDH_OUTTYPE_FLOAT, 0 },
	{ "double", TDH_OUTTYPE_DOUBLE, 0 },
	{ "boolean", TDH_OUTTYPE_BOOLEAN, 0 },
	{ "GUID", TDH_OUTTYPE_GUID, 0 },
	{ "hexBinary", TDH_OUTTYPE_HEXBINARY, 0 },
	{ "HexInt8", TDH_OUTTYPE_HEXINT8, 0 },
	{ "HexInt16", TDH_OUTTYPE_HEXINT16, 0 },
	{ "HexInt32", TDH_OUTTYPE_HEXINT32, 0 },
	{ "HexInt64", TDH_OUTTYPE_HEXINT64, 0 },
	{ "PID", TDH_OUTTYPE_PID, 0 },
	{ "TID", TDH_OUTTYPE_TID, 0 },
	{ "Port", TDH_OUTTYPE_PORT, 0 },
	{ "IPv4", TDH_OUTTYPE_IPV4, 0 },
	{ "IPv6", TDH_OUTTYPE_IPV6, 0 },
	{ "SocketAddress", TDH_OUTTYPE_SOCKETADDRESS, 0 },
	{ "CIMDateTime", TDH_OUTTYPE_CIMDATETIME, 0 },
	{ "ETWTIME", TDH_OUTTYPE_ETWTIME, 0 },
	{ "Xml", TDH_OUTTYPE_XML, 0 },
	{ "ErrorCode", TDH_OUTTYPE_ERRORCODE, 0 },
	{ "Win32Error", TDH_OUTTYPE_WIN32ERROR, 0 },
	{ "NTSTATUS", TDH_OUTTYPE_NTSTATUS, 0 },
	{ "HResult", TDH_OUTTYPE_HRESULT, 0 },
	{ "DateTimeCultureInsensitive",
	  TDH_OUTTYPE_CULTURE_INSENSITIVE_DATETIME, 0 },
	{ "Json", TDH_OUTTYPE_JSON, 0 },
	{ "Utf8", TDH_OUTTYPE_UTF8, 0 },
	{ "Pkcs7WithTypeInfo", TDH_OUTTYPE_PKCS7_WITH_TYPE_INFO, 0 },
	{ "CodePointer", TDH_OUTTYPE_CODE_POINTER, 0 },
	{ "DateTimeUtc", TDH_OUTTYPE_DATETIME_UTC, 0 },
};

static const struct field_type *find_type(const struct field_type *types,
					  size_t count, const char *name)
{
	const char *colon = strchr(name, ':');

	if (colon)
		name = colon + 1;
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(types[i].name, name))
			return &types[i];
	}
	return NULL;
}

const struct field_type *winmeta_in_type(const char *name)
{
	return find_type(in_types, EVNT_ARRAY_SIZE(in_types), name);
}

const struct field_type *winmeta_out_type(const char *name)
{
	return find_type(out_types, EVNT_ARRAY_SIZE(out_types), name);
}

static const char *text_of(enum item_kind kind, u8 value)
{
	for (size_t i = 0; i < EVNT_ARRAY_SIZE(items); i++) {
		if (items[i].kind == kind && items[i].value == value)
			return value ? items[i].text : NULL;
	}
	return NULL;
}

const char *winmeta_level_text(u8 level)
{
	return text_of(ITEM_LEVEL, level);
}

const char *winmeta_opcode_text(u8 opcode)
{
	return text_of(ITEM_OPCODE, opcode);
}
