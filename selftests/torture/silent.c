// SPDX-License-Identifier: GPL-2.0
/*
 * File systems that a hostile process may mount: a FUSE server that lets files
 * be created and opened, and answers no read and no write; and one that accepts
 * writes and discards the data, for as long as it runs.
 */
#include <linux/fuse.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "neighbour.h"

#define ROOM		(256u * 1024)	/* for a request: max_write, and more */
#define MAX_WRITE	(64u * 1024)
#define FILE_SIZE	(1024u * 1024)
#define FOREVER		3600u
/* Flag in the ids of files that are always full, even if truncated */
#define FULL		(1ull << 32)

struct answer {
	struct fuse_out_header h;
	union {
		struct fuse_init_out init;
		struct fuse_attr_out attr;
		struct fuse_open_out open;
		struct fuse_write_out write;
		struct fuse_statfs_out statfs;
		struct {
			struct fuse_entry_out entry;
			struct fuse_open_out open;
		} create;
		char zeroes[MAX_WRITE];
	};
};

struct server {
	int fd;
	bool is_silent;
	uint64_t last_node;
	struct answer answer;
};

static void fill_attr(struct fuse_attr *attr, uint64_t node, uint64_t size)
{
	*attr = (struct fuse_attr) {
		.ino = node, .nlink = 1, .blksize = 4096,
		.size = node & FULL ? FILE_SIZE : size,
		.mode = node == FUSE_ROOT_ID ? S_IFDIR | 0777 : S_IFREG | 0666,
	};
}

/* Files whose names begin with 'f' exist and are full; others are created */
static void fill_entry(struct server *s, struct fuse_entry_out *entry,
		       const char *name)
{
	*entry = (struct fuse_entry_out) {
		.nodeid = ++s->last_node | (*name == 'f' ? FULL : 0),
		.entry_valid = FOREVER, .attr_valid = FOREVER,
	};
	fill_attr(&entry->attr, entry->nodeid, 0);
}

static uint32_t fill_init(struct fuse_init_out *out,
			  const struct fuse_init_in *in)
{
	*out = (struct fuse_init_out) {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = in->max_readahead, .max_write = MAX_WRITE,
		.flags = in->flags & (FUSE_ASYNC_READ | FUSE_ASYNC_DIO |
				      FUSE_BIG_WRITES | FUSE_PARALLEL_DIROPS),
	};
	return sizeof(*out);
}

/* Answer requests common to both servers; returns the length, or -1 */
static int answer_names(struct server *s, const struct fuse_in_header *in)
{
	const struct fuse_setattr_in *attr = (const void *)(in + 1);
	const void *arg = in + 1;
	struct answer *a = &s->answer;

	switch (in->opcode) {
	case FUSE_INIT:
		return fill_init(&a->init, arg);
	case FUSE_LOOKUP:
		if (*(const char *)arg != 'f') {
			a->h.error = -ENOENT;
			return 0;
		}
		fill_entry(s, &a->create.entry, arg);
		return sizeof(a->create.entry);
	case FUSE_CREATE:
		fill_entry(s, &a->create.entry,
			   arg + sizeof(struct fuse_create_in));
		return sizeof(a->create);
	case FUSE_GETATTR:
		a->attr.attr_valid = FOREVER;
		fill_attr(&a->attr.attr, in->nodeid, 0);
		return sizeof(a->attr);
	case FUSE_SETATTR:
		a->attr.attr_valid = FOREVER;
		fill_attr(&a->attr.attr, in->nodeid, attr->size);
		return sizeof(a->attr);
	case FUSE_OPEN:
	case FUSE_OPENDIR:
		return sizeof(a->open);
	}
	return -1;
}

/* Answer all other requests; returns the length */
static int answer_rest(struct server *s, const struct fuse_in_header *in)
{
	const struct fuse_read_in *read = (const void *)(in + 1);
	const struct fuse_write_in *write = (const void *)(in + 1);
	struct answer *a = &s->answer;

	switch (in->opcode) {
	case FUSE_READ:
		return read->size < MAX_WRITE ? read->size : MAX_WRITE;
	case FUSE_WRITE:
		a->write.size = write->size;
		return sizeof(a->write);
	case FUSE_STATFS:
		return sizeof(a->statfs);
	case FUSE_GETXATTR:
		a->h.error = -ENOSYS;
	}
	return 0;
}

/*
 * Select what else a silent server answers: for half of its files the first
 * write, so that sessions start; for half of them the close.
 */
static bool is_answered(const struct fuse_in_header *in)
{
	const struct fuse_write_in *write = (const void *)(in + 1);

	if (in->opcode == FUSE_WRITE)
		return in->nodeid % 2 && !write->offset;
	return in->opcode == FUSE_GETXATTR ||
	       (in->opcode == FUSE_FLUSH &&
		(in->nodeid & FULL || in->nodeid % 4 < 2));
}

static void answer(struct server *s, const struct fuse_in_header *in)
{
	struct answer *a = &s->answer;
	int len;

	/* These have no answer */
	if (in->opcode == FUSE_FORGET || in->opcode == FUSE_BATCH_FORGET ||
	    in->opcode == FUSE_INTERRUPT)
		return;
	memset(a, 0, sizeof(a->h) + sizeof(a->create));
	len = answer_names(s, in);
	if (len < 0 && s->is_silent && !is_answered(in))
		return;
	if (len < 0)
		len = answer_rest(s, in);
	a->h.unique = in->unique;
	a->h.len = sizeof(a->h) + len;
	if (write(s->fd, a, a->h.len) < 0)
		return;	/* the caller has been killed */
}

static void serve(struct server *s)
{
	static char request[ROOM];
	ssize_t n;

	while ((n = read(s->fd, request, sizeof(request))) >= 0 ||
	       errno == EINTR || errno == ENOENT) {
		if (n >= (ssize_t)sizeof(struct fuse_in_header))
			answer(s, (void *)request);
	}
}

/* Mount it for all users, like fusermount with allow_other */
static bool mount_it(int fd, const char *dir)
{
	char options[96];

	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd);
	mkdir(dir, 0755);
	return !mount("neighbour", dir, "fuse", MS_NOSUID | MS_NODEV, options);
}

/**
 * silent_serve() - mount a file system, and serve it
 * @dir: mount point
 * @is_silent: answer no reads, writes and similar requests
 *
 * Return: the server's pid, which the caller kills, or -1.
 */
pid_t silent_serve(const char *dir, bool is_silent)
{
	static struct server s;
	int ready[2];
	char done;
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ready[0]);
		s = (struct server) {
			.fd = open("/dev/fuse", O_RDWR | O_CLOEXEC),
			.is_silent = is_silent, .last_node = FUSE_ROOT_ID,
		};
		if (s.fd < 0 || !mount_it(s.fd, dir))
			_exit(1);
		close(ready[1]);
		serve(&s);
		_exit(0);
	}
	close(ready[1]);
	/* The server closes its end when it is ready, or has failed */
	if (read(ready[0], &done, 1) < 0)
		(void)0;
	close(ready[0]);
	return pid;
}
