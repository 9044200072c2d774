// SPDX-License-Identifier: GPL-2.0
/*
 * Memory for a program's arguments: good, cut off at the end of a page,
 * read-only, absent, at invalid addresses, or vanishing while it is read.  All
 * of it is below 4 GiB, for calls of 32-bit programs.
 */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#define PAGE		4096u
#define ARENA_SIZE	(64 * PAGE)
#define VANISHING_SIZE	(4 * PAGE)

static uint8_t *arena;		/* followed by an absent page */
static size_t used;
static uint8_t *read_only;
static uint8_t *vanishing;

static void *map(size_t len, int prot)
{
	return mmap(NULL, len, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
		    -1, 0);
}

static void *take_pages_away(void *unused)
{
	(void)unused;
	for (;;) {
		madvise(vanishing, VANISHING_SIZE, MADV_DONTNEED);
		mprotect(vanishing + PAGE, PAGE, PROT_NONE);
		usleep(20000);
		mprotect(vanishing + PAGE, PAGE, PROT_READ | PROT_WRITE);
		usleep(20000);
	}
	return NULL;
}

/* Call in each process that runs programs, as threads do not survive fork() */
void memory_setup(void)
{
	pthread_t thread;

	arena = map(ARENA_SIZE + PAGE, PROT_READ | PROT_WRITE);
	mprotect(arena + ARENA_SIZE, PAGE, PROT_NONE);
	read_only = map(PAGE, PROT_READ);
	vanishing = map(VANISHING_SIZE, PROT_READ | PROT_WRITE);
	pthread_create(&thread, NULL, take_pages_away, NULL);
}

void memory_reset(void)
{
	used = 0;
}

/* Allocate good memory for an argument; freed at the program's end */
void *memory_take(size_t len)
{
	void *p;

	len = (len + 15) & ~(size_t)15;
	if (used + len > ARENA_SIZE)
		used = 0;
	p = arena + used;
	used += len;
	return p;
}

/*
 * Choose the address to pass to the kernel for @p, mostly @p itself.  Vanishing
 * memory has the contents only for a moment.
 */
uint64_t memory_at(struct reader *r, void *p, size_t len)
{
	static const uint64_t elsewhere[] = {
		0, 1, PAGE - 1, 0x7ffffffff000, 0xffffffff,
		0x8000000000000000, 0xffff888000000000, 0xffffffff81000000,
		0xffffffffff600000, 0xfffffffffffffff0, UINT64_MAX,
	};
	uint32_t cut, how = take8(r);
	void *q;

	if (how < 216)
		return (uintptr_t)p;
	if (how < 232)
		return elsewhere[take_of(r, sizeof(elsewhere) /
					 sizeof(elsewhere[0]))];
	if (how < 242) {
		/* Whole, or cut off, just before the absent page */
		cut = len < ARENA_SIZE ? len : ARENA_SIZE;
		if (cut && take_of(r, 2))
			cut -= 1 + take8(r) % cut;
		q = arena + ARENA_SIZE - cut;
		memmove(q, p, cut);
		return (uintptr_t)q;
	}
	if (how < 246)
		return (uintptr_t)read_only;
	return (uintptr_t)vanishing + take_of(r, 64) * 64;
}
