/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Package and application of a process, derived from the path of its cgroup.
 *
 * For a snap, the package is the snap's name and the application is "SNAP.APP".
 * For a flatpak application both are its id.  Otherwise both are the name of
 * the innermost systemd service or scope, such as "nginx.service".
 */
#ifndef EVNT_PACKAGE_H
#define EVNT_PACKAGE_H

#include "core/port/port.h"

#define EVNT_PACKAGE_NAME	256u

struct evnt_package {
	char id[EVNT_PACKAGE_NAME];
	char app[EVNT_PACKAGE_NAME];
};

bool evnt_package_parse(struct evnt_package *p, const char *cgroup);

#endif /* EVNT_PACKAGE_H */
