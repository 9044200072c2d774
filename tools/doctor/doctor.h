/* SPDX-License-Identifier: MIT */
/* Interfaces shared by the parts of evnt doctor */
#ifndef EVNT_DOCTOR_H
#define EVNT_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "tools/doctor/checks.h"
#include "tools/session/provider_spec.h"
#include "tools/doctor/explain.h"

/**
 * struct doctor - state of a run
 * @f: findings
 * @root: root folder of the examined system; empty: the running system
 * @kernel: release of the examined kernel
 * @is_loaded: the module is loaded
 */
struct doctor {
	struct findings f;
	const char *root;
	const char *kernel;
	bool is_loaded;
};

/* Build a file's path under the root; @format begins with '/' */
char *doctor_path(const struct doctor *d, char path[PATH_MAX],
		  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Return whether a file exists */
bool doctor_has(const struct doctor *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Read the first line of a file, empty if unreadable; return @text */
char *doctor_line(const struct doctor *d, const char *path, char *text,
		  size_t size);

/*
 * Check whether the module is loaded. If not, find the reason: where it is
 * installed, what DKMS has built, whether the kernel would accept it.
 */
void doctor_module(struct doctor *d);

/* Check the access rights of the devices, and whether this user has them */
void doctor_devices(struct doctor *d);

/* Check descriptions of sessions that start with the module */
void doctor_autologgers(struct doctor *d);

/* Check that the versions of the module and of this program match */
void doctor_versions(struct doctor *d, int device);

/* Check the running sessions */
void doctor_sessions(struct doctor *d, int device);

/* Check registrations, and enabled providers that are not registered */
void doctor_providers(struct doctor *d, int device);

/* Check the resource usage of all visible users against the limits */
void doctor_limits(struct doctor *d, int device);

/*
 * Check the rings: whether threads can have them, and the processes and sessions
 * that have none. @device: descriptor, or -1
 */
void doctor_rings(struct doctor *d, int device);

/* Report which events of a provider @session, or any session, records */
void doctor_provider(struct doctor *d, int device, const struct spec *spec,
		     const char *session, const struct question *question);

#endif /* EVNT_DOCTOR_H */
