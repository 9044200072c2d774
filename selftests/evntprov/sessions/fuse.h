/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file system in user space that stops answering on demand, like one with a
 * hung server or a lost network.
 *
 * Its server is a separate process, so that a test can kill it while threads of
 * the test wait for it: the kernel then fails all requests.  It has one
 * directory with a few files in memory.
 */
#ifndef EVNT_TEST_FUSE_H
#define EVNT_TEST_FUSE_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/fuse.h>

#define FUSE_FILES	16u
#define FUSE_MAX_IO	(64u << 10)
#define FUSE_REQUEST	(FUSE_MAX_IO + 4096)
#define FUSE_HELD	64u

/* Bit of a kind of request, as in FUSE_STALL(FUSE_WRITE) */
#define FUSE_STALL(opcode)	(1ull << (opcode))

/**
 * struct fuse - the file system, on the test's side
 * @dir: mount point
 * @server: the server's pid, or 0
 * @control: socket for the test's commands and the server's answers
 */
struct fuse {
	const char *dir;
	pid_t server;
	int control;
};

/* A file, on the server's side */

struct fuse_file {
	char name[64];
	char *data;
	size_t size;
	size_t room;
	unsigned int mode;
	unsigned int uid;
	unsigned int gid;
	bool is_used;
};

struct fuse_request {
	union {
		struct fuse_in_header h;
		char all[FUSE_REQUEST];
	};
};

/**
 * struct fuse_server - the server
 * @fd: /dev/fuse
 * @stall: kinds of requests that are held back now
 * @held: requests that are held back
 * @held_count: number of entries in @held
 * @files: the files; the first has node 2, as node 1 is the directory
 */
struct fuse_server {
	int fd;
	uint64_t stall;
	struct fuse_request *held[FUSE_HELD];
	uint32_t held_count;
	struct fuse_file files[FUSE_FILES];
};

static inline struct fuse_file *fuse_node(struct fuse_server *s, uint64_t node)
{
	return node >= 2 && node < 2 + FUSE_FILES ? &s->files[node - 2] : NULL;
}

static inline struct fuse_file *fuse_by_name(struct fuse_server *s,
					     const char *name)
{
	unsigned int i;

	for (i = 0; i < FUSE_FILES; i++) {
		if (s->files[i].is_used && !strcmp(s->files[i].name, name))
			return &s->files[i];
	}
	return NULL;
}

static inline struct fuse_file *fuse_new(struct fuse_server *s,
					 const char *name,
					 const struct fuse_request *r,
					 unsigned int mode)
{
	struct fuse_file *f = s->files;

	while (f < s->files + FUSE_FILES && f->is_used)
		f++;
	if (f == s->files + FUSE_FILES)
		return NULL;
	free(f->data);
	*f = (struct fuse_file) {
		.mode = S_IFREG | (mode & 07777), .uid = r->h.uid,
		.gid = r->h.gid, .is_used = true,
	};
	snprintf(f->name, sizeof(f->name), "%s", name);
	return f;
}

static inline bool fuse_resize(struct fuse_file *f, size_t size)
{
	char *data;

	if (size > f->room) {
		data = realloc(f->data, size * 2);
		if (!data)
			return false;
		f->data = data;
		f->room = size * 2;
	}
	if (size > f->size)
		memset(f->data + f->size, 0, size - f->size);
	f->size = size;
	return true;
}

static inline struct fuse_attr fuse_attr_of(struct fuse_server *s,
					    const struct fuse_file *f)
{
	if (!f)
		return (struct fuse_attr) {
			.ino = 1, .mode = S_IFDIR | 0777, .nlink = 2,
		};
	return (struct fuse_attr) {
		.ino = 2 + (f - s->files), .size = f->size, .mode = f->mode,
		.uid = f->uid, .gid = f->gid, .nlink = 1, .blksize = 4096,
	};
}

static inline void fuse_reply(struct fuse_server *s,
			      const struct fuse_request *r, int err,
			      const void *data, size_t len)
{
	static char out[sizeof(struct fuse_out_header) + FUSE_REQUEST];
	struct fuse_out_header h = {
		.len = sizeof(h) + (err ? 0 : len), .error = -err,
		.unique = r->h.unique,
	};

	memcpy(out, &h, sizeof(h));
	if (!err && len)
		memcpy(out + sizeof(h), data, len);
	/* ENOENT: the caller has been interrupted */
	if (write(s->fd, out, h.len) < 0 && errno != ENOENT)
		_exit(1);
}

static inline struct fuse_entry_out fuse_entry_of(struct fuse_server *s,
						  const struct fuse_file *f)
{
	return (struct fuse_entry_out) {
		.nodeid = 2 + (f - s->files), .attr = fuse_attr_of(s, f),
	};
}

static inline void fuse_init_reply(struct fuse_server *s,
				   const struct fuse_request *r)
{
	const struct fuse_init_in *in = (const void *)(r->all + sizeof(r->h));
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = in->max_readahead,
		.flags = FUSE_BIG_WRITES | FUSE_ATOMIC_O_TRUNC | FUSE_ASYNC_DIO,
		.max_write = FUSE_MAX_IO,
	};

	fuse_reply(s, r, 0, &out, sizeof(out));
}

static inline void fuse_create_reply(struct fuse_server *s,
				     const struct fuse_request *r)
{
	const struct fuse_create_in *in = (const void *)(r->all +
							 sizeof(r->h));
	const char *name = (const char *)(in + 1);
	struct fuse_file *f = fuse_by_name(s, name) ?:
			      fuse_new(s, name, r, in->mode);
	struct {
		struct fuse_entry_out entry;
		struct fuse_open_out open;
	} out = {};

	if (!f) {
		fuse_reply(s, r, ENOSPC, NULL, 0);
		return;
	}
	if (in->flags & O_TRUNC)
		f->size = 0;
	out.entry = fuse_entry_of(s, f);
	fuse_reply(s, r, 0, &out, sizeof(out));
}

static inline void fuse_setattr_reply(struct fuse_server *s,
				      const struct fuse_request *r,
				      struct fuse_file *f)
{
	const struct fuse_setattr_in *in = (const void *)(r->all +
							  sizeof(r->h));
	struct fuse_attr_out out = {};

	if (f && in->valid & FATTR_SIZE && !fuse_resize(f, in->size)) {
		fuse_reply(s, r, ENOSPC, NULL, 0);
		return;
	}
	if (f && in->valid & FATTR_MODE)
		f->mode = S_IFREG | (in->mode & 07777);
	if (f && in->valid & FATTR_UID)
		f->uid = in->uid;
	if (f && in->valid & FATTR_GID)
		f->gid = in->gid;
	out.attr = fuse_attr_of(s, f);
	fuse_reply(s, r, 0, &out, sizeof(out));
}

static inline void fuse_write_reply(struct fuse_server *s,
				    const struct fuse_request *r,
				    struct fuse_file *f)
{
	const struct fuse_write_in *in = (const void *)(r->all + sizeof(r->h));
	struct fuse_write_out out = { .size = in->size };
	size_t end = in->offset + in->size;

	if (!f || (end > f->size && !fuse_resize(f, end))) {
		fuse_reply(s, r, ENOSPC, NULL, 0);
		return;
	}
	memcpy(f->data + in->offset, in + 1, in->size);
	fuse_reply(s, r, 0, &out, sizeof(out));
}

static inline void fuse_read_reply(struct fuse_server *s,
				   const struct fuse_request *r,
				   const struct fuse_file *f)
{
	const struct fuse_read_in *in = (const void *)(r->all + sizeof(r->h));
	size_t len = f && in->offset < f->size ? f->size - in->offset : 0;

	if (len > in->size)
		len = in->size;
	fuse_reply(s, r, 0, len ? f->data + in->offset : NULL, len);
}

static inline void fuse_name_reply(struct fuse_server *s,
				   const struct fuse_request *r)
{
	struct fuse_file *f = fuse_by_name(s, r->all + sizeof(r->h));
	struct fuse_entry_out out;

	if (!f) {
		fuse_reply(s, r, ENOENT, NULL, 0);
	} else if (r->h.opcode == FUSE_UNLINK) {
		/* The file may still be open, so its slot stays taken */
		f->name[0] = '\0';
		fuse_reply(s, r, 0, NULL, 0);
	} else {
		out = fuse_entry_of(s, f);
		fuse_reply(s, r, 0, &out, sizeof(out));
	}
}

static inline void fuse_answer(struct fuse_server *s,
			       const struct fuse_request *r)
{
	struct fuse_file *f = fuse_node(s, r->h.nodeid);
	const struct fuse_open_out open = {};
	struct fuse_attr_out attr = { .attr = fuse_attr_of(s, f) };

	switch (r->h.opcode) {
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	case FUSE_INIT:
		fuse_init_reply(s, r);
		return;
	case FUSE_LOOKUP:
	case FUSE_UNLINK:
		fuse_name_reply(s, r);
		return;
	case FUSE_CREATE:
		fuse_create_reply(s, r);
		return;
	case FUSE_OPEN:
		/* FUSE_ATOMIC_O_TRUNC requires the server to truncate */
		if (f && ((const struct fuse_open_in *)(r->all +
		    sizeof(r->h)))->flags & O_TRUNC)
			f->size = 0;
		fuse_reply(s, r, 0, &open, sizeof(open));
		return;
	case FUSE_OPENDIR:
		fuse_reply(s, r, 0, &open, sizeof(open));
		return;
	case FUSE_GETATTR:
		fuse_reply(s, r, 0, &attr, sizeof(attr));
		return;
	case FUSE_SETATTR:
		fuse_setattr_reply(s, r, f);
		return;
	case FUSE_WRITE:
		fuse_write_reply(s, r, f);
		return;
	case FUSE_READ:
		fuse_read_reply(s, r, f);
		return;
	case FUSE_FLUSH:
	case FUSE_FSYNC:
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR:
	case FUSE_ACCESS:
		fuse_reply(s, r, 0, NULL, 0);
		return;
	default:
		fuse_reply(s, r, ENOSYS, NULL, 0);
	}
}

static inline void fuse_request(struct fuse_server *s)
{
	struct fuse_request *r = calloc(1, sizeof(*r));

	/* The read was interrupted, or the connection has ended */
	if (read(s->fd, r->all, sizeof(r->all)) < (ssize_t)sizeof(r->h)) {
		if (errno == ENODEV)
			_exit(0);
		free(r);
		return;
	}
	if (r->h.opcode < 64 && s->stall & FUSE_STALL(r->h.opcode) &&
	    s->held_count < FUSE_HELD) {
		s->held[s->held_count++] = r;
		return;
	}
	fuse_answer(s, r);
	free(r);
}

/* Answer the held requests of kinds that are no longer stalled */
static inline void fuse_resume(struct fuse_server *s)
{
	uint32_t i, kept = 0;

	for (i = 0; i < s->held_count; i++) {
		if (s->stall & FUSE_STALL(s->held[i]->h.opcode)) {
			s->held[kept++] = s->held[i];
			continue;
		}
		fuse_answer(s, s->held[i]);
		free(s->held[i]);
	}
	s->held_count = kept;
}

/* Serve requests of the kernel and of the test until one of them closes */
static inline void fuse_serve(struct fuse_server *s, int control)
{
	struct pollfd p[2] = {
		{ .fd = s->fd, .events = POLLIN },
		{ .fd = control, .events = POLLIN },
	};

	for (;;) {
		if (poll(p, 2, -1) < 0)
			_exit(1);
		/* Requests first, so that a count includes all earlier ones */
		if (p[0].revents) {
			fuse_request(s);
			continue;
		}
		if (read(control, &s->stall, sizeof(s->stall)) !=
		    sizeof(s->stall))
			_exit(0);
		fuse_resume(s);
		if (write(control, &s->held_count, sizeof(s->held_count)) < 0)
			_exit(1);
	}
}

static inline void fuse_run(const char *dir, int control)
{
	struct fuse_server *s = calloc(1, sizeof(*s));
	char options[128];
	uint32_t err = 0;

	/* Close all descriptors inherited from the test */
	if (dup2(control, 3) != 3)
		_exit(1);
	syscall(SYS_close_range, 4, ~0u, 0);
	s->fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40777,user_id=0,group_id=0,allow_other,max_read=%u",
		 s->fd, FUSE_MAX_IO);
	if (s->fd < 0 || mount("fuse", dir, "fuse", 0, options))
		err = errno;
	if (write(3, &err, sizeof(err)) != sizeof(err) || err)
		_exit(1);
	fuse_serve(s, 3);
}

/* The test's side */

/* Mount it on a new directory; returns 0 or an errno */
static inline int fuse_begin(struct fuse *f, const char *dir)
{
	int pair[2], status;
	uint32_t err;

	*f = (struct fuse) { .dir = dir };
	mkdir(dir, 0777);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return errno;
	f->server = fork();
	if (!f->server)
		fuse_run(dir, pair[1]);
	close(pair[1]);
	f->control = pair[0];
	if (f->server > 0 &&
	    read(f->control, &err, sizeof(err)) == sizeof(err) && !err)
		return 0;
	close(f->control);
	waitpid(f->server, &status, 0);
	f->server = 0;
	rmdir(dir);
	return err ?: EIO;
}

/*
 * Hold back all requests of the kinds in @stall, and answer all others.
 * Returns the number of held requests.
 */
static inline uint32_t fuse_stall(const struct fuse *f, uint64_t stall)
{
	uint32_t held = 0;

	if (write(f->control, &stall, sizeof(stall)) < 0 ||
	    read(f->control, &held, sizeof(held)) < 0)
		return 0;
	return held;
}

/* Like fuse_stall(), but wait until @count requests are held */
static inline void fuse_wait(const struct fuse *f, uint64_t stall,
			     uint32_t count)
{
	while (fuse_stall(f, stall) < count)
		usleep(1000);
}

/* Kill the server: pending and later requests fail */
static inline void fuse_die(struct fuse *f)
{
	if (!f->server)
		return;
	kill(f->server, SIGKILL);
	waitpid(f->server, NULL, 0);
	f->server = 0;
	close(f->control);
}

/* Unmount and clean up; returns 0, or EBUSY while a file is open */
static inline int fuse_end(struct fuse *f)
{
	int err;

	fuse_die(f);
	err = umount(f->dir) ? errno : 0;
	if (err)
		umount2(f->dir, MNT_DETACH);
	rmdir(f->dir);
	return err;
}

#endif /* EVNT_TEST_FUSE_H */
