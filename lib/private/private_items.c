// SPDX-License-Identifier: MIT
/*
 * Extended data items on the process, which sessions request for their events
 * by EVENT_ENABLE_PROPERTY_*.  The contents are the same as in the module.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/package.h"
#include "lib/private/private.h"

#define PID_BITS		22
#define NO_LOGIN		UINT32_MAX
/* Start time in /proc/self/stat: number of the field after the name */
#define START_FIELD		20

/* Read a small file of /proc as text; the text is empty if that fails */
static void read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 0;

	if (fd >= 0) {
		n = read(fd, text, size - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = 0;
}

static u64 start_ticks(void)
{
	char text[1024], *at;
	int field;

	read_text("/proc/self/stat", text, sizeof(text));
	at = strrchr(text, ')');
	for (field = 0; at && field < START_FIELD; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoull(at, NULL, 10) : 0;
}

static u32 login_session(void)
{
	char text[32];
	u32 id;

	read_text("/proc/self/sessionid", text, sizeof(text));
	id = strtoul(text, NULL, 10);
	return id == NO_LOGIN ? 0 : id;
}

/* Set the package in UTF-16 with a nul, or its length to 0 if there is none */
static void put_package(struct evnt_process_ids *subject, const char *cgroup)
{
	struct evnt_package package;
	size_t i, len;

	subject->package_len = 0;
	if (!evnt_package_parse(&package, cgroup))
		return;
	len = strlen(package.id);
	for (i = 0; i <= len; i++)
		subject->package[i] = package.id[i] & 0x80 ? '?' :
							     package.id[i];
	subject->package_len = (len + 1) * sizeof(*subject->package);
}

/* Format the container's GUID, which ends with the cgroup's inode number */
static void put_container(struct evnt_process_ids *subject, const char *cgroup)
{
	static const char *const roots[] = {
		"/sys/fs/cgroup", "/sys/fs/cgroup/unified",
	};
	char path[PATH_MAX + 32];
	unsigned long long id = 0;
	struct stat st;
	size_t i;

	for (i = 0; i < EVNT_ARRAY_SIZE(roots) && !id; i++) {
		snprintf(path, sizeof(path), "%s/cgroup.procs", roots[i]);
			/* Not a mount of cgroup version 2 */
		if (stat(path, &st))
			continue;
		snprintf(path, sizeof(path), "%s%s", roots[i], cgroup);
		id = stat(path, &st) ? 0 : st.st_ino;
	}
	snprintf(subject->container, sizeof(subject->container),
		 "00000000-0000-0000-%04x-%012llx", (u32)(id >> 48),
		 id & (BIT_ULL(48) - 1));
}

/* Set the items that are derived from the process's cgroup (version 2) */
static void put_cgroup(struct evnt_process_ids *subject)
{
	char text[PATH_MAX], *line, *end;
	const char *path = "";

	read_text("/proc/self/cgroup", text, sizeof(text));
	line = strncmp(text, "0::", 3) ? strstr(text, "\n0::") : text;
	if (line) {
		path = strstr(line, "0::") + 3;
		end = strchr(path, '\n');
		if (end)
			*end = 0;
	}
	put_package(subject, path);
	put_container(subject, path);
}

/* Set the name of the executable; the kernel marks a deleted one */
static void put_exe(struct evnt_process_ids *subject)
{
	static const char deleted[] = " (deleted)";
	char path[PATH_MAX + 32], *name;
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[len > 0 ? len : 0] = 0;
	name = strrchr(path, '/');
	name = name ? name + 1 : path;
	len = strlen(name) - (sizeof(deleted) - 1);
	if (len > 0 && !strcmp(name + len, deleted))
		name[len] = 0;
	snprintf(subject->exe, sizeof(subject->exe), "%.*s", NAME_MAX, name);
}

void evnt_process_ids_init(struct evnt_process_ids *subject)
{
	/* SID S-1-22-1-UID of the effective user, without UID */
	static const u8 start[12] = {
		1, 2, [7] = 22, [8] = 1,
	};
	u32 uid;

	put_cgroup(subject);
	put_exe(subject);
	uid = geteuid();
	memcpy(subject->sid, start, sizeof(start));
	memcpy(subject->sid + sizeof(start), &uid, sizeof(uid));
	subject->login = login_session();
	subject->start_key = start_ticks() << PID_BITS | (u32)getpid();
}

/* Return a new event key, unique in this process */
u64 evnt_private_event_key(void)
{
	static u64 last;

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
