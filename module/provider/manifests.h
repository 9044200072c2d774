/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that contain the manifests of providers.  They are reported to
 * sessions, so that readers of a log can decode the events.
 */
#ifndef EVNT_MANIFESTS_H
#define EVNT_MANIFESTS_H

#include <linux/workqueue.h>

struct evnt_enable_set;
struct evnt_prov_file;
struct evnt_provider;
struct evnt_registration;
struct evnt_session;
struct evntprov_set_information;

int evnt_manifest_set(struct evnt_prov_file *pf,
		      const struct evntprov_set_information *arg);
void evnt_manifest_release(struct evnt_registration *r);
void evnt_manifests_free(struct evnt_provider *p);

void evnt_manifest_write(const struct evnt_registration *r,
			 const struct evnt_enable_set *view);
void evnt_manifest_forget(const struct evnt_registration *r,
			  const struct evnt_session *s);
void evnt_manifest_write_session(const struct evnt_registration *r,
				 const struct evnt_session *s);

void evnt_manifests_create(struct work_struct *work);
void evnt_manifests_renew(struct evnt_session *s);
void evnt_manifests_wait(struct evnt_session *s);
void evnt_manifests_stop(struct evnt_session *s);

int evnt_manifests_init(void);
void evnt_manifests_exit(void);

#endif /* EVNT_MANIFESTS_H */
