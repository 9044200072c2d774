/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is absent until a test provides it: any access waits, also in the
 * kernel.  It lets a test delay writes to a session's log for as long as
 * needed.
 */
#ifndef EVNT_TEST_STALL_H
#define EVNT_TEST_STALL_H

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STALL_PAGE	4096u

/**
 * struct absent - absent pages
 * @uffd: userfaultfd that reports accesses
 * @pages: their address
 * @len: their length in bytes
 */
struct absent {
	int uffd;
	char *pages;
	size_t len;
};

/* Map absent pages; returns 0 or an errno */
static inline int absent_open(struct absent *a, unsigned int pages)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	a->len = pages * STALL_PAGE;
	a->pages = mmap(NULL, a->len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	a->uffd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	reg.range.start = (uintptr_t)a->pages;
	reg.range.len = a->len;
	if (a->uffd < 0 || ioctl(a->uffd, UFFDIO_API, &api) ||
	    ioctl(a->uffd, UFFDIO_REGISTER, &reg))
		return errno;
	return 0;
}

/* Wait for an access; returns the page's index, or -1 when closing */
static inline long absent_wanted(struct absent *a)
{
	struct pollfd p = { .fd = a->uffd, .events = POLLIN };
	struct uffd_msg msg;

	if (poll(&p, 1, 100000) != 1 || p.revents != POLLIN ||
	    read(a->uffd, &msg, sizeof(msg)) != sizeof(msg))
		return -1;
	return (msg.arg.pagefault.address - (uintptr_t)a->pages) / STALL_PAGE;
}

/* Fill the page with zeros, which continues the waiting access */
static inline int absent_fill(struct absent *a, unsigned int page)
{
	struct uffdio_zeropage zero = { .range = {
		.start = (uintptr_t)a->pages + page * STALL_PAGE,
		.len = STALL_PAGE,
	} };

	return ioctl(a->uffd, UFFDIO_ZEROPAGE, &zero) ? errno : 0;
}

/* Unmap the pages; waiting accesses fail with EFAULT */
static inline void absent_close(struct absent *a)
{
	munmap(a->pages, a->len);
	close(a->uffd);
}

/**
 * struct stall - a file whose lock is held by a stalled write
 * @absent: the stalled write's data
 * @fd: the file
 * @thread: thread of the stalled write
 */
struct stall {
	struct absent absent;
	int fd;
	pthread_t thread;
};

/* Write to the file; holds the inode lock while it waits for its data */
static inline void *stall_write(void *p)
{
	struct stall *s = p;

	return pwrite(s->fd, s->absent.pages, 1, 0) < 0 ? NULL : s;
}

/* Start the write; returns 0 once the file's lock is held, or an errno */
static inline int stall_begin(struct stall *s, const char *path)
{
	int err = absent_open(&s->absent, 1);

	s->fd = open(path, O_WRONLY | O_CLOEXEC);
	if (!err && s->fd < 0)
		err = errno;
	if (!err)
		err = pthread_create(&s->thread, NULL, stall_write, s);
	if (!err && absent_wanted(&s->absent))
		err = EIO;
	return err;
}

/* End the write; returns whether nothing was written */
static inline bool stall_end(struct stall *s)
{
	void *written;

	absent_close(&s->absent);
	pthread_join(s->thread, &written);
	close(s->fd);
	return !written;
}

#endif /* EVNT_TEST_STALL_H */
