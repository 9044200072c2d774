/* SPDX-License-Identifier: GPL-2.0 */
/* This program's build id, as the linker stored it. */
#ifndef EVNT_TEST_OWN_ID_H
#define EVNT_TEST_OWN_ID_H

#include <elf.h>
#include <link.h>
#include <stdio.h>

#include <linux/types.h>

static int own_id_in(struct dl_phdr_info *info, size_t size, void *context)
{
	char *text = context;
	unsigned int i, k;

	for (i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		const char *at = (const char *)info->dlpi_addr + ph->p_vaddr;
		const ElfW(Nhdr) *n = (const void *)at;

		if (ph->p_type != PT_NOTE || n->n_type != NT_GNU_BUILD_ID)
			continue;
		for (k = 0; k < n->n_descsz; k++)
			sprintf(text + 2 * k, "%02x", (__u8)at[16 + k]);
	}
	return 1;
}

/* In hexadecimal */
static inline void own_id(char *text)
{
	dl_iterate_phdr(own_id_in, text);
}

#endif /* EVNT_TEST_OWN_ID_H */
