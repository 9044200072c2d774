// SPDX-License-Identifier: MIT
/*
 * Extended items in events of private sessions, compared with the system's own
 * values: user, login session, start of the process, event key, package and
 * container.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "selftests/unit/common/private_session.h"

#include "selftests/unit/common/private_mounts.h"
#include "selftests/unit/common/tap.h"

#define ALL	(EVENT_ENABLE_PROPERTY_SID | EVENT_ENABLE_PROPERTY_TS_ID | \
		 EVENT_ENABLE_PROPERTY_PSM_KEY | \
		 EVENT_ENABLE_PROPERTY_EVENT_KEY | \
		 EVENT_ENABLE_PROPERTY_PROCESS_START_KEY | \
		 EVENT_ENABLE_PROPERTY_ENABLE_SILOS)
#define MAX_EVENTS	4

/* Items of each event; empty if absent */
static struct {
	unsigned int events;
	struct items {
		BYTE sid[16];
		ULONG login;
		ULONGLONG key;
		ULONGLONG start_key;
		WCHAR package[64];
		char container[64];
		USHORT sizes[EVENT_HEADER_EXT_TYPE_MAX];
	} of[MAX_EVENTS];
} seen;

/* Return the place for an item, and its size */
static void *place_of(struct items *of, USHORT type, size_t *room)
{
	switch (type) {
	case EVENT_HEADER_EXT_TYPE_SID:
		*room = sizeof(of->sid);
		return of->sid;
	case EVENT_HEADER_EXT_TYPE_TS_ID:
		*room = sizeof(of->login);
		return &of->login;
	case EVENT_HEADER_EXT_TYPE_EVENT_KEY:
		*room = sizeof(of->key);
		return &of->key;
	case EVENT_HEADER_EXT_TYPE_PROCESS_START_KEY:
		*room = sizeof(of->start_key);
		return &of->start_key;
	case EVENT_HEADER_EXT_TYPE_PSM_KEY:
		*room = sizeof(of->package);
		return of->package;
	case EVENT_HEADER_EXT_TYPE_CONTAINER_ID:
		*room = sizeof(of->container) - 1;
		return of->container;
	}
	return NULL;
}

static VOID WINAPI on_event(PEVENT_RECORD r)
{
	const EVENT_HEADER_EXTENDED_DATA_ITEM *item = r->ExtendedData;
	struct items *of = &seen.of[seen.events];
	size_t room;
	USHORT i;
	void *to;

	if (private_is_header(r) || seen.events == MAX_EVENTS)
		return;
	for (i = 0; i < r->ExtendedDataCount; i++, item++) {
		to = place_of(of, item->ExtType, &room);
		if (!to || item->DataSize > room)
			continue;
		memcpy(to, (const void *)(uintptr_t)item->DataPtr,
		       item->DataSize);
		of->sizes[item->ExtType] = item->DataSize;
	}
	seen.events++;
}

static bool read_log(const char *path)
{
	memset(&seen, 0, sizeof(seen));
	return !private_read(path, on_event, NULL, NULL);
}

/* Write one event with all items to a file at @path, or NAME.etl if NULL */
static bool write_one(const char *name, const char *path)
{
	struct private_properties p;
	TRACEHANDLE h;
	REGHANDLE r;
	bool ok;

	private_init(&p, IN_PROC, name);
	if (path)
		snprintf(p.log, sizeof(p.log), "%s", path);
	EventRegister(&provider, NULL, NULL, &r);
	ok = !StartTraceA(&h, name, &p.p) && !private_enable(h, ALL, NULL, 0) &&
	     !private_write(r, 1) && !private_stop(&p, h);
	EventUnregister(r);
	return ok && read_log(path ? path : private_path(name)) &&
	       seen.events == 1;
}

static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, size - 1);

	close(fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* Field 22 of /proc/self/stat, see proc(5); field 2 is in parentheses */
static ULONGLONG start_time(void)
{
	unsigned long long value = 0;
	char text[1024];

	if (!read_text("/proc/self/stat", text, sizeof(text)) ||
	    sscanf(strrchr(text, ')') + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
		   &value) != 1)
		return 0;
	return value;
}

static bool is_start_key(ULONGLONG key)
{
	return key >> 22 == start_time() && start_time() &&
	       (key & 0x3fffff) == (ULONGLONG)getpid();
}

static void test_start_key(void)
{
	char before[16];

	CHECK(write_one("start", NULL) && is_start_key(seen.of[0].start_key),
	      "a process has the number of its start, and its id");
	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "a) 1 2 (b");
	CHECK(write_one("start", NULL) && is_start_key(seen.of[0].start_key),
	      "brackets and spaces in the program's name are accepted");
	prctl(PR_SET_NAME, before);
}

/* S-1-22-1-UID */
static bool is_user(const BYTE *sid, ULONG uid)
{
	static const BYTE start[12] = { 1, 2, [7] = 22, [8] = 1 };

	return !memcmp(sid, start, sizeof(start)) &&
	       !memcmp(sid + sizeof(start), &uid, sizeof(uid));
}

#define A_USER	54321

/* The SID is the effective user, not the one that started the process */
static int child_of_two_users(void)
{
	if (chdir(private_folder) || setresuid(-1, A_USER, -1))
		return 77;
	if (!write_one("user", "open/user.etl"))
		return 1;
	return is_user(seen.of[0].sid, A_USER) ? 0 : 2;
}

static void test_user(void)
{
	char path[128];
	int status;

	CHECK(write_one("sid", NULL) && is_user(seen.of[0].sid, geteuid()),
	      "a user has its number in a SID");
	snprintf(path, sizeof(path), "%s/open", private_folder);
	if (mkdir(path, 0700) || chmod(path, 0777)) {
		CHECK(false, "a folder for another user");
		return;
	}
	status = private_in_child(child_of_two_users);
	if (status == 77) {
		SKIP("this user cannot become another one");
		return;
	}
	CHECK(!status, "the SID is the effective user");
}

static void test_event_key(void)
{
	struct private_properties p, q;
	TRACEHANDLE h, second;
	ULONGLONG keys[2];
	REGHANDLE r;

	EventRegister(&provider, NULL, NULL, &r);
	private_start(&p, "key", &h);
	private_start(&q, "key2", &second);
	private_enable(h, EVENT_ENABLE_PROPERTY_EVENT_KEY, NULL, 0);
	private_enable(second, EVENT_ENABLE_PROPERTY_EVENT_KEY, NULL, 0);
	private_write(r, 1);
	private_write(r, 2);
	private_stop(&p, h);
	private_stop(&q, second);
	EventUnregister(r);
	CHECK(read_log(private_path("key")) && seen.events == 2 &&
	      seen.of[0].key && seen.of[0].key != seen.of[1].key,
	      "each event has its own key");
	keys[0] = seen.of[0].key;
	keys[1] = seen.of[1].key;
	CHECK(read_log(private_path("key2")) && seen.of[0].key == keys[0] &&
	      seen.of[1].key == keys[1],
	      "an event has the same key in each session");
}

static void test_login(void)
{
	unsigned long login = 0;
	char text[32];

	if (read_text("/proc/self/sessionid", text, sizeof(text)))
		login = strtoul(text, NULL, 10);
	CHECK(write_one("login", NULL) &&
	      seen.of[0].login == (login == UINT32_MAX ? 0 : login) &&
	      seen.of[0].sizes[EVENT_HEADER_EXT_TYPE_TS_ID] == 4,
	      "a login session is the system's");
}

/* Replace a file of /proc/self by @text while an event is written */
static bool write_one_with(const char *file, const char *text, const char *name)
{
	char to[64], from[128];
	bool ok;

	snprintf(to, sizeof(to), "/proc/self/%s", file);
	snprintf(from, sizeof(from), "%s/proc", private_folder);
	if (!mounts_write(from, text) || mount(from, to, NULL, MS_BIND, NULL))
		return false;
	ok = write_one(name, NULL);
	return !umount(to) && ok;
}

static void test_other_logins(void)
{
	CHECK(write_one_with("sessionid", "7", "login7") &&
	      seen.of[0].login == 7, "a login session has its number");
	CHECK(write_one_with("sessionid", "4294967295", "nologin") &&
	      !seen.of[0].login, "a process of none has 0");
}

#define UNIT	"app-flatpak-org.example.App-123.scope"

static bool same_text(const WCHAR *wide, const char *text)
{
	while (*text && *wide == (WCHAR)*text) {
		wide++;
		text++;
	}
	return !*text && !*wide;
}

/* A cgroup of the test: its id is the folder's inode number */
static void test_cgroup(void)
{
	char root[128], path[256], id[64];
	struct stat st;

	snprintf(root, sizeof(root), "%s/cgroup", private_folder);
	snprintf(path, sizeof(path), "%s/%s", root, UNIT);
	if (mkdir(root, 0700) || mkdir(path, 0700) || stat(path, &st)) {
		CHECK(false, "a folder for a cgroup");
		return;
	}
	snprintf(path, sizeof(path), "%s/cgroup.procs", root);
	if (!mounts_write(path, "1\n") ||
	    mount(root, "/sys/fs/cgroup", NULL, MS_BIND, NULL)) {
		SKIP("nothing can be mounted at /sys/fs/cgroup");
		return;
	}
	snprintf(id, sizeof(id), "00000000-0000-0000-%04llx-%012llx",
		 (unsigned long long)st.st_ino >> 48,
		 (unsigned long long)st.st_ino & 0xffffffffffff);
	CHECK(write_one_with("cgroup", "3:cpu:/other\n0::/" UNIT "\n", "cgroup") &&
	      !strcmp(seen.of[0].container, id),
	      "a container has the number of its cgroup");
	CHECK(same_text(seen.of[0].package, "org.example.App") &&
	      seen.of[0].sizes[EVENT_HEADER_EXT_TYPE_PSM_KEY] == 32,
	      "a package has its name");
	CHECK(write_one_with("cgroup", "0::/\n", "nothing") &&
	      !seen.of[0].sizes[EVENT_HEADER_EXT_TYPE_PSM_KEY],
	      "a process of no package has none");
	umount("/sys/fs/cgroup");
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	chmod(private_folder, 0711);
	test_start_key();
	test_user();
	test_event_key();
	test_login();
	if (mounts_begin()) {
		test_other_logins();
		test_cgroup();
	} else {
		SKIP("this process cannot mount: %s", strerror(errno));
	}
	private_clean();
	return tap_end();
}
