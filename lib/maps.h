/* SPDX-License-Identifier: MIT */
/*
 * What is mapped in the process, as the kernel says.
 */
#ifndef EVNT_MAPS_H
#define EVNT_MAPS_H

#include <limits.h>

#include "internal.h"
#include "port.h"

/* The longest line has a name in it */
#define EVNT_MAPS_LINE	(PATH_MAX + 128)

/**
 * struct evnt_map - a mapping
 * @base: where
 * @size: how long it is
 * @offset: where it begins in the file
 * @inode: number of the file; 0: it is of no file
 * @executable: it may be executed
 * @path: its name; gone with the next one
 */
struct evnt_map {
	u64 base;
	u64 size;
	u64 offset;
	u64 inode;
	bool executable;
	const char *path;
};

/**
 * struct evnt_maps - they, one after the other
 * @fd: where they are read from
 * @cancel: whether the thread could be cancelled before
 * @start: what was not looked at yet, in @text
 * @end: likewise, where it ends
 * @text: what was read
 */
struct evnt_maps {
	int fd;
	int cancel;
	u32 start;
	u32 end;
	char text[2 * EVNT_MAPS_LINE];
};

bool evnt_maps_open(struct evnt_maps *maps);
bool evnt_maps_next(struct evnt_maps *maps, struct evnt_map *map);
void evnt_maps_close(struct evnt_maps *maps);

#endif /* EVNT_MAPS_H */
