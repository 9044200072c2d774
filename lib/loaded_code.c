// SPDX-License-Identifier: MIT
/*
 * Objects that the dynamic linker has loaded: the program and its libraries.
 */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>

#include "internal.h"
#include "loaded_code.h"

struct search {
	uintptr_t address;
	const void *found;
};

static int look_at(struct dl_phdr_info *object, size_t size, void *context)
{
	const ElfW(Phdr) *ph = object->dlpi_phdr, *end = ph + object->dlpi_phnum;
	struct search *search = context;

	(void)size;
	for (; ph < end && !search->found; ph++) {
		if (ph->p_type == PT_LOAD &&
		    search->address - object->dlpi_addr - ph->p_vaddr <
		    ph->p_memsz)
			search->found = object->dlpi_phdr;
	}
	return !!search->found;
}

/**
 * evnt_loaded_code() - find the object that an address is in
 * @address: a function's
 *
 * Without a lock held, as the dynamic linker's are taken.
 *
 * Return: what differs from one object to another, as long as they are loaded; or
 * NULL for code that was made at run time.
 */
const void *evnt_loaded_code(const void *address)
{
	struct search search = { (uintptr_t)address, NULL };

	dl_iterate_phdr(look_at, &search);
	return search.found;
}
