/* SPDX-License-Identifier: MIT */
/* What the parts of evnt doctor share. */
#ifndef EVNT_DOCTOR_H
#define EVNT_DOCTOR_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "findings.h"
#include "spec.h"
#include "verdict.h"

/**
 * struct doctor - a visit
 * @f: what was found
 * @root: where the system's files are: empty, or a folder
 * @kernel: the release of the kernel that is meant
 * @is_loaded: the module is
 */
struct doctor {
	struct findings f;
	const char *root;
	const char *kernel;
	bool is_loaded;
};

/* A file's path under the root; @format begins with '/' */
char *doctor_path(const struct doctor *d, char path[PATH_MAX],
		  const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether there is such a file */
bool doctor_has(const struct doctor *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The first line of a file, or an empty one; returns @text */
char *doctor_line(const struct doctor *d, const char *path, char *text,
		  size_t size);

/*
 * Whether the module is loaded, or why it may not be: where it is installed, what
 * DKMS has made of it, whether the kernel will take it
 */
void doctor_module(struct doctor *d);

/* Who may open the devices, and whether this user may */
void doctor_devices(struct doctor *d);

/* Descriptions of sessions that start with the module */
void doctor_autologgers(struct doctor *d);

/* Versions of the module and of this program, and whether these fit */
void doctor_versions(struct doctor *d, int door);

/* What sessions run, and whether they are well */
void doctor_sessions(struct doctor *d, int door);

/* What is registered, and what is enabled though it is not */
void doctor_providers(struct doctor *d, int door);

/* What users have, as far as this one may see, and whether that is all they may */
void doctor_limits(struct doctor *d, int door);

/* What @session, or any, records of a provider, or leaves out */
void doctor_provider(struct doctor *d, int door, const struct spec *spec,
		     const char *session, const struct question *question);

#endif /* EVNT_DOCTOR_H */
