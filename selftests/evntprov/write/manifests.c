// SPDX-License-Identifier: GPL-2.0
/*
 * Files that contain a provider's manifest: a session that enables the provider
 * first gets manifest events that name the files, whatever its filters are;
 * other sessions do not.
 */
#include <sys/stat.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/consumer.h"
#include "selftests/evntprov/filters/filters.h"
#include "selftests/evntprov/common/lib.h"
#include "selftests/evntprov/common/logs.h"
#include "selftests/evntprov/common/own_event.h"
#include "selftests/evntprov/common/own_id.h"
#include "selftests/evntprov/sessions/series.h"

#define H		HANDLE(1, 1)
#define CLASS		EVNTPROV_INFO_MANIFEST
#define SESSIONS	2
#define MANIFESTS	128
#define PAGE		4096
#define DIR		"/tmp/manifests"
#define COPY		DIR "/copy"

/* A manifest event */
struct manifest {
	struct evntprov_manifest fixed;
	struct own_file file;
};

/**
 * struct got - events that a session got
 * @manifests: manifest events, @count of them
 * @events: number of other events
 * @first: time of the first other event
 * @wrong: description of the first error, or NULL
 */
struct got {
	struct manifest manifests[MANIFESTS];
	unsigned int count;
	unsigned int events;
	__s64 first;
	unsigned int wrong;
};

static void note_manifest(struct got *g, const struct etl_event *e)
{
	static const char schema[] = "\0Manifest\0Provider\0\x0f"
		"BuildId\0\x02" "FileName\0\x82\x23";
	struct manifest *m = &g->manifests[g->count++ % MANIFESTS];

	g->wrong += own_event_check(e, 0, schema, sizeof(schema) - 1);
	memcpy(&m->fixed, e->data, sizeof(m->fixed));
	g->wrong += own_event_file(e, sizeof(m->fixed), &m->file);
}

static void note(const struct etl_event *e, void *context)
{
	struct got *g = context;

	if (is_own_event(e)) {
		note_manifest(g, e);
		return;
	}
	if (!g->events++)
		g->first = e->time;
}

FIXTURE(manifests) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
	char own[4096];
	char *copy;
	struct got *got;
};

static char *map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *map = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0);

	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

#define START(i, properties)						\
	log_start(self->trace, "manifests", i, properties, &self->session[i])

FIXTURE_SETUP(manifests)
{
	unsigned int i;

	self->got = calloc(SESSIONS, sizeof(*self->got));
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_LT(0, readlink("/proc/self/exe", self->own,
			      sizeof(self->own) - 1));
	ASSERT_EQ(0, system("mkdir -p " DIR));
	ASSERT_EQ(0, system("echo copy > " COPY));
	self->copy = map_file(COPY);
	ASSERT_NE(NULL, self->copy);
	for (i = 0; i < SESSIONS; i++)
		ASSERT_EQ(0, START(i, NULL));
}

FIXTURE_TEARDOWN(manifests)
{
	close(self->prov);
	logs_remove(self->trace, "manifests", self->session, SESSIONS);
	close(self->trace);
	munmap(self->copy, PAGE);
	EXPECT_EQ(0, system("rm -r " DIR));
	free(self->got);
}

#define STOP_AND_READ(i) do {						\
	const char *error_;						\
	memset(&self->got[i], 0, sizeof(self->got[i]));			\
	error_ = log_finish(self->trace, "manifests", i,		\
			    &self->session[i], note, &self->got[i]);	\
	ASSERT_EQ(NULL, error_) {					\
		TH_LOG("%s", error_);					\
	}								\
	EXPECT_EQ(0, self->got[i].wrong);				\
	EXPECT_GT(MANIFESTS, self->got[i].count);			\
} while (0)

#define ENABLE(i)	dev_enable(self->trace, self->session[i], 1)
#define WRITE()		dev_write(self->prov, H, "x", 1)
#define ANNOUNCE(handle, at) \
	dev_set_info(self->prov, handle, CLASS, (const void *)(at), 0)
#define ANNOUNCE_OWN()	ANNOUNCE(H, note)

#define REPORTED(i, events) \
	own_events_reported(self->trace, self->session[i], events)

static bool is_one(const struct got *g, const char *path)
{
	const struct evntprov_guid id = guid_of(1);

	return g->count == 1 && !strcmp(g->manifests->file.path, path) &&
	       !memcmp(&g->manifests->fixed.provider, &id, sizeof(id));
}

TEST_F(manifests, the_manifest_of_this_program_is_announced)
{
	const struct manifest *m = self->got[0].manifests;
	char id[128] = "";

	own_id(id);
	ASSERT_EQ(0, ENABLE(0));
	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	EXPECT_TRUE(is_one(&self->got[0], self->own));
	EXPECT_STREQ(id, m->file.id);
	EXPECT_EQ(getpid(), m->file.pid);
	EXPECT_EQ(1, self->got[0].events);
	EXPECT_GE(self->got[0].first, m->file.time);
}

/* A file without a build id */
TEST_F(manifests, the_manifest_of_a_file_without_a_build_id_is_announced)
{
	ASSERT_EQ(0, ENABLE(0));
	ASSERT_EQ(0, ANNOUNCE(H, self->copy + PAGE - 1));
	STOP_AND_READ(0);
	EXPECT_TRUE(is_one(&self->got[0], COPY));
	EXPECT_STREQ("", self->got[0].manifests->file.id);
}

/* A session that enables it later gets the manifest before its first event */
TEST_F(manifests, manifests_are_announced_when_the_provider_is_enabled)
{
	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, ENABLE(0));
	EXPECT_EQ(1, REPORTED(0, 0));
	EXPECT_EQ(0, REPORTED(1, 0));
	ASSERT_EQ(0, ENABLE(1));
	EXPECT_EQ(1, REPORTED(0, 0));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	STOP_AND_READ(1);
	EXPECT_TRUE(is_one(&self->got[0], self->own));
	EXPECT_TRUE(is_one(&self->got[1], self->own));
	EXPECT_GE(self->got[1].first, self->got[1].manifests->file.time);
}

/* Not repeated for a changed level, or for other registrations */
TEST_F(manifests, manifests_are_announced_once)
{
	struct evntrace_enable e = enable_arg(1);
	unsigned int i;

	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, ENABLE(0));
	e.level = 3;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &e));
	e.control = EVNTPROV_CONTROL_DISABLE;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &e));
	ASSERT_EQ(0, ENABLE(0));
	for (i = 2; i < 10; i++) {
		ASSERT_EQ(0, dev_register(self->prov, HANDLE(i, 1), 1, 0));
		ASSERT_EQ(0, ANNOUNCE(HANDLE(i, 1), note));
	}
	for (i = 1; i < 10; i++)
		ASSERT_EQ(0, dev_unregister(self->prov, HANDLE(i, 1)));
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	ASSERT_EQ(0, ANNOUNCE_OWN());
	EXPECT_EQ(1, REPORTED(0, 0));
	/* Repeated for another provider, or another file */
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(2, 1), 2, 0));
	ASSERT_EQ(0, ANNOUNCE(HANDLE(2, 1), note));
	EXPECT_EQ(1, REPORTED(0, 0));
	ASSERT_EQ(0, dev_enable(self->trace, self->session[0], 2));
	EXPECT_EQ(2, REPORTED(0, 0));
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(3, 1), 1, 0));
	ASSERT_EQ(0, ANNOUNCE(HANDLE(3, 1), self->copy));
	EXPECT_EQ(3, REPORTED(0, 0));
}

/* Filters select the provider's events; manifest events always pass */
TEST_F(manifests, filters_do_not_affect_manifests)
{
	struct config none = {
		.level = 1, .has_ids = true,
		.ids = { .in = 1, .count = 1, .id = { 2 } },
	};

	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, enable_with(self->trace, self->session[0], 1, &none));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	EXPECT_TRUE(is_one(&self->got[0], self->own));
	EXPECT_EQ(0, self->got[0].events);
}

/* A session whose scope excludes the registration does not get the manifest */
TEST_F(manifests, only_sessions_with_the_process_in_scope_get_manifests)
{
	__u32 other = 1;
	struct evntrace_filter filter = {
		.ptr = (uintptr_t)&other, .len = sizeof(other),
		.type = EVNTRACE_FILTER_PID,
	};
	struct evntrace_enable e = enable_arg(1);

	e.filter_count = 1;
	e.filters = (uintptr_t)&filter;
	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(0, REPORTED(0, 0));
	other = getpid();
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(1, REPORTED(0, 0));
}

TEST_F(manifests, manifests_of_group_members_are_announced)
{
	/* Size, a name of one letter, size of the trait, its type */
	__u8 traits[23] = "\x17\0G\0\x13\0\x01";
	struct evntrace_enable e = enable_arg(9);

	memcpy(traits + 7, &e.provider, sizeof(e.provider));
	e.property = EVNTRACE_PROPERTY_PROVIDER_GROUP;
	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(0, REPORTED(0, 0));
	ASSERT_EQ(0, dev_set_info(self->prov, H, EVNTPROV_INFO_TRAITS,
				  traits, sizeof(traits)));
	EXPECT_EQ(1, REPORTED(0, 0));
	/* Enabling by provider id too does not repeat it for the session */
	ASSERT_EQ(0, ENABLE(0));
	EXPECT_EQ(1, REPORTED(0, 0));
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[1],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(1, REPORTED(1, 0));
}

/* Capture state repeats the manifest once */
TEST_F(manifests, capture_state_announces_manifests_again)
{
	struct evntrace_enable e = enable_arg(1);

	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, dev_register(self->prov, HANDLE(2, 1), 1, 0));
	ASSERT_EQ(0, ANNOUNCE(HANDLE(2, 1), note));
	e.control = EVNTPROV_CONTROL_CAPTURE_STATE;
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(0, REPORTED(0, 0));
	ASSERT_EQ(0, ENABLE(0));
	ASSERT_EQ(0, ENABLE(1));
	EXPECT_EQ(1, REPORTED(0, 0));
	ASSERT_EQ(0, dev_ioctl(self->trace, self->session[0],
			       EVNTRACE_IOC_ENABLE, &e));
	EXPECT_EQ(2, REPORTED(0, 0));
	EXPECT_EQ(1, REPORTED(1, 0));
}

/* A new session gets the manifest even if it reuses an id */
TEST_F(manifests, each_session_gets_manifests)
{
	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, ENABLE(0));
	STOP_AND_READ(0);
	ASSERT_EQ(0, START(0, NULL));
	ASSERT_EQ(0, ENABLE(0));
	STOP_AND_READ(0);
	EXPECT_TRUE(is_one(&self->got[0], self->own));
}

TEST_F(manifests, each_consumer_gets_manifests)
{
	struct consumer c;

	ASSERT_EQ(0, dev_stop(self->trace, self->session[0], NULL));
	ASSERT_EQ(0, dev_start(self->trace, "manifests0", NULL,
			       &(struct evntrace_start) {
					.log_file_mode = EVNTRACE_MODE_REAL_TIME,
			       }, &self->session[0]));
	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, ENABLE(0));
	EXPECT_EQ(1, REPORTED(0, 0));
	/* Opening a consumer repeats the manifest before it returns */
	ASSERT_EQ(0, consumer_open(&c, self->session[0]));
	EXPECT_EQ(2, REPORTED(0, 0));
	consumer_close(&c);
}

TEST_F(manifests, each_log_file_gets_manifests)
{
	struct evntrace_session info = { .size = sizeof(info) };
	struct evntrace_start arg;
	struct series series;
	__u16 name[16];

	ASSERT_EQ(0, dev_stop(self->trace, self->session[0], NULL));
	series_init(&series, DIR);
	arg = start_arg(name, "manifests0", series.fd);
	arg.log_file_mode = EVNTRACE_MODE_NEWFILE;
	arg.max_file_size = 16;
	arg.series = (uintptr_t)&series.arg;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	self->session[0] = arg.handle;
	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, ENABLE(0));
	EXPECT_EQ(1, REPORTED(0, 0));
	info.control = EVNTRACE_CONTROL_INCREMENT;
	ASSERT_EQ(0, dev_ioctl(self->trace, arg.handle, EVNTRACE_IOC_CONTROL,
			       &info));
	EXPECT_TRUE(EVENTUALLY(REPORTED(0, 0) == 2));
	series_close(&series);
}

/* A session in buffering mode keeps the manifest with the newest events */
TEST_F(manifests, manifests_are_repeated_when_the_oldest_buffers_are_overwritten)
{
	static __u8 data[1024];
	struct evntrace_start start = {
		.log_file_mode = EVNTRACE_MODE_BUFFERING, .buffer_size = 4096,
	};
	unsigned int n, tries;

	ASSERT_EQ(0, dev_stop(self->trace, self->session[0], NULL));
	ASSERT_EQ(0, dev_start(self->trace, "manifests0", NULL, &start,
			       &self->session[0]));
	ASSERT_EQ(0, ANNOUNCE_OWN());
	ASSERT_EQ(0, ENABLE(0));
	EXPECT_EQ(1, REPORTED(0, 0));
	/* The number of events before the session's thread runs may vary */
	for (tries = 0, n = 0; tries < 1000000; tries++) {
		if (REPORTED(0, n) >= 3)
			break;
		n += !dev_write(self->prov, H, data, sizeof(data));
	}
	EXPECT_GT(1000000, tries);
}

TEST_F(manifests, manifest_errors)
{
	char *page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	char *area = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->prov, 0);

	ASSERT_NE(MAP_FAILED, page);
	ASSERT_NE(MAP_FAILED, area);
	ASSERT_EQ(0, ENABLE(0));
	EXPECT_EQ(ENOENT, ANNOUNCE(HANDLE(2, 1), note));
	EXPECT_EQ(ENOENT, ANNOUNCE(0, note));
	EXPECT_EQ(EFAULT, ANNOUNCE(H, 0));
	EXPECT_EQ(EFAULT, ANNOUNCE(H, -1));
	EXPECT_EQ(EFAULT, ANNOUNCE(H, 1ul << 63));
	EXPECT_EQ(EINVAL, ANNOUNCE(H, page));
	EXPECT_EQ(EINVAL, ANNOUNCE(H, area));
	munmap(page, PAGE);
	EXPECT_EQ(EFAULT, ANNOUNCE(H, page));
	EXPECT_EQ(EINVAL, dev_set_info(self->prov, H, CLASS, note, 1));
	EXPECT_EQ(0, REPORTED(0, 0));
	EXPECT_EQ(0, ANNOUNCE_OWN());
	EXPECT_EQ(EEXIST, ANNOUNCE_OWN());
	EXPECT_EQ(EEXIST, ANNOUNCE(H, self->copy));
	EXPECT_EQ(1, REPORTED(0, 0));
	munmap(area, PAGE);
}

/* At most 64 files may be named for one provider at a time */
TEST_F(manifests, a_provider_has_at_most_64_manifests)
{
	unsigned int i;
	char path[64];
	char *map;

	ASSERT_EQ(0, dev_enable(self->trace, self->session[0], 2));
	for (i = 0; i < 66; i++) {
		sprintf(path, DIR "/%u", i);
		ASSERT_EQ(0, link(COPY, path));
		map = map_file(path);
		ASSERT_NE(NULL, map);
		ASSERT_EQ(0, dev_register(self->prov, HANDLE(i + 2, 1), 2,
					  0));
		if (i == 65) {
			EXPECT_EQ(ENOSPC, ANNOUNCE(HANDLE(i + 2, 1), map));
			EXPECT_EQ(0, dev_unregister(self->prov, HANDLE(2, 1)));
		}
		EXPECT_EQ(i == 64 ? ENOSPC : 0, ANNOUNCE(HANDLE(i + 2, 1), map));
		munmap(map, PAGE);
	}
	EXPECT_EQ(65, REPORTED(0, 0));
}

/* The event has the old name, marked as deleted */
TEST_F(manifests, the_manifest_of_a_deleted_file_is_announced)
{
	ASSERT_EQ(0, unlink(COPY));
	ASSERT_EQ(0, ENABLE(0));
	ASSERT_EQ(0, ANNOUNCE(H, self->copy));
	STOP_AND_READ(0);
	EXPECT_TRUE(is_one(&self->got[0], COPY " (deleted)"));
}

/* Descend into nested folders until the path has @len bytes */
static bool go_deep(size_t len)
{
	char name[256];
	size_t n;

	if (chdir(DIR))
		return false;
	for (len -= strlen(DIR); len; len -= n) {
		n = len > 2 * 200 ? 200 : len > 200 ? len - 200 : len;
		memset(name, 'd', n - 1);
		name[n - 1] = 0;
		if (mkdir(name, 0755) || chdir(name))
			return false;
	}
	return true;
}

/* Paths beyond the maximum are not announced, nor ones too long for a buffer */
TEST_F(manifests, the_manifest_of_a_long_path_is_announced)
{
	struct evntrace_start small = { .buffer_size = 4096 };
	struct evntrace_session q;
	char *map;

	ASSERT_TRUE(go_deep(4094));
	ASSERT_EQ(0, link(COPY, "f"));
	map = map_file("f");
	ASSERT_NE(NULL, map);
	EXPECT_EQ(ENAMETOOLONG, ANNOUNCE(H, map));
	munmap(map, PAGE);
	ASSERT_EQ(0, chdir("/"));
	ASSERT_EQ(0, system("rm -r " DIR "/d*"));
	ASSERT_TRUE(go_deep(4092));
	ASSERT_EQ(0, link(COPY, "f"));
	map = map_file("f");
	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, dev_stop(self->trace, self->session[1], NULL));
	ASSERT_EQ(0, START(1, &small));
	ASSERT_EQ(0, ENABLE(0));
	ASSERT_EQ(0, ENABLE(1));
	EXPECT_EQ(0, ANNOUNCE(H, map));
	EXPECT_EQ(1, REPORTED(0, 0));
	EXPECT_EQ(0, REPORTED(1, 0));
	ASSERT_EQ(0, dev_control(self->trace, DEV_QUERY,
				 self->session[1], &q));
	EXPECT_EQ(1, q.events_too_large);
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	EXPECT_EQ(1, self->got[0].count);
	EXPECT_EQ(4094, strlen(self->got[0].manifests->file.path));
	munmap(map, PAGE);
	ASSERT_EQ(0, chdir("/"));
}

/* The path is as the process sees it */
TEST_F(manifests, the_path_is_as_the_process_sees_it)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, ENABLE(0));
	pid = fork();
	if (!pid)
		_exit(chroot(DIR) || chdir("/") ||
		      ANNOUNCE(H, map_file("/copy")));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	STOP_AND_READ(0);
	EXPECT_TRUE(is_one(&self->got[0], "/copy"));
	EXPECT_EQ(getpid(), self->got[0].manifests->file.pid);
}

/* Registrations, sessions and manifests that come and go concurrently */
TEST_F(manifests, manifests_are_announced_while_providers_and_sessions_change)
{
	unsigned int i;
	pid_t pid;
	int prov;

	pid = fork();
	if (!pid) {
		prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
		for (i = 0;; i++) {
			dev_register(prov, H, 1, 0);
			dev_set_info(prov, H, CLASS,
				     i % 2 ? self->copy : (void *)note, 0);
			dev_unregister(prov, H);
		}
	}
	ASSERT_LT(0, pid);
	for (i = 0; i < 10; i++) {
		ASSERT_EQ(0, ENABLE(0));
		ASSERT_EQ(0, WRITE());
		STOP_AND_READ(0);
		ASSERT_EQ(0, START(0, NULL));
		EXPECT_GE(2, self->got[0].count);
	}
	EXPECT_EQ(0, kill(pid, SIGKILL));
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
}

TEST_HARNESS_MAIN
