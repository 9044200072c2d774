// SPDX-License-Identifier: MIT
/*
 * Lookup of the manifest linked into the program or one of its libraries: the
 * ELF note, created by evntmc, that describes a provider.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "core/port/port.h"
#include "lib/provider/manifest_note.h"
#include "lib/provider/registration.h"

/* At a fork: maximum time to wait for other threads' searches */
#define NAP_NS		1000000
#define MAX_WAIT_NS	1000000000

/* Compiled manifest: magic, size, version, entry count, then the entries */
#define CRIM		"CRIM"
#define CRIM_COUNT	12
#define CRIM_HEAD	16
#define CRIM_ENTRY	20

/*
 * Number of searches, which grows under evnt_lib_lock, and of those on this
 * thread, which a signal handler may have interrupted
 */
static unsigned int searching;
static __thread unsigned int searching_here;

/**
 * struct note_search - search for a provider's manifest note
 * @id: provider ID
 * @found: matching note, or NULL
 */
struct note_search {
	const GUID *id;
	const void *found;
};

static bool describes(const BYTE *data, size_t len, const GUID *id)
{
	uint32_t count;

	if (len < CRIM_HEAD || memcmp(data, CRIM, 4) != 0)
		return false;
	memcpy(&count, data + CRIM_COUNT, sizeof(count));
	if (count > (len - CRIM_HEAD) / CRIM_ENTRY)
		return false;
	for (data += CRIM_HEAD; count; count--, data += CRIM_ENTRY) {
		if (!memcmp(data, id, sizeof(*id)))
			return true;
	}
	return false;
}

static size_t align(size_t size, size_t to)
{
	return (size + to - 1) & ~(to - 1);
}

static bool is_template(const ElfW(Nhdr) *note)
{
	return note->n_type == EVNT_NOTE_TEMPLATE &&
	       note->n_namesz == sizeof(EVNT_NOTE_NAME) &&
	       !memcmp(note + 1, EVNT_NOTE_NAME, sizeof(EVNT_NOTE_NAME));
}

/* Search the notes of a PT_NOTE segment with alignment @to */
static const void *find_among(const BYTE *at, size_t len, size_t to,
			      const GUID *id)
{
	const ElfW(Nhdr) *note;
	size_t data, next;

	while (len >= sizeof(*note)) {
		note = (const void *)at;
		data = sizeof(*note) + align(note->n_namesz, to);
		next = data + align(note->n_descsz, to);
		if (data > len || note->n_descsz > len - data)
			return NULL;
		if (is_template(note) &&
		    describes(at + data, note->n_descsz, id))
			return at;
		if (next > len)
			return NULL;
		at += next;
		len -= next;
	}
	return NULL;
}

/* A PT_NOTE, if added later by a tool, may lie outside all PT_LOAD segments */
static bool is_loaded(const struct dl_phdr_info *object,
		      const ElfW(Phdr) *notes)
{
	const ElfW(Phdr) *ph = object->dlpi_phdr, *end = ph + object->dlpi_phnum;

	for (; ph < end; ph++) {
		if (ph->p_type == PT_LOAD && ph->p_flags & PF_R &&
		    notes->p_vaddr >= ph->p_vaddr &&
		    notes->p_vaddr - ph->p_vaddr <= ph->p_filesz &&
		    notes->p_filesz <= ph->p_filesz -
				       (notes->p_vaddr - ph->p_vaddr))
			return true;
	}
	return false;
}

static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
	struct note_search *search = context;
	const ElfW(Phdr) *ph = object->dlpi_phdr, *end = ph + object->dlpi_phnum;

	(void)size;
	for (; ph < end && !search->found; ph++) {
		if (ph->p_type == PT_NOTE && is_loaded(object, ph))
			search->found = find_among((const BYTE *)(uintptr_t)
						   (object->dlpi_addr +
						    ph->p_vaddr),
						   ph->p_filesz,
						   ph->p_align == 8 ? 8 : 4,
						   search->id);
	}
	return !!search->found;
}

static void search(struct note_search *search)
{
	pthread_mutex_lock(&evnt_lib_lock);
	__atomic_fetch_add(&searching, 1, __ATOMIC_RELAXED);
	searching_here++;
	pthread_mutex_unlock(&evnt_lib_lock);
	dl_iterate_phdr(look_at, search);
	searching_here--;
	__atomic_fetch_sub(&searching, 1, __ATOMIC_RELEASE);
}

/**
 * evnt_manifest_note() - find the manifest of a provider in memory
 * @id: provider ID
 *
 * Search the program first, then its libraries in load order, independently of
 * which of them registers the provider.  Called without evnt_lib_lock:
 * dl_iterate_phdr() takes a lock of the dynamic linker, whose owner may run the
 * program's code, which may register or fork.
 *
 * Return: the note, or NULL if no loaded object describes the provider.
 */
const void *evnt_manifest_note(LPCGUID id)
{
	struct note_search s = { id, NULL };

	search(&s);
	return s.found;
}

/**
 * evnt_manifest_fork_begin() - wait until no other thread searches
 *
 * A lock of the dynamic linker would stay locked in the child.  Called with
 * evnt_lib_lock, so that no thread begins a search.  The wait has a limit, as
 * the caller may have the lock of the dynamic linker.
 */
void evnt_manifest_fork_begin(void)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	const s64 begin = evnt_boot_ns();

	while (__atomic_load_n(&searching, __ATOMIC_ACQUIRE) !=
	       searching_here && evnt_boot_ns() - begin < MAX_WAIT_NS)
		nanosleep(&nap, NULL);
}

/* In the child of a fork, other threads no longer search */
void evnt_manifest_forked(void)
{
	__atomic_store_n(&searching, searching_here, __ATOMIC_RELAXED);
}
