// SPDX-License-Identifier: GPL-2.0
/*
 * Image events of a process: a session that gets events with call stacks first
 * gets the images that their addresses are in, whatever its filters are; other
 * sessions get none.
 */
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/consumer.h"
#include "selftests/evntprov/filters/filters.h"
#include "selftests/evntprov/common/logs.h"
#include "selftests/evntprov/common/own_event.h"
#include "selftests/evntprov/common/own_id.h"
#include "selftests/evntprov/sessions/series.h"

#define H		HANDLE(1, 1)
#define STACK		EVNTRACE_PROPERTY_STACK_TRACE
#define STACK_TRACE64	6
#define SESSIONS	2
#define IMAGES		512

/* An image event */
struct image {
	struct evntprov_image fixed;
	struct own_file file;
};

/**
 * struct got - events that a session got
 * @images: image events, @count of them
 * @events: number of other events
 * @first: time of the first event with a stack
 * @address: the process's innermost frame in that stack
 * @wrong: description of the first error, or NULL
 */
struct got {
	struct image images[IMAGES];
	unsigned int count;
	unsigned int events;
	__s64 first;
	__u64 address;
	unsigned int wrong;
};

static void note_image(struct got *g, const struct etl_event *e)
{
	static const char schema[] = "\0Image\0Base\0\x15" "Size\0\x15"
		"Offset\0\x15" "ProcessStartKey\0\x0a" "Execs\0\x0a"
		"BuildId\0\x02" "FileName\0\x82\x23";
	struct image *image = &g->images[g->count++ % IMAGES];

	g->wrong += own_event_check(e, EVNTPROV_IMAGE_OPCODE, schema,
				    sizeof(schema) - 1);
	memcpy(&image->fixed, e->data, sizeof(image->fixed));
	g->wrong += own_event_file(e, sizeof(image->fixed), &image->file);
}

static void note_event(struct got *g, const struct etl_event *e)
{
	const __u8 *stack;
	uint16_t len, at;

	g->events++;
	stack = etl_ext(e, STACK_TRACE64, &len);
	if (!stack || g->first)
		return;
	g->first = e->time;
	for (at = 8; at < len && !g->address; at += 8) {
		if (!(etl_u64(stack + at) >> 63))
			g->address = etl_u64(stack + at);
	}
}

static void note(const struct etl_event *e, void *context)
{
	if (is_own_event(e))
		note_image(context, e);
	else
		note_event(context, e);
}

FIXTURE(images) {
	int prov;
	int trace;
	__u64 session[SESSIONS];
	struct got *got;
};

#define START(i, properties)						\
	log_start(self->trace, "images", i, properties, &self->session[i])

FIXTURE_SETUP(images)
{
	unsigned int i;

	self->got = calloc(SESSIONS, sizeof(*self->got));
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_EQ(0, dev_register(self->prov, H, 1, 0));
	for (i = 0; i < SESSIONS; i++)
		ASSERT_EQ(0, START(i, NULL));
}

FIXTURE_TEARDOWN(images)
{
	close(self->prov);
	logs_remove(self->trace, "images", self->session, SESSIONS);
	close(self->trace);
	free(self->got);
}

#define STOP_AND_READ(i) do {						\
	const char *error_;						\
	memset(&self->got[i], 0, sizeof(self->got[i]));			\
	error_ = log_finish(self->trace, "images", i,			\
			    &self->session[i], note, &self->got[i]);	\
	ASSERT_EQ(NULL, error_) {					\
		TH_LOG("%s", error_);					\
	}								\
	EXPECT_EQ(0, self->got[i].wrong);				\
	EXPECT_GT(IMAGES, self->got[i].count);				\
} while (0)

#define ENABLE(i, with)	({						\
	struct evntrace_enable e_ = enable_arg(1);	\
	e_.property = with;						\
	dev_ioctl(self->trace, self->session[i], EVNTRACE_IOC_ENABLE, &e_); })
#define WRITE()		dev_write(self->prov, H, "x", 1)

static const struct image *image_at(const struct got *g, __u64 address)
{
	unsigned int i;

	for (i = 0; i < g->count; i++) {
		if (address - g->images[i].fixed.base < g->images[i].fixed.size)
			return &g->images[i];
	}
	return NULL;
}

static const struct image *image_of(const struct got *g, const void *function)
{
	return image_at(g, (uintptr_t)function);
}

/* The process and the mapped part of the file, as seen by the dynamic linker */
TEST_F(images, images_of_this_program_are_recorded)
{
	char id[128] = "", path[4096] = "";
	const struct image *image;
	Dl_info info;

	own_id(id);
	ASSERT_LT(0, readlink("/proc/self/exe", path, sizeof(path) - 1));
	ASSERT_NE(0, dladdr(note, &info));
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	image = image_of(&self->got[0], note);
	ASSERT_NE(NULL, image);
	EXPECT_STREQ(path, image->file.path);
	EXPECT_STREQ(id, image->file.id);
	EXPECT_EQ(getpid(), image->file.pid);
	EXPECT_EQ(getpid(), image->fixed.start_key & 0x3fffff);
	EXPECT_EQ((uintptr_t)info.dli_fbase,
		  image->fixed.base - image->fixed.offset);
	image = image_of(&self->got[0], ioctl);
	ASSERT_NE(NULL, image);
	EXPECT_NE(NULL, strstr(image->file.path, "libc"));
	EXPECT_EQ(40, strlen(image->file.id));
}

TEST_F(images, images_precede_the_first_stack)
{
	const struct got *g = &self->got[0];
	unsigned int i;

	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	EXPECT_EQ(2, g->events);
	EXPECT_LT(1, g->count);
	EXPECT_NE(NULL, image_at(g, g->address));
	for (i = 0; i < g->count; i++) {
		EXPECT_GE(g->first, g->images[i].file.time);
		EXPECT_EQ(&g->images[i], image_at(g, g->images[i].fixed.base));
	}
}

TEST_F(images, only_sessions_with_stacks_get_images)
{
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, ENABLE(1, EVNTRACE_PROPERTY_SID));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	STOP_AND_READ(1);
	EXPECT_LT(1, self->got[0].count);
	EXPECT_EQ(0, self->got[1].count);
	EXPECT_EQ(1, self->got[1].events);
}

/* Filters select the provider's events; images come with those that pass */
TEST_F(images, filters_do_not_affect_images)
{
	struct config ids = {
		.level = 4, .property = STACK, .has_ids = true,
		.ids = { .in = 1, .count = 1, .id = { 1 } },
	}, none = ids;

	none.ids.id[0] = 2;
	ASSERT_EQ(0, enable_with(self->trace, self->session[0], 1, &ids));
	ASSERT_EQ(0, enable_with(self->trace, self->session[1], 1, &none));
	ASSERT_EQ(0, WRITE());
	/* The scan for the first session also serves the second */
	none.ids.in = 0;
	ASSERT_EQ(0, enable_with(self->trace, self->session[1], 1, &none));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	STOP_AND_READ(1);
	EXPECT_NE(NULL, image_of(&self->got[0], note));
	EXPECT_NE(NULL, image_of(&self->got[1], note));
	EXPECT_EQ(self->got[0].count, self->got[1].count);
	EXPECT_EQ(2, self->got[0].events);
	EXPECT_EQ(1, self->got[1].events);
}

/* No images if the filters let no event through */
TEST_F(images, no_images_are_recorded_without_events)
{
	struct config none = {
		.level = 4, .property = STACK, .has_ids = true,
		.ids = { .in = 1, .count = 1, .id = { 2 } },
	};

	ASSERT_EQ(0, enable_with(self->trace, self->session[0], 1, &none));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	EXPECT_EQ(0, self->got[0].count);
	EXPECT_EQ(0, self->got[0].events);
}

TEST_F(images, NO_FAULTING_never_waits_for_images)
{
	struct evntprov_write w = write_arg(H, NULL, 0);

	w.flags = EVNTPROV_WRITE_NO_FAULTING;
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, do_ioctl(self->prov, EVNTPROV_IOC_WRITE, &w));
	STOP_AND_READ(0);
	EXPECT_EQ(1, self->got[0].events);
	EXPECT_EQ(0, self->got[0].count);
}

TEST_F(images, images_loaded_later_are_recorded)
{
	const struct got *g = &self->got[0];
	const struct image *image;
	unsigned int i, same = 0;
	void *library;

	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	library = dlopen("libm.so.6", RTLD_NOW);
	ASSERT_NE(NULL, library);
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	image = image_of(g, dlsym(library, "cbrt"));
	ASSERT_NE(NULL, image);
	EXPECT_NE(NULL, strstr(image->file.path, "libm"));
	EXPECT_LT(g->first, image->file.time);
	/* No image is announced twice */
	for (i = 0; i < g->count; i++)
		same += g->images[i].fixed.base == g->images[0].fixed.base;
	EXPECT_EQ(1, same);
}

/* A new session gets the images even if it reuses an id */
TEST_F(images, each_session_gets_images)
{
	unsigned int count;

	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	ASSERT_EQ(0, ENABLE(1, STACK));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	STOP_AND_READ(1);
	count = self->got[0].count;
	EXPECT_LT(1, count);
	EXPECT_EQ(count, self->got[1].count);
	ASSERT_EQ(0, START(0, NULL));
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	EXPECT_EQ(count, self->got[0].count);
}

/* A new real-time consumer gets the images again */
TEST_F(images, each_consumer_gets_images)
{
	struct consumer c;
	unsigned int count;

	ASSERT_EQ(0, dev_stop(self->trace, self->session[0], NULL));
	ASSERT_EQ(0, dev_start(self->trace, "images0", NULL,
			       &(struct evntrace_start) {
					.log_file_mode = EVNTRACE_MODE_REAL_TIME,
			       }, &self->session[0]));
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	count = own_events_reported(self->trace, self->session[0], 1);
	EXPECT_LT(1, count);
	ASSERT_EQ(0, WRITE());
	EXPECT_EQ(count, own_events_reported(self->trace, self->session[0], 2));
	ASSERT_EQ(0, consumer_open(&c, self->session[0]));
	ASSERT_EQ(0, WRITE());
	EXPECT_EQ(2 * count,
		  own_events_reported(self->trace, self->session[0], 3));
	consumer_close(&c);
}

#define DIR	"/tmp/images"

/* Each new log file holds all images needed to read it */
TEST_F(images, each_log_file_gets_images)
{
	struct evntrace_session info = { .size = sizeof(info) };
	struct evntrace_start arg;
	struct series series;
	unsigned int count;
	__u16 name[16];

	ASSERT_EQ(0, dev_stop(self->trace, self->session[0], NULL));
	ASSERT_EQ(0, system("mkdir -p " DIR));
	series_init(&series, DIR);
	arg = start_arg(name, "images0", series.fd);
	arg.log_file_mode = EVNTRACE_MODE_NEWFILE;
	arg.max_file_size = 16;
	arg.series = (uintptr_t)&series.arg;
	ASSERT_EQ(0, do_ioctl(self->trace, EVNTRACE_IOC_START, &arg));
	self->session[0] = arg.handle;
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	count = own_events_reported(self->trace, arg.handle, 1);
	EXPECT_LT(1, count);
	info.control = EVNTRACE_CONTROL_INCREMENT;
	ASSERT_EQ(0, dev_ioctl(self->trace, arg.handle, EVNTRACE_IOC_CONTROL,
			       &info));
	ASSERT_EQ(0, WRITE());
	EXPECT_EQ(2 * count, own_events_reported(self->trace, arg.handle, 2));
	series_close(&series);
	EXPECT_EQ(0, system("rm -r " DIR));
}

/* A session in buffering mode keeps the images with the newest events */
TEST_F(images, images_are_repeated_when_the_oldest_buffers_are_overwritten)
{
	static __u8 data[1024];
	struct evntrace_start start = {
		.log_file_mode = EVNTRACE_MODE_BUFFERING, .buffer_size = 4096,
	};
	unsigned int count, n, tries;

	ASSERT_EQ(0, dev_stop(self->trace, self->session[0], NULL));
	ASSERT_EQ(0, dev_start(self->trace, "images0", NULL, &start,
			       &self->session[0]));
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	count = own_events_reported(self->trace, self->session[0], 1);
	EXPECT_LT(1, count);
	/* The number of events before the writer thread's turn may vary */
	for (tries = 0, n = 1; tries < 1000000; tries++) {
		if (own_events_reported(self->trace, self->session[0], n) >=
		    3 * count)
			break;
		n += !dev_write(self->prov, H, data, sizeof(data));
	}
	EXPECT_GT(1000000, tries);
}

/* A child that writes through its parent's file counts as another process */
TEST_F(images, images_of_a_child_are_recorded)
{
	const struct got *g = &self->got[0];
	unsigned int i, own = 0;
	int status;
	pid_t pid;

	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	pid = fork();
	if (!pid)
		_exit(WRITE() | WRITE());
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	for (i = 0; i < g->count; i++)
		own += g->images[i].file.pid == getpid();
	EXPECT_LT(1, own);
	EXPECT_EQ(2 * own, g->count);
	EXPECT_EQ(4, g->events);
}

/* Far more processes than the module remembers */
TEST_F(images, images_of_many_children_are_recorded)
{
	int i, status;
	pid_t pid;

	ASSERT_EQ(0, ENABLE(0, STACK));
	for (i = 0; i < 40; i++) {
		pid = fork();
		if (!pid)
			_exit(WRITE());
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_EQ(0, status);
	}
	EXPECT_EQ(0, WRITE());
}

#define CHILDREN	24

/* Write an event for each turn until the parent closes the pipe of turns */
static int write_in_turn(int prov, int turn, int done)
{
	char c;

	while (read(turn, &c, 1) == 1) {
		if (dev_write(prov, H, "x", 1) || write(done, &c, 1) != 1)
			return 1;
	}
	return 0;
}

/* The images of each process are in the log once, not once for each event */
TEST_F(images, processes_that_write_in_turn_get_images_once)
{
	int turn[CHILDREN][2], done[2], i, round, status;
	const struct got *g = &self->got[0];
	unsigned int k, mine = 0, own[CHILDREN] = {};
	pid_t pid[CHILDREN];
	char c = 0;

	ASSERT_EQ(0, pipe2(done, O_CLOEXEC));
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	for (i = 0; i < CHILDREN; i++) {
		ASSERT_EQ(0, pipe2(turn[i], O_CLOEXEC));
		pid[i] = fork();
		if (!pid[i]) {
			for (round = 0; round <= i; round++)
				close(turn[round][1]);
			_exit(write_in_turn(self->prov, turn[i][0], done[1]));
		}
	}
	for (round = 0; round < 2; round++) {
		for (i = 0; i < CHILDREN; i++) {
			ASSERT_EQ(1, write(turn[i][1], &c, 1));
			ASSERT_EQ(1, read(done[0], &c, 1));
		}
	}
	for (i = 0; i < CHILDREN; i++) {
		close(turn[i][0]);
		close(turn[i][1]);
	}
	for (i = 0; i < CHILDREN; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status);
	}
	close(done[0]);
	close(done[1]);
	STOP_AND_READ(0);
	EXPECT_EQ(1 + 2 * CHILDREN, g->events);
	for (k = 0; k < g->count; k++) {
		mine += g->images[k].file.pid == (__u32)getpid();
		for (i = 0; i < CHILDREN; i++)
			own[i] += g->images[k].file.pid == (__u32)pid[i];
	}
	EXPECT_LT(0, mine);
	for (i = 0; i < CHILDREN; i++)
		EXPECT_EQ(mine, own[i]);
}

/* Open the kernel's log at its end */
static int open_kernel_log(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* Count kernel messages about files that cannot be read */
static unsigned int complaints(int log)
{
	unsigned int n = 0;
	char line[8192];
	ssize_t len;

	while ((len = read(log, line, sizeof(line) - 1)) > 0) {
		line[len] = 0;
		n += !!strstr(line, "not supported for file");
	}
	return n;
}

/* Mappings of a device and of shared memory, which the kernel cannot read */
TEST_F(images, device_mappings_are_skipped_without_a_kernel_message)
{
	const struct got *g = &self->got[0];
	int zero, shm, log = open_kernel_log();
	void *device, *memory;
	unsigned int i;

	ASSERT_LE(0, log);
	zero = open("/dev/zero", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, zero);
	device = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, zero, 0);
	ASSERT_NE(MAP_FAILED, device);
	shm = shmget(IPC_PRIVATE, 4096, 0700);
	ASSERT_LE(0, shm);
	memory = shmat(shm, NULL, SHM_EXEC);
	shmctl(shm, IPC_RMID, NULL);
	ASSERT_NE((void *)-1, memory);
	ASSERT_EQ(0, ENABLE(0, STACK));
	ASSERT_EQ(0, WRITE());
	STOP_AND_READ(0);
	EXPECT_LT(0, g->count);
	for (i = 0; i < g->count; i++)
		EXPECT_NE((uintptr_t)device, g->images[i].fixed.base);
	EXPECT_EQ(0, complaints(log));
	shmdt(memory);
	munmap(device, 4096);
	close(zero);
	close(log);
}

TEST_HARNESS_MAIN
