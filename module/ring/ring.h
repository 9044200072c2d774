/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rings: events that threads write without a system call.
 */
#ifndef EVNT_RING_H
#define EVNT_RING_H

#include <linux/types.h>

struct evnt_prov_file;
struct vm_area_struct;

void evnt_rings_init(void);
int evnt_ring_mmap(struct evnt_prov_file *pf, struct vm_area_struct *vma);
int evnt_ring_drain(struct evnt_prov_file *pf, unsigned long id);

#endif /* EVNT_RING_H */
