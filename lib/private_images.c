// SPDX-License-Identifier: MIT
/*
 * The images of the process, told to private sessions that get call stacks from it:
 * the same events that the module writes, before the first event that needs them.
 *
 * Each session has a table of what it was told.  An event with an address in its
 * stack that is in no image of the table waits until the process was looked at again,
 * and what is new was told.  A library that has taken the place of another one between
 * two events is missed.
 *
 * It is the thread that writes the event who does that, in whatever context: no
 * memory is allocated but by mmap(), and signals wait as long as the lock is held.
 * A table is read without a lock, by readers; see grace.h.  One that was replaced is
 * unmapped by the session's thread, when they have left.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

#include "cancel.h"
#include "file_text.h"
#include "grace.h"
#include "maps.h"
#include "private.h"

/**
 * struct image - a part of a file that may be executed; or of no file
 * @base: where
 * @size: how long it is
 * @offset: where it begins in the file
 * @inode: number of the file, or 0
 * @told: the session was told of it
 */
struct image {
	u64 base;
	u64 size;
	u64 offset;
	u64 inode;
	bool told;
};

/**
 * struct evnt_images - what a session was told of
 * @next: of those that are not used any more
 * @len: bytes that are mapped
 * @room: for how many there is
 * @count: how many
 * @complete: it was told of all
 * @image: they, by address
 */
struct evnt_images {
	struct evnt_images *next;
	size_t len;
	u32 room;
	u32 count;
	bool complete;
	struct image image[];
};

/* That others may map while one looks */
#define SOME_MORE	8u

/* What is needed for a while */
struct scratch {
	struct evnt_maps maps;
	struct evnt_elf_scratch file;
	struct evntprov_image fixed;
	char text[EVNT_FILE_TEXT_MAX];
};

_Static_assert(offsetof(struct scratch, text) ==
	       offsetof(struct scratch, fixed) + sizeof(struct evntprov_image),
	       "what is told is in one piece");

static void *map_memory(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static struct evnt_images *create(u32 room)
{
	size_t len = sizeof(struct evnt_images) + room * sizeof(struct image);
	struct evnt_images *images = map_memory(len);

	if (images) {
		images->len = len;
		images->room = room;
	}
	return images;
}

/* The last one that begins at or before an address, or NULL */
static const struct image *find(const struct evnt_images *images, u64 address)
{
	u32 low = 0, high = images->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (images->image[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &images->image[low - 1] : NULL;
}

static bool covers(const struct evnt_images *images, u64 address)
{
	const struct image *image = find(images, address);

	return image && address - image->base < image->size;
}

/* Where an address would be remembered that is in no image */
static u64 *place_of(struct evnt_private *s, u64 address)
{
	return &s->nowhere[address % EVNT_NOWHERE];
}

/* Whether an address was looked for in vain, or is not to be looked for now */
static bool is_nowhere(struct evnt_private *s, u64 address)
{
	u32 skip;

	if (READ_ONCE(*place_of(s, address)) == address)
		return true;
	skip = READ_ONCE(s->skip);
	if (skip)
		WRITE_ONCE(s->skip, skip - 1);
	return skip;
}

/**
 * evnt_private_images_are_due() - whether a session is to be told of images first
 * @s: the session
 * @stack: the call stack that it gets
 * @frames: how many it has
 *
 * By a reader.
 */
bool evnt_private_images_are_due(struct evnt_private *s,
				 const struct evnt_stack *stack, u32 frames)
{
	/* (C) What it was told of was written before: pairs with replace() */
	const struct evnt_images *images =
		__atomic_load_n(&s->images, __ATOMIC_SEQ_CST);
	u32 i;

	if (!images || !images->complete)
		return true;
	for (i = 0; i < frames; i++) {
		if (!covers(images, stack->frame[i]) &&
		    !is_nowhere(s, stack->frame[i]))
			return true;
	}
	return false;
}

/* Of the images as they are now, what the session was told of before */
static bool was_told(const struct evnt_images *old, const struct image *image)
{
	const struct image *was = old ? find(old, image->base) : NULL;

	return was && was->told && was->base == image->base &&
	       was->size == image->size && was->offset == image->offset &&
	       was->inode == image->inode;
}

static void tell(struct evnt_private *s, struct image *image, const char *path,
		 struct scratch *scratch)
{
	struct evnt_event e;
	u32 len;
	int err;

	scratch->fixed = (struct evntprov_image) {
		.base = image->base,
		.size = image->size,
		.offset = image->offset,
		.start_key = s->who.start_key,
	};
	len = sizeof(scratch->fixed) +
	      evnt_file_describe(&scratch->file, path, image->inode,
				 scratch->text);
	evnt_own_describe(&e, &evnt_image_event, len);
	evnt_private_describe_writer(&e);
	err = evnt_private_own_write(s, &evnt_image_event, &e, &scratch->fixed);
	if (err == -EMSGSIZE)
		evnt_private_own_lost(s, err);
	image->told = err != -ENOBUFS;
}

/* How many images there are; 0 when that cannot be known */
static u32 count_images(struct scratch *scratch)
{
	struct evnt_map map;
	u32 count = 0;

	if (!evnt_maps_open(&scratch->maps))
		return 0;
	while (evnt_maps_next(&scratch->maps, &map))
		count += map.executable;
	evnt_maps_close(&scratch->maps);
	return count;
}

/* Look at an image, and tell the session of it; whether it was told just now */
static bool look_at(struct evnt_private *s, const struct evnt_images *old,
		    struct evnt_images *new, const struct evnt_map *map,
		    struct scratch *scratch)
{
	struct image *image = &new->image[new->count++];
	bool is_new;

	*image = (struct image) {
		.base = map->base, .size = map->size,
		.offset = map->offset, .inode = map->inode,
	};
	is_new = map->inode && !was_told(old, image);
	image->told = true;
	if (is_new)
		tell(s, image, map->path, scratch);
	new->complete &= image->told;
	return is_new;
}

/* Look at the process, and tell the session of what it does not know; of how much */
static u32 look(struct evnt_private *s, const struct evnt_images *old,
		struct evnt_images *new, struct scratch *scratch)
{
	struct evnt_map map;
	u32 told = 0;

	if (!evnt_maps_open(&scratch->maps))
		return 0;
	new->complete = true;
	while (evnt_maps_next(&scratch->maps, &map)) {
		if (!map.executable)
			continue;
		/* Another thread has mapped more meanwhile: with a later event */
		if (new->count == new->room) {
			new->complete = false;
			break;
		}
		told += look_at(s, old, new, &map, scratch);
	}
	evnt_maps_close(&scratch->maps);
	return told;
}

/* images_lock: no reader sees it from now on, but for those who do already */
static void retire(struct evnt_private *s, struct evnt_images *images)
{
	if (!images)
		return;
	images->next = s->retired;
	WRITE_ONCE(s->retired, images);
}

/* Put a new table in the place of the old one; images_lock */
static void replace(struct evnt_private *s, struct evnt_images *images)
{
	/* (C), and (A) of grace.h */
	retire(s, __atomic_exchange_n(&s->images, images, __ATOMIC_SEQ_CST));
}

/* Remember what is in no image */
static void note_nowhere(struct evnt_private *s,
			 const struct evnt_images *images,
			 const struct evnt_stack *stack, u32 frames)
{
	u32 i;

	for (i = 0; i < frames; i++) {
		if (!covers(images, stack->frame[i]))
			WRITE_ONCE(*place_of(s, stack->frame[i]),
				   stack->frame[i]);
	}
}

/*
 * Where there was nothing new, the addresses are of nothing: a program without frame
 * pointers has many of these, so the next ones are looked for ever less often.
 */
static void note_result(struct evnt_private *s, u32 told)
{
	s->vain = told ? 0 : min(s->vain + 1, EVNT_MAX_VAIN);
	WRITE_ONCE(s->skip, (1u << s->vain) - 1);
}

/* images_lock */
static void tell_all(struct evnt_private *s, const struct evnt_stack *stack,
		     u32 frames, struct scratch *scratch)
{
	struct evnt_images *new;
	u32 count, told;

	count = count_images(scratch);
	new = count ? create(count + SOME_MORE) : NULL;
	if (!new)
		return;
	told = look(s, s->images, new, scratch);
	note_nowhere(s, new, stack, frames);
	note_result(s, told);
	replace(s, new);
}

static void lock_images(struct evnt_private *s, sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, old);
	pthread_mutex_lock(&s->images_lock);
}

static void unlock_images(struct evnt_private *s, const sigset_t *old)
{
	pthread_mutex_unlock(&s->images_lock);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

/**
 * evnt_private_images_tell() - tell a session of the images of the process
 * @s: the session
 * @stack: the call stack that needs them
 * @frames: how many it has
 *
 * By a reader.  What cannot be told for want of memory, or of a free buffer, is told
 * before a later event.
 */
void evnt_private_images_tell(struct evnt_private *s,
			      const struct evnt_stack *stack, u32 frames)
{
	EVNT_UNCANCELLED;
	int saved = errno;
	struct scratch *scratch = map_memory(sizeof(*scratch));
	sigset_t old;

	if (scratch) {
		lock_images(s, &old);
		/* Unless another thread did so meanwhile */
		if (evnt_private_images_are_due(s, stack, frames))
			tell_all(s, stack, frames, scratch);
		unlock_images(s, &old);
		munmap(scratch, sizeof(*scratch));
	}
	errno = saved;
}

/* All is to be told again: another log comes, or what was told gives way */
void evnt_private_images_renew(struct evnt_private *s)
{
	sigset_t old;

	lock_images(s, &old);
	replace(s, NULL);
	unlock_images(s, &old);
}

static void unmap_all(struct evnt_images *images)
{
	struct evnt_images *next;

	for (; images; images = next) {
		next = images->next;
		munmap(images, images->len);
	}
}

/* Unmap what is not used any more; by no reader */
void evnt_private_images_clean(struct evnt_private *s)
{
	struct evnt_images *retired;
	sigset_t old;

	if (!READ_ONCE(s->retired))
		return;
	lock_images(s, &old);
	retired = s->retired;
	WRITE_ONCE(s->retired, NULL);
	unlock_images(s, &old);
	if (evnt_grace_wait())
		unmap_all(retired);
}

/* Nobody has the session any more */
void evnt_private_images_destroy(struct evnt_private *s)
{
	retire(s, s->images);
	s->images = NULL;
	unmap_all(s->retired);
	pthread_mutex_destroy(&s->images_lock);
}
