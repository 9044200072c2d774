/* SPDX-License-Identifier: GPL-2.0 */
/* Names, users and providers of the hostile neighbour and of the bystanders. */
#ifndef EVNT_NEIGHBOUR_H
#define EVNT_NEIGHBOUR_H

#include "torture.h"

#define NEIGHBOUR_DIR	BIG_DIR "/neighbour"
/* Logs of the bystanders */
#define QUIET_DIR	NEIGHBOUR_DIR "/logs"
/* Logs of the hostile processes, on a normal file system */
#define HOSTILE_DIR	NEIGHBOUR_DIR "/hostile"
/* Logs on a server that answers no read or write, and on one frozen at times */
#define SILENT_DIR	NEIGHBOUR_DIR "/silent"
#define FROZEN_DIR	NEIGHBOUR_DIR "/frozen"
#define CGROUP		"/sys/fs/cgroup/evnt-neighbour"

/* Users: one outside the group that may trace, and members of it */
#define NOBODY		65534
#define MEMBER		65533
#define OTHER		1001

/* Providers: the bystanders' own; one that all processes register; others */
#define QUIET_PROVIDER	200
#define PUBLIC_PROVIDER	201
#define HOSTILE_FIRST	1000
/* Sessions of the bystanders, one for each user */
#define QUIET_SESSION	300

/* Counts of all hostile processes */
struct hostile_totals {
	uint64_t registrations;
	uint64_t calls;
	uint64_t kills;
	uint64_t pending;	/* processes that exited with reads pending */
	uint64_t sessions;
};

extern struct hostile_totals *hostile;

/* silent.c */
pid_t silent_serve(const char *dir, bool is_silent);

/* hostile.c */
void hostile_setup(void);
void hostile_begin(uint64_t seed, pid_t frozen);
/* Kill all; processes that wait for a file system end with it */
void hostile_stop(void);
bool hostile_end(void);

/* neighbour.c */
bool neighbour_round(uint64_t seed, uint32_t seconds, bool *kept);

#endif /* EVNT_NEIGHBOUR_H */
