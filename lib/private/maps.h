/* SPDX-License-Identifier: MIT */
/*
 * Memory mappings of the process, and descriptions of the files mapped: build id
 * and name.
 */
#ifndef EVNT_MAPS_H
#define EVNT_MAPS_H

#include <limits.h>

#include "core/build_id.h"
#include "lib/base/internal.h"

/* Maximum length of a line, which may contain a whole path */
#define EVNT_MAPS_LINE	(PATH_MAX + 128)

/**
 * struct evnt_map - a memory mapping
 * @base: start address
 * @size: length in bytes
 * @offset: offset of the mapping in the file, in bytes
 * @inode: inode number of the file; 0 for anonymous memory
 * @executable: mapped with PROT_EXEC
 * @path: path of the file; valid until the next evnt_maps_next()
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
 * struct evnt_maps - iterator over the mappings
 * @fd: /proc/self/maps
 * @cancel: cancellation state of the thread before evnt_maps_open()
 * @start: offset in @text of the first byte not yet parsed
 * @end: offset in @text behind the last byte read
 * @text: text read from @fd; holds two lines of maximum length
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

/* Size of the build id in hexadecimal and of the name, each with its nul */
#define EVNT_FILE_TEXT_MAX	(2 * EVNT_BUILD_ID_MAX + 1 + PATH_MAX)

u32 evnt_mapped_file_info(struct evnt_elf_scratch *s, const char *path,
			  u64 inode, char *text);

#endif /* EVNT_MAPS_H */
