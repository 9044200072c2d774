/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * User-space equivalents of the kernel definitions that the core uses: see
 * port.h.
 */
#ifndef EVNT_USER_H
#define EVNT_USER_H

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

typedef struct { s64 counter; } atomic64_t;
typedef struct { s32 counter; } atomic_t;
typedef atomic64_t local64_t;

#define __aligned(n)		__attribute__((aligned(n)))
#define ____cacheline_aligned	__aligned(64)
#define S64_MAX			INT64_MAX
#define BIT_ULL(n)		(1ULL << (n))
#define BITS_PER_LONG		(8 * (int)sizeof(long))
#define BITS_TO_LONGS(n)	(((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define ALIGN(x, a)		(((x) + (a) - 1) & ~((__typeof__(x))(a) - 1))
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define likely(x)		__builtin_expect(!!(x), 1)
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define smp_store_release(p, v)	__atomic_store_n(p, v, __ATOMIC_RELEASE)
#define min(a, b) \
	({ __typeof__(a) a_ = (a), b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) \
	({ __typeof__(a) a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })
#define sort(base, n, size, compare, swap) qsort(base, n, size, compare)

static inline s64 atomic64_read(const atomic64_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline s64 atomic64_read_acquire(const atomic64_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE);
}

static inline void atomic64_set(atomic64_t *v, s64 i)
{
	__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED);
}

static inline void atomic64_set_release(atomic64_t *v, s64 i)
{
	__atomic_store_n(&v->counter, i, __ATOMIC_RELEASE);
}

static inline bool atomic64_try_cmpxchg(atomic64_t *v, s64 *old, s64 new)
{
	return __atomic_compare_exchange_n(&v->counter, old, new, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static inline s64 atomic64_fetch_sub(s64 i, atomic64_t *v)
{
	return __atomic_fetch_sub(&v->counter, i, __ATOMIC_SEQ_CST);
}

static inline s64 atomic64_inc_return(atomic64_t *v)
{
	return __atomic_add_fetch(&v->counter, 1, __ATOMIC_SEQ_CST);
}

static inline s32 atomic_read(const atomic_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline bool atomic_try_cmpxchg(atomic_t *v, s32 *old, s32 new)
{
	return __atomic_compare_exchange_n(&v->counter, old, new, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static inline s64 atomic64_xchg(atomic64_t *v, s64 i)
{
	return __atomic_exchange_n(&v->counter, i, __ATOMIC_SEQ_CST);
}

static inline s32 atomic_xchg(atomic_t *v, s32 i)
{
	return __atomic_exchange_n(&v->counter, i, __ATOMIC_SEQ_CST);
}

static inline s64 local64_read(const local64_t *v)
{
	return atomic64_read(v);
}

static inline void local64_inc(local64_t *v)
{
	__atomic_fetch_add(&v->counter, 1, __ATOMIC_RELAXED);
}

static inline void set_bit(u32 nr, unsigned long *map)
{
	__atomic_fetch_or(&map[nr / BITS_PER_LONG],
			  1UL << nr % BITS_PER_LONG, __ATOMIC_SEQ_CST);
}

static inline bool test_and_clear_bit(u32 nr, unsigned long *map)
{
	unsigned long bit = 1UL << nr % BITS_PER_LONG;

	return __atomic_fetch_and(&map[nr / BITS_PER_LONG], ~bit,
				  __ATOMIC_SEQ_CST) & bit;
}

static inline unsigned long __ffs(unsigned long word)
{
	return __builtin_ctzl(word);
}

static inline unsigned int hweight_long(unsigned long word)
{
	return __builtin_popcountl(word);
}

/* The callers document what each barrier orders */
static inline void smp_mb(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void smp_mb__before_atomic(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static inline void *evnt_alloc(size_t size)
{
	void *p = aligned_alloc(64, ALIGN(size, (size_t)64));

	return p ? memset(p, 0, size) : NULL;
}

static inline void *evnt_alloc_pages(size_t size, u32 cpu)
{
	void *p = aligned_alloc(4096, ALIGN(size, (size_t)4096));

	(void)cpu;
	return p ? memset(p, 0, size) : NULL;
}

static inline void evnt_free(void *p)
{
	free(p);
}

static inline void evnt_free_pages(void *p)
{
	free(p);
}

static inline bool evnt_cpu_online(u32 cpu)
{
	(void)cpu;
	return true;
}

static inline u16 get_unaligned_le16(const void *p)
{
	const u8 *b = p;

	return b[0] | b[1] << 8;
}

static inline u32 get_unaligned_le32(const void *p)
{
	return get_unaligned_le16(p) |
	       (u32)get_unaligned_le16((const u8 *)p + 2) << 16;
}

static inline u64 get_unaligned_le64(const void *p)
{
	return get_unaligned_le32(p) |
	       (u64)get_unaligned_le32((const u8 *)p + 4) << 32;
}

/* No automatic initialisation of locals to suppress in user space */
#define __uninitialized

static inline s64 evnt_clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static inline s64 evnt_boot_ns(void)
{
	return evnt_clock_ns(CLOCK_BOOTTIME);
}

static inline s64 evnt_real_ns(void)
{
	return evnt_clock_ns(CLOCK_REALTIME);
}

#endif /* EVNT_USER_H */
