// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that the core needs from its environment, in the kernel.
 */
#include <linux/gfp.h>
#include <linux/topology.h>

#include "core/port/port.h"

static void free_pages_of(struct page **pages, size_t count)
{
	while (count--)
		__free_page(pages[count]);
	kvfree(pages);
}

/* Allocate @count pages, preferably on a node; or return NULL */
static struct page **alloc_pages_of(size_t count, int node)
{
	const gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_NOWARN;
	struct page **pages = kvmalloc_array(count, sizeof(*pages), gfp);
	size_t i;

	for (i = 0; pages && i < count; i++) {
		pages[i] = alloc_pages_node(node, gfp | __GFP_ZERO, 0);
		if (!pages[i]) {
			free_pages_of(pages, i);
			return NULL;
		}
	}
	return pages;
}

/**
 * evnt_alloc_pages() - allocate zeroed whole pages, which may be mapped
 * @size: size in bytes
 * @cpu: CPU whose node is preferred; need not exist
 *
 * Charged to the memory cgroup in effect.  May sleep.  Free with
 * evnt_free_pages().
 *
 * Return: the address, or NULL.
 */
void *evnt_alloc_pages(size_t size, u32 cpu)
{
	int node = cpu_possible(cpu) ? cpu_to_mem(cpu) : NUMA_NO_NODE;
	size_t count = DIV_ROUND_UP(size, PAGE_SIZE);
	struct page **pages = alloc_pages_of(count, node);
	void *p;

	if (!pages)
		return NULL;
	/* VM_MAP_PUT_PAGES hands the pages over to vfree() */
	p = vmap(pages, count, VM_MAP | VM_MAP_PUT_PAGES, PAGE_KERNEL);
	if (!p)
		free_pages_of(pages, count);
	return p;
}
