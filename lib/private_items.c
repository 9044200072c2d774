// SPDX-License-Identifier: MIT
/*
 * What events of private sessions say of their process, where sessions ask for it
 * by EVENT_ENABLE_PROPERTY_*: the same as the module says.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "private.h"

#define PID_BITS		22
#define NO_LOGIN		UINT32_MAX
/* The field of /proc/self/stat that has the start time, behind the name */
#define START_FIELD		20

/* The text of a small file of /proc; empty when it cannot be read */
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

/* S-1-22-1-UID */
static void put_sid(u8 *sid)
{
	static const u8 start[12] = {
		1, 2, [7] = 22, [8] = 1,
	};
	u32 uid = geteuid();

	memcpy(sid, start, sizeof(start));
	memcpy(sid + sizeof(start), &uid, sizeof(uid));
}

void evnt_private_who_init(struct evnt_private_who *who)
{
	put_sid(who->sid);
	who->login = login_session();
	who->start_key = start_ticks() << PID_BITS | (u32)getpid();
}

/* The event's own number in this process */
u64 evnt_private_event_key(void)
{
	static u64 last;

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}
