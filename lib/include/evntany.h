/* SPDX-License-Identifier: MIT */
/*
 * TraceLoggingValue(): derivation of a field's type from its value.
 *
 * EVNT_TLG_ANY_IN(value) and EVNT_TLG_ANY_OUT(value) are constants, the layout
 * and the format; EVNT_TLG_DATA_evnt_any() collects the value.  C++ uses
 * overloads.  C uses _Generic, where char16_t cannot be distinguished from
 * unsigned short.
 */
#ifndef EVNTANY_H
#define EVNTANY_H

#ifdef __cplusplus

template <class Type, int in, int out>
struct evnt_tlg_any {
	enum { In = in, Out = out, Blocks = 1 };
	Type value;

	void put(PEVENT_DATA_DESCRIPTOR *to) const
	{
		evnt_tlg_put(to, &value, sizeof(value));
	}
};

struct evnt_tlg_any_string8 {
	enum { In = TlgInANSISTRING, Out = TlgOutNULL, Blocks = 1 };
	const char *value;

	void put(PEVENT_DATA_DESCRIPTOR *to) const
	{
		evnt_tlg_put_string8(to, value);
	}
};

struct evnt_tlg_any_string16 {
	enum { In = TlgInUNICODESTRING, Out = TlgOutNULL, Blocks = 1 };
	const void *value;

	void put(PEVENT_DATA_DESCRIPTOR *to) const
	{
		evnt_tlg_put_string16(to, value);
	}
};

struct evnt_tlg_any_string32 {
	enum { In = TlgInHEXINT32 | _TlgInVcount, Out = TlgOutNULL, Blocks = 2 };
	const char32_t *value;
	USHORT count;

	evnt_tlg_any_string32(const char32_t *text)
		: value(text), count(evnt_tlg_count32(text))
	{
	}

	void put(PEVENT_DATA_DESCRIPTOR *to) const
	{
		evnt_tlg_put(to, &count, sizeof(count));
		evnt_tlg_put(to, value, count * 4u);
	}
};

struct evnt_tlg_any_sid {
	enum { In = TlgInSID, Out = TlgOutNULL, Blocks = 1 };
	const SID *value;

	void put(PEVENT_DATA_DESCRIPTOR *to) const
	{
		evnt_tlg_put_sid(to, value);
	}
};

#define EVNT_TLG_OVERLOAD(type, in, out) \
static inline evnt_tlg_any<type, in, out> evnt_tlg_any_of(const type &value) \
{ \
	return { value }; \
}
#define EVNT_TLG_OVERLOAD_TEXT(type, kind) \
static inline kind evnt_tlg_any_of(type value) \
{ \
	return { value }; \
}

EVNT_TLG_OVERLOAD(bool, TlgInUINT8, TlgOutBOOLEAN)
EVNT_TLG_OVERLOAD(char, TlgInUINT8, TlgOutSTRING)
EVNT_TLG_OVERLOAD(char16_t, TlgInUINT16, TlgOutSTRING)
EVNT_TLG_OVERLOAD(char32_t, TlgInHEXINT32, TlgOutNULL)
EVNT_TLG_OVERLOAD(signed char, TlgInINT8, TlgOutNULL)
EVNT_TLG_OVERLOAD(unsigned char, TlgInUINT8, TlgOutNULL)
EVNT_TLG_OVERLOAD(short, TlgInINT16, TlgOutNULL)
EVNT_TLG_OVERLOAD(unsigned short, TlgInUINT16, TlgOutNULL)
EVNT_TLG_OVERLOAD(int, TlgInINT32, TlgOutNULL)
EVNT_TLG_OVERLOAD(unsigned int, TlgInUINT32, TlgOutNULL)
EVNT_TLG_OVERLOAD(long, TlgInINTPTR, TlgOutNULL)
EVNT_TLG_OVERLOAD(unsigned long, TlgInUINTPTR, TlgOutNULL)
EVNT_TLG_OVERLOAD(long long, TlgInINT64, TlgOutNULL)
EVNT_TLG_OVERLOAD(unsigned long long, TlgInUINT64, TlgOutNULL)
EVNT_TLG_OVERLOAD(float, TlgInFLOAT, TlgOutNULL)
EVNT_TLG_OVERLOAD(double, TlgInDOUBLE, TlgOutNULL)
EVNT_TLG_OVERLOAD(GUID, TlgInGUID, TlgOutNULL)
EVNT_TLG_OVERLOAD(FILETIME, TlgInFILETIME, TlgOutNULL)
EVNT_TLG_OVERLOAD(SYSTEMTIME, TlgInSYSTEMTIME, TlgOutNULL)
EVNT_TLG_OVERLOAD_TEXT(const char *, evnt_tlg_any_string8)
EVNT_TLG_OVERLOAD_TEXT(const char16_t *, evnt_tlg_any_string16)
EVNT_TLG_OVERLOAD_TEXT(const char32_t *, evnt_tlg_any_string32)
EVNT_TLG_OVERLOAD_TEXT(const SID *, evnt_tlg_any_sid)
typedef evnt_tlg_any<const void *, TlgInPOINTER, TlgOutNULL> evnt_tlg_pointer;
EVNT_TLG_OVERLOAD_TEXT(const void *, evnt_tlg_pointer)
#if __SIZEOF_WCHAR_T__ == 2
EVNT_TLG_OVERLOAD(wchar_t, TlgInUINT16, TlgOutSTRING)
EVNT_TLG_OVERLOAD_TEXT(const wchar_t *, evnt_tlg_any_string16)
#else
/* wchar_t is not UTF-16 here */
void evnt_tlg_any_of(wchar_t) = delete;
void evnt_tlg_any_of(const wchar_t *) = delete;
#endif

#define EVNT_TLG_ANY_IN(any)	(decltype(evnt_tlg_any_of(any))::In)
#define EVNT_TLG_ANY_OUT(any)	(decltype(evnt_tlg_any_of(any))::Out)
#define EVNT_TLG_ANY_BLOCKS(any) (decltype(evnt_tlg_any_of(any))::Blocks)
#define EVNT_TLG_DATA_evnt_any(n, type, any) \
	const auto tlg_value_##n = evnt_tlg_any_of(any); \
	tlg_value_##n.put(&tlg_next_);

#else

#define EVNT_TLG_ANY_IN(any) _Generic((any), \
	_Bool: TlgInUINT8, char: TlgInUINT8, \
	signed char: TlgInINT8, unsigned char: TlgInUINT8, \
	short: TlgInINT16, unsigned short: TlgInUINT16, \
	int: TlgInINT32, unsigned int: TlgInUINT32, \
	long: TlgInINTPTR, unsigned long: TlgInUINTPTR, \
	long long: TlgInINT64, unsigned long long: TlgInUINT64, \
	float: TlgInFLOAT, double: TlgInDOUBLE, \
	char *: TlgInANSISTRING, const char *: TlgInANSISTRING, \
	unsigned short *: TlgInUNICODESTRING, \
	const unsigned short *: TlgInUNICODESTRING, \
	GUID: TlgInGUID, FILETIME: TlgInFILETIME, \
	SYSTEMTIME: TlgInSYSTEMTIME, \
	SID *: TlgInSID, const SID *: TlgInSID, \
	default: TlgInPOINTER)
#define EVNT_TLG_ANY_OUT(any) _Generic((any), \
	_Bool: TlgOutBOOLEAN, char: TlgOutSTRING, default: TlgOutNULL)
#define EVNT_TLG_ANY_BLOCKS(any)	1
/* The comma operator converts an array to a pointer */
#define EVNT_TLG_DATA_evnt_any(n, type, any) \
	const __typeof__(((void)0, (any))) tlg_value_##n = (any); \
	evnt_tlg_put_any(&tlg_next_, &tlg_value_##n, sizeof(tlg_value_##n), \
			 EVNT_TLG_ANY_IN(any));

static inline void evnt_tlg_put_any(PEVENT_DATA_DESCRIPTOR *to,
				    const void *value, ULONG size, int in)
{
	const void *pointer = NULL;

	memcpy(&pointer, value, size < sizeof(pointer) ? size : sizeof(pointer));
	switch (in) {
	case TlgInANSISTRING:
		evnt_tlg_put_string8(to, (const char *)pointer);
		break;
	case TlgInUNICODESTRING:
		evnt_tlg_put_string16(to, pointer);
		break;
	case TlgInSID:
		evnt_tlg_put_sid(to, pointer);
		break;
	default:
		evnt_tlg_put(to, value, size);
	}
}

#endif

#endif /* EVNTANY_H */
