/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A TraceLogging event with a field of each kind that both the kernel and
 * programs can write, so that their records can be compared.
 */
#ifndef EVNT_TEST_KERNEL_TYPED_H
#define EVNT_TEST_KERNEL_TYPED_H

/* Name and id of the provider; the one in the program has another id */
#define TYPED_NAME	"Evntprov-Typed"
#define TYPED_ID(n)	(0x746e7665, 0, 0, 0, 0, 0, 0, n, 0, 0, 0)
#define TYPED_KERNEL	77
#define TYPED_PROGRAM	78

#define WRITE_TYPED(provider, number, text)				\
	TraceLoggingWrite(provider, "Typed",				\
		TraceLoggingLevel(WINEVENT_LEVEL_INFO),			\
		TraceLoggingKeyword(0x3),				\
		TraceLoggingOpcode(WINEVENT_OPCODE_START),		\
		TraceLoggingUInt8((number) & 0xff, "byte"),		\
		TraceLoggingInt16(-(number), "short", "of 16 bits", 0x81), \
		TraceLoggingUInt32(number, "word"),			\
		TraceLoggingHexUInt64((number) * 0x100000001ull, "hex"), \
		TraceLoggingBoolean((number) != 0, "flag"),		\
		TraceLoggingPid(number, "pid"),				\
		TraceLoggingStruct(2, "pair"),				\
			TraceLoggingString(text, "text"),		\
			TraceLoggingCountedUtf8String(text, 3, "cut"),	\
		TraceLoggingBinary(text, 4, "bytes"),			\
		TraceLoggingUInt8Array((const UINT8 *)(text), 5, "array"), \
		TraceLoggingValue((int)(number), "value"))

#endif /* EVNT_TEST_KERNEL_TYPED_H */
