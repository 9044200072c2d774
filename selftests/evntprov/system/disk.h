/* SPDX-License-Identifier: GPL-2.0 */
/* A disk whose contents are a file in memory */
#ifndef EVNT_TEST_DISK_H
#define EVNT_TEST_DISK_H

#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define DISK_SIZE	(1 << 20)
#define DISK_MAJOR	7

struct disk {
	int fd;		/* without a cache */
	int number;
	void *buffer;	/* aligned as such reads and writes need it */
};

/* Make the disk; false on failure */
static inline bool disk_make(struct disk *d)
{
	struct loop_config config = {
		.fd = memfd_create("disk", MFD_CLOEXEC),
		.info.lo_flags = LO_FLAGS_AUTOCLEAR,
	};
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC), plain = -1;
	bool made = false;
	char name[32];

	d->fd = -1;
	d->buffer = aligned_alloc(4096, 8192);
	d->number = ioctl(control, LOOP_CTL_GET_FREE);
	snprintf(name, sizeof(name), "/dev/loop%d", d->number);
	if (d->buffer && d->number >= 0 && !ftruncate(config.fd, DISK_SIZE)) {
		plain = open(name, O_RDWR | O_CLOEXEC);
		made = plain >= 0 && !ioctl(plain, LOOP_CONFIGURE, &config);
	}
	if (made)
		d->fd = open(name, O_RDWR | O_CLOEXEC | O_DIRECT);
	close(plain);
	close(config.fd);
	close(control);
	return d->fd >= 0;
}

static inline void disk_remove(struct disk *d)
{
	close(d->fd);
	free(d->buffer);
}

#endif /* EVNT_TEST_DISK_H */
