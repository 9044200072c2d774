/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Image rundown: recording the mapped executables of processes, so that
 * addresses in call stacks can be resolved after the process has exited.
 */
#ifndef EVNT_IMAGE_RUNDOWN_H
#define EVNT_IMAGE_RUNDOWN_H

#include "module/provider/provider.h"

/* Internal write flag: the image rundown was done, or is not possible */
#define EVNT_WRITE_NO_IMAGES	0x80000000u

bool evnt_images_are_due(const struct evnt_prov_file *pf,
			 const struct evnt_enable_set *set, u64 places);
void evnt_image_rundown(struct evnt_prov_file *pf, u64 handle);
void evnt_images_destroy(struct evnt_prov_file *pf);

#endif /* EVNT_IMAGE_RUNDOWN_H */
