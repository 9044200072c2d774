/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The write path: from an event to one record in each session that enabled it.
 */
#ifndef EVNT_WRITE_H
#define EVNT_WRITE_H

#include "module/provider/enable.h"
#include "module/write/payload.h"

/* Internal write flag: the image rundown was done, or is not possible */
#define EVNT_WRITE_NO_IMAGES	0x80000000u

/* router.c */
long evnt_write(struct evnt_prov_file *pf,
		const struct evntprov_write __user *ptr);
int evnt_write_kernel_any(const struct evnt_enable_set *set,
			  const struct evnt_registration *r,
			  const struct evntprov_write *arg);

/* filtered.c */
int evnt_write_many(const struct evnt_enable_set *set,
		    const struct evnt_registration *r,
		    const struct evntprov_write *arg,
		    struct evnt_payload *p, bool last);
int evnt_write_many_init(void);
void evnt_write_many_exit(void);

/* classic_write.c */
int evnt_classic_write(const struct evnt_registration *r,
		       const struct evntprov_write *arg, struct evnt_payload *p,
		       bool last);

/* image_rundown.c */
bool evnt_images_are_due(const struct evnt_prov_file *pf,
			 const struct evnt_enable_set *set, u64 places);
void evnt_image_rundown(struct evnt_prov_file *pf, u64 handle);
void evnt_images_destroy(struct evnt_prov_file *pf);

#endif /* EVNT_WRITE_H */
