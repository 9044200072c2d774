/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Series of log files (newfile): their names, their directory, and the
 * credentials with which they are opened.
 */
#ifndef EVNT_NEWFILE_H
#define EVNT_NEWFILE_H

#include <linux/types.h>

struct evnt_log;
struct evnt_newfile;

struct evnt_newfile *evnt_newfile_create(u64 arg, const struct evnt_log *first);
int evnt_newfile_open(struct evnt_newfile *series, struct evnt_log *log);
void evnt_newfile_opened(struct evnt_newfile *series);
void evnt_newfile_destroy(struct evnt_newfile *series);

#endif /* EVNT_NEWFILE_H */
