/* SPDX-License-Identifier: MIT */
/* --manifest: a manifest that a user names, of each verb that looks at fields. */
#ifndef EVNT_MANIFEST_OPTION_H
#define EVNT_MANIFEST_OPTION_H

/* What getopt_long() returns; no other option of a verb has this */
#define OPTION_MANIFEST	0x1f0

/* For the verb's array of options */
#define MANIFEST_OPTION \
	{ "manifest", required_argument, NULL, OPTION_MANIFEST }

/* Loads it for TDH; returns an exit code, and the user was told */
int load_manifest(const char *path);

#endif /* EVNT_MANIFEST_OPTION_H */
