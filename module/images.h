/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The images of a process: which parts of which files are mapped where, so that
 * the addresses of its call stacks say something when it has gone.
 */
#ifndef EVNT_IMAGES_H
#define EVNT_IMAGES_H

#include "provider.h"

/*
 * With the flags of a write, of which it is none: the images of the process
 * were told, or cannot be.
 */
#define EVNT_WRITE_NO_IMAGES	0x80000000u

bool evnt_images_are_due(const struct evnt_prov_file *pf,
			 const struct evnt_enable_set *set, u64 places);
void evnt_images_tell(struct evnt_prov_file *pf, u64 handle);
void evnt_images_destroy(struct evnt_prov_file *pf);

#endif /* EVNT_IMAGES_H */
