/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Environment for fault-injection tests: both devices open, sessions, a log on
 * a file system of its own; and the state that must be the same after each
 * failure.
 */
#ifndef EVNT_TEST_WORLD_H
#define EVNT_TEST_WORLD_H

#include <dirent.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/inject.h"

#define LOG_DIR	"/tmp/faults"
#define LOG	LOG_DIR "/log.etl"
#define H	HANDLE(1, 1)
#define PAGE	4096u
#define ABSENT	EVNTPROV_MAX_DATA

/**
 * struct world - environment of a tried call
 * @prov: /dev/evntprov
 * @trace: /dev/evntrace
 * @area: the enable area of @prov
 * @session: running sessions, or 0
 * @control: descriptors of these sessions
 * @log: log file for START
 * @start: argument of START
 * @name: name in @start
 * @fd: file that a call opened, or operates on
 * @map: memory that a call mapped, or touches
 * @pages: a file of ABSENT pages mapped at @map, which can be removed
 * @accepted: number of events written to the first session
 * @reported: number of notifications read
 * @wrong: description of an unexpected result, or NULL
 */
struct world {
	int prov;
	int trace;
	const struct evntprov_enable *area;
	__u64 session[2];
	int control[2];
	int log;
	struct evntrace_start start;
	__u16 name[EVNTRACE_MAX_NAME];
	int fd;
	void *map;
	int pages;
	unsigned int accepted;
	unsigned int reported;
	const char *wrong;
};

/* State that must not change when a call fails */
struct state {
	struct dev_status status;
	struct evntrace_session session;
	struct evntprov_enable slot;
	long descriptors;
	long references;
	long log_size;
	long readable;
};

static inline long count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	long n = 0;

	while (d && readdir(d))
		n++;
	closedir(d);
	return n;
}

static inline long count_references(void)
{
	char text[16] = "-1";

	inject_get("/sys/module/evntprov/refcnt", text, sizeof(text));
	return strtol(text, NULL, 10);
}

static inline long file_size(int fd)
{
	struct stat st;

	return fd < 0 || fstat(fd, &st) ? -1 : st.st_size;
}

static inline void state_get(struct world *w, struct state *s)
{
	struct pollfd p = { .fd = w->prov, .events = POLLIN };

	memset(s, 0, sizeof(*s));
	s->status = dev_status();
	if (w->session[0])
		dev_control(w->trace, DEV_QUERY, w->session[0], &s->session);
	/* A failed write may leave a buffer allocated */
	s->session.free_buffers = 0;
	s->slot = w->area[1];
	s->descriptors = count_descriptors();
	s->references = count_references();
	s->log_size = file_size(w->log);
	s->readable = poll(&p, 1, 0);
}

/* Return the name of the first difference, or NULL */
static inline const char *state_differs(const struct state *a,
					const struct state *b)
{
	if (memcmp(&a->status, &b->status, sizeof(a->status)))
		return "what the module holds";
	if (memcmp(&a->session, &b->session, sizeof(a->session)))
		return "the session";
	if (memcmp(&a->slot, &b->slot, sizeof(a->slot)))
		return "the enable area";
	if (a->descriptors != b->descriptors)
		return "descriptors";
	if (a->references != b->references)
		return "references to the module";
	if (a->log_size != b->log_size)
		return "the size of the log file";
	return a->readable != b->readable ? "notifications" : NULL;
}

static inline void world_open(struct world *w)
{
	memset(w, 0, sizeof(*w));
	w->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC | O_NONBLOCK);
	w->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	w->area = mmap(NULL, EVNTPROV_ENABLE_AREA_SIZE, PROT_READ, MAP_SHARED,
		       w->prov, 0);
	w->log = -1;
	w->fd = -1;
	w->pages = -1;
}

static inline void world_close(struct world *w)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (w->session[i])
			dev_stop(w->trace, w->session[i], NULL);
	}
	dev_close_bound();
	if (w->log >= 0)
		close(w->log);
	if (w->fd >= 0)
		close(w->fd);
	if (w->pages >= 0) {
		munmap(w->map, ABSENT * PAGE);
		close(w->pages);
	}
	munmap((void *)w->area, EVNTPROV_ENABLE_AREA_SIZE);
	close(w->prov);
	close(w->trace);
}

static inline void with_log(struct world *w)
{
	static const char zone[EVNTRACE_TIME_ZONE_SIZE];

	w->log = new_log(LOG);
	w->start = start_arg(w->name, "faults", w->log);
	w->start.buffer_size = PAGE;
	w->start.max_buffers = 1;
	w->start.time_zone = (uintptr_t)zone;
}

static inline void with_default_start(struct world *w)
{
	with_log(w);
	w->start.buffer_size = 0;
	w->start.max_buffers = 0;
}

static inline int run_start(struct world *w)
{
	struct evntrace_start arg = w->start;
	int err = do_ioctl(w->trace, EVNTRACE_IOC_START, &arg);

	w->session[0] = err ? 0 : arg.handle;
	return err;
}

static inline void undo_start(struct world *w)
{
	if (dev_stop(w->trace, w->session[0], NULL))
		w->wrong = "a session that was started cannot be stopped";
	w->session[0] = 0;
	dev_close_bound();
}

static inline void mount_logs(struct __test_metadata *_metadata,
			      const char *options)
{
	mkdir(LOG_DIR, 0700);
	ASSERT_EQ(0, mount("none", LOG_DIR, "tmpfs", 0, options));
}

/* Fails with EBUSY if a log file is still open */
static inline void unmount_logs(struct __test_metadata *_metadata)
{
	EXPECT_EQ(0, umount(LOG_DIR));
	rmdir(LOG_DIR);
}

#endif /* EVNT_TEST_WORLD_H */
