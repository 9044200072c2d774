// SPDX-License-Identifier: MIT
/*
 * Image rundown for private sessions that record call stacks: the same events
 * that the module writes, before the first event that needs them.
 *
 * Each session has a table of the images it has recorded.  If a call stack
 * contains an address outside all images of the table, the mappings of the
 * process are scanned and new images recorded before the event is written.  A
 * library that has replaced another one at the same address between two events
 * is missed.
 *
 * This runs on the thread that writes the event, in any context, including
 * signal handlers: memory is allocated by mmap() only, and signals are blocked
 * while the lock is held.  Readers use a table without a lock, see read_section.h.  A
 * replaced table is unmapped by the session's thread once all readers have left
 * it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

#include "lib/base/cancel.h"
#include "lib/base/read_section.h"
#include "lib/private/maps.h"
#include "lib/private/private.h"

/**
 * struct private_image - an executable mapping
 * @base: start address
 * @size: length in bytes
 * @offset: offset of the mapping in the file, in bytes
 * @inode: inode number of the file; 0 for anonymous memory
 * @reported: recorded by the session, or needs no event
 */
struct private_image {
	u64 base;
	u64 size;
	u64 offset;
	u64 inode;
	bool reported;
};

/**
 * struct evnt_private_images - table of the images recorded by a session
 * @next: next retired table
 * @len: length of the table's memory in bytes
 * @room: capacity of @image
 * @count: number of images
 * @complete: all images were recorded
 * @image: images in address order
 */
struct evnt_private_images {
	struct evnt_private_images *next;
	size_t len;
	u32 room;
	u32 count;
	bool complete;
	struct private_image image[];
};

/* Spare entries for images mapped between counting and scanning */
#define SOME_MORE	8u

/* Temporary memory of a scan */
struct image_scratch {
	struct evnt_maps maps;
	struct evnt_elf_scratch file;
	struct evntprov_image fixed;
	char text[EVNT_FILE_TEXT_MAX];
};

_Static_assert(offsetof(struct image_scratch, text) ==
	       offsetof(struct image_scratch, fixed) +
	       sizeof(struct evntprov_image),
	       "what is told is in one piece");

static void *map_memory(size_t len)
{
	void *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Return the last image that begins at or before @address, or NULL */
static const struct private_image *
find(const struct evnt_private_images *images, u64 address)
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

static bool covers(const struct evnt_private_images *images, u64 address)
{
	const struct private_image *image = find(images, address);

	return image && address - image->base < image->size;
}

/* Return the cache entry for an address that is in no image */
static u64 *place_of(struct evnt_private *s, u64 address)
{
	return &s->nowhere[address % EVNT_NOWHERE];
}

/* Test whether an address is in no image, or must not cause a scan yet */
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
 * evnt_private_images_are_due() - test whether images must be recorded first
 * @s: session
 * @stack: call stack about to be recorded
 * @frames: number of frames in @stack
 *
 * Must be called between evnt_read_begin() and evnt_read_end().
 *
 * Return: true if evnt_private_image_rundown() must be called before the event
 * is written.
 */
bool evnt_private_images_are_due(struct evnt_private *s,
				 const struct evnt_stack *stack, u32 frames)
{
	/* (C) The images' events were written before: pairs with replace() */
	const struct evnt_private_images *images =
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

static void report(struct evnt_private *s, struct private_image *image,
		   const char *path, struct image_scratch *scratch)
{
	struct evnt_event e;
	u32 len;
	int err;

	scratch->fixed = (struct evntprov_image) {
		.base = image->base,
		.size = image->size,
		.offset = image->offset,
		.start_key = s->subject.start_key,
	};
	len = sizeof(scratch->fixed) +
	      evnt_mapped_file_info(&scratch->file, path, image->inode,
				    scratch->text);
	evnt_self_describe(&e, &evnt_image_event, len);
	evnt_private_describe_writer(&e);
	err = evnt_private_self_write(s, &evnt_image_event, &e,
				      &scratch->fixed);
	if (err == -EMSGSIZE)
		evnt_private_self_lost(s, err);
	image->reported = err != -ENOBUFS;
}

/* Count the executable mappings; return 0 if the mappings cannot be read */
static u32 count_images(struct image_scratch *scratch)
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

/* Add a mapping to the new table; return true if it had to be recorded */
static bool look_at(struct evnt_private *s,
		    const struct evnt_private_images *old,
		    struct evnt_private_images *new, const struct evnt_map *map,
		    struct image_scratch *scratch)
{
	const struct private_image *was = old && map->inode ?
						  find(old, map->base) : NULL;
	struct private_image *image = &new->image[new->count++];
	bool is_new;

	*image = (struct private_image) {
		.base = map->base, .size = map->size,
		.offset = map->offset, .inode = map->inode,
	};
	/* Unless the old table contains the same image, already recorded */
	is_new = map->inode &&
		 !(was && was->reported && was->base == image->base &&
		   was->size == image->size && was->offset == image->offset &&
		   was->inode == image->inode);
	image->reported = true;
	if (is_new)
		report(s, image, map->path, scratch);
	new->complete &= image->reported;
	return is_new;
}

/* Scan the mappings and record new images; return the number of new images */
static u32 look(struct evnt_private *s, const struct evnt_private_images *old,
		struct evnt_private_images *new, struct image_scratch *scratch)
{
	struct evnt_map map;
	u32 reported = 0;

	if (!evnt_maps_open(&scratch->maps))
		return 0;
	new->complete = true;
	while (evnt_maps_next(&scratch->maps, &map)) {
		if (!map.executable)
			continue;
		/* Other threads mapped more: scan again later */
		if (new->count == new->room) {
			new->complete = false;
			break;
		}
		reported += look_at(s, old, new, &map, scratch);
	}
	evnt_maps_close(&scratch->maps);
	return reported;
}

/* Queue an unpublished table, which may have readers.  images_lock. */
static void retire(struct evnt_private *s, struct evnt_private_images *images)
{
	if (!images)
		return;
	images->next = s->retired;
	WRITE_ONCE(s->retired, images);
}

/* Publish a new table, or none, and retire the old one.  images_lock. */
static void replace(struct evnt_private *s, struct evnt_private_images *images)
{
	/* Pairs with (C) above and (A) in read_section.h */
	retire(s, __atomic_exchange_n(&s->images, images, __ATOMIC_SEQ_CST));
}

/* Scan the mappings, record images, publish the table.  images_lock. */
static void report_all(struct evnt_private *s, const struct evnt_stack *stack,
		       u32 frames, struct image_scratch *scratch)
{
	struct evnt_private_images *new;
	u32 room, reported, i;
	size_t len;

	room = count_images(scratch);
	if (!room)
		return;
	room += SOME_MORE;
	len = sizeof(*new) + room * sizeof(new->image[0]);
	new = map_memory(len);
	if (!new)
		return;
	new->len = len;
	new->room = room;
	reported = look(s, s->images, new, scratch);
	/* Cache the addresses of the call stack that are in no image */
	for (i = 0; i < frames; i++) {
		if (!covers(new, stack->frame[i]))
			WRITE_ONCE(*place_of(s, stack->frame[i]),
				   stack->frame[i]);
	}
	/*
	 * After each scan in a row that found nothing new, ignore about twice
	 * as many unknown addresses before the next one: call stacks of a
	 * program without frame pointers contain many arbitrary addresses.
	 */
	s->vain = reported ? 0 : min(s->vain + 1, EVNT_MAX_VAIN);
	WRITE_ONCE(s->skip, (1u << s->vain) - 1);
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
 * evnt_private_image_rundown() - record the images of the process in a session
 * @s: session
 * @stack: call stack whose addresses need the images
 * @frames: number of frames in @stack
 *
 * Must be called between evnt_read_begin() and evnt_read_end().  Images that
 * cannot be recorded for lack of memory or of a free buffer are retried at a
 * later event.
 */
void evnt_private_image_rundown(struct evnt_private *s,
				const struct evnt_stack *stack, u32 frames)
{
	EVNT_UNCANCELLED;
	int saved = errno;
	struct image_scratch *scratch = map_memory(sizeof(*scratch));
	sigset_t old;

	if (scratch) {
		lock_images(s, &old);
		/* Another thread may have done so in the meantime */
		if (evnt_private_images_are_due(s, stack, frames))
			report_all(s, stack, frames, scratch);
		unlock_images(s, &old);
		munmap(scratch, sizeof(*scratch));
	}
	errno = saved;
}

/*
 * Have all images recorded again: a new log begins, or a circular log is about
 * to overwrite their events.
 */
void evnt_private_images_renew(struct evnt_private *s)
{
	sigset_t old;

	lock_images(s, &old);
	replace(s, NULL);
	unlock_images(s, &old);
}

static void unmap_all(struct evnt_private_images *images)
{
	struct evnt_private_images *next;

	for (; images; images = next) {
		next = images->next;
		munmap(images, images->len);
	}
}

/* Unmap retired tables; not by a reader, as it waits for all of them */
void evnt_private_images_clean(struct evnt_private *s)
{
	struct evnt_private_images *retired;
	sigset_t old;

	if (!READ_ONCE(s->retired))
		return;
	lock_images(s, &old);
	retired = s->retired;
	WRITE_ONCE(s->retired, NULL);
	unlock_images(s, &old);
	if (evnt_read_section_wait())
		unmap_all(retired);
}

/* Unmap all tables of a session that has no other references */
void evnt_private_images_destroy(struct evnt_private *s)
{
	retire(s, s->images);
	s->images = NULL;
	unmap_all(s->retired);
	pthread_mutex_destroy(&s->images_lock);
}
