/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inline access to short ranges of user memory, one word at a time.
 *
 * copy_from_user() is a call that also checks the destination, and calls the
 * actual copy routine.  For less than a few cache lines these calls dominate
 * its cost.  The destinations here need no check: they are on the stack, or
 * within a reservation.
 */
#ifndef EVNT_UACCESS_WORDS_H
#define EVNT_UACCESS_WORDS_H

#include <linux/fault-inject-usercopy.h>
#include <linux/uaccess.h>

#include "module/compat/compat.h"

/* user_access_begin(), with fault injection as for other user copies */
static __always_inline bool evnt_user_begin(const void __user *from, size_t len)
{
	return !should_fail_usercopy() && user_access_begin(from, len);
}

/**
 * evnt_read_words() - copy a number of words known at compile time
 * @to: destination in kernel memory
 * @from: user address
 * @words: number of words
 *
 * Faults pages in, unless page faults are disabled.
 *
 * Return: whether all words could be read.
 */
static __always_inline bool evnt_read_words(u64 *to, const u64 __user *from,
					    u32 words)
{
	u32 i;

	if (!evnt_user_begin(from, words * sizeof(*from)))
		return false;
#pragma GCC unroll 16
	for (i = 0; i < words; i++)
		unsafe_get_user(to[i], &from[i], fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

/* Copy one unit at an offset; neither address need be aligned */
#define EVNT_READ_UNIT(type, to, from, offset, label)			\
	do {								\
		size_t at__ = (offset);					\
		type unit__;						\
									\
		unsafe_get_user(unit__, (const type __user *)((from) + at__), \
				label);					\
		put_unaligned(unit__, (type *)((to) + at__));		\
	} while (0)

/**
 * evnt_read_bytes() - copy a few bytes from user memory
 * @to: destination in kernel memory
 * @from: user address
 * @len: number of bytes
 *
 * Faults pages in, unless page faults are disabled.
 *
 * Return: whether all bytes could be read.
 */
static __always_inline bool evnt_read_bytes(u8 *to, const u8 __user *from,
					    u32 len)
{
	size_t i, quads = len & ~(4 * sizeof(u64) - 1);

	if (!evnt_user_begin(from, len))
		return false;
	for (i = 0; i < quads; i += 4 * sizeof(u64)) {
		EVNT_READ_UNIT(u64, to, from, i, fault);
		EVNT_READ_UNIT(u64, to, from, i + sizeof(u64), fault);
		EVNT_READ_UNIT(u64, to, from, i + 2 * sizeof(u64), fault);
		EVNT_READ_UNIT(u64, to, from, i + 3 * sizeof(u64), fault);
	}
	if (len & 2 * sizeof(u64)) {
		EVNT_READ_UNIT(u64, to, from, i, fault);
		EVNT_READ_UNIT(u64, to, from, i + sizeof(u64), fault);
		i += 2 * sizeof(u64);
	}
	if (len & sizeof(u64)) {
		EVNT_READ_UNIT(u64, to, from, i, fault);
		i += sizeof(u64);
	}
	if (len & (sizeof(u64) - 1)) {
		if (len & sizeof(u32)) {
			EVNT_READ_UNIT(u32, to, from, i, fault);
			i += sizeof(u32);
		}
		if (len & sizeof(u16)) {
			EVNT_READ_UNIT(u16, to, from, i, fault);
			i += sizeof(u16);
		}
		if (len & sizeof(u8))
			EVNT_READ_UNIT(u8, to, from, i, fault);
	}
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

#endif /* EVNT_UACCESS_WORDS_H */
