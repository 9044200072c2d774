/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The package and application that a process is of, by the name of its cgroup.
 *
 * Its package is its snap, its application "SNAP.APP"; or both are the id of a
 * flatpak application; or, failing these, the innermost systemd service or
 * scope that it is in, as "nginx.service".
 */
#ifndef EVNT_PACKAGE_H
#define EVNT_PACKAGE_H

#include "port.h"

#define EVNT_PACKAGE_NAME	256u

struct evnt_package {
	char id[EVNT_PACKAGE_NAME];
	char app[EVNT_PACKAGE_NAME];
};

bool evnt_package_parse(struct evnt_package *p, const char *cgroup);

#endif /* EVNT_PACKAGE_H */
