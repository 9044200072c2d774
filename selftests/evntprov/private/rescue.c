// SPDX-License-Identifier: GPL-2.0
/*
 * EVNTPROV_IOC_RESCUE without the library: buffers and logs of a process that
 * ends, and of one that means harm.
 */
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "selftests/evntprov/common/harness.h"

#include "core/etl.h"
#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/common/lib.h"
#include "selftests/evntprov/common/process.h"
#include "selftests/evntprov/common/write_file.h"
#include "selftests/evntprov/sessions/fuse.h"

#define LOG	"/tmp/rescue.etl"
#define OTHER	"/tmp/rescue_other.etl"
#define DIR	"/tmp/rescue"
#define SIZE	4096u
#define COUNT	6u
/* Offsets in a log's header */
#define END_TIME	0x78
#define START_TIME	0x170
#define MOST	256u	/* logs of a user */
#define FILES	20u	/* of a process that has many */
#define WAIT	5u	/* time that a process may wait for its log */
#define PARAMETERS	"/sys/module/evntprov/parameters/"

/* Memory of a process, as the ioctl takes it */
struct memory {
	uint8_t buffers[COUNT][SIZE];
	uint64_t addresses[COUNT];
	uint64_t written;
} __attribute__((aligned(SIZE)));

FIXTURE(rescue) {
	int prov;
	struct memory *m;
};

FIXTURE_SETUP(rescue)
{
	unsigned int i;

	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->prov);
	self->m = mmap(NULL, sizeof(*self->m), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->m);
	for (i = 0; i < COUNT; i++)
		self->m->addresses[i] = (uintptr_t)self->m->buffers[i];
	self->m->written = 1ull << 32;
}

FIXTURE_TEARDOWN(rescue)
{
	close(self->prov);
	munmap(self->m, sizeof(*self->m));
	unlink(LOG);
	unlink(OTHER);
}

/* Create a log that has a header and nothing else */
static int log_create(const char *path)
{
	const struct etl_buffer_header h = {
		.buffer_size = SIZE, .saved_offset = SIZE,
		.current_offset = SIZE, .offset = SIZE,
		.state = ETL_STATE_FLUSH, .type = ETL_TYPE_HEADER,
	};
	const uint32_t marker = 0xc0020002, size = SIZE, processors = 64;
	int fd = new_log(path);

	if (pwrite(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    pwrite(fd, &marker, 4, sizeof(h)) != 4 ||
	    pwrite(fd, &size, 4, 0x68) != 4 ||
	    pwrite(fd, &processors, 4, 0x74) != 4 || ftruncate(fd, SIZE))
		return -1;
	return fd;
}

/* Remove the end of a log, as if its process went on */
static void continue_log(int log)
{
	const uint64_t end = 0;

	if (pwrite(log, &end, sizeof(end), END_TIME) != sizeof(end))
		exit(1);
}

/* Fill a buffer with @count events, of which each contains @sequence */
static void put_buffer(struct memory *m, unsigned int at, int64_t sequence,
		       unsigned int count)
{
	const struct etl_buffer_header h = {
		.buffer_size = SIZE, .sequence = sequence,
		.flag = ETL_FLAG_PROC_INDEX, .state = ETL_STATE_LOGGING,
	};
	const struct etl_event_header e = {
		.size = sizeof(e) + 8, .kind = ETL_RECORD_EVENT64,
		.time_stamp = sequence,
	};
	uint8_t *to = m->buffers[at];

	memset(to, 0, SIZE);
	memcpy(to, &h, sizeof(h));
	for (to += sizeof(h); count; count--, to += e.size) {
		memcpy(to, &e, sizeof(e));
		memcpy(to + sizeof(e), &sequence, sizeof(sequence));
	}
}

static struct evntprov_rescue arg_of(struct memory *m, int log)
{
	return (struct evntprov_rescue) {
		.size = sizeof(struct evntprov_rescue), .log_fd = log,
		.buffer_size = SIZE, .count = COUNT,
		.buffers = (uintptr_t)m->addresses,
		.written = (uintptr_t)&m->written,
	};
}

static int rescue(int prov, struct evntprov_rescue arg)
{
	return do_ioctl(prov, EVNTPROV_IOC_RESCUE, &arg);
}

/* Numbers in the events of a log, in their order, as text */
struct numbers {
	char text[200];
	struct etl_scan scan;
};

static void take(const struct etl_event *e, void *context)
{
	char *text = context;

	sprintf(text + strlen(text), "%d ", (int)etl_u64(e->data));
}

static const char *numbers_of(const char *path, struct numbers *n)
{
	memset(n, 0, sizeof(*n));
	return etl_scan(path, &n->scan, take, n->text) ? n->text : n->scan.error;
}

/* Run @end in a process that has made the call; the file is its own */
#define IN_PROCESS(prov, arg, end) ({					\
	int status_;							\
	pid_t child_ = fork();						\
	if (!child_) {							\
		prctl(PR_SET_PDEATHSIG, SIGKILL);			\
		close(prov);						\
		prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);	\
		if (rescue(prov, arg))					\
			_exit(9);					\
		end;							\
		_exit(0);						\
	}								\
	waitpid(child_, &status_, 0);					\
	WIFEXITED(status_) ? WEXITSTATUS(status_) : 0; })

TEST_F(rescue, buffers_are_written_in_the_order_of_their_numbers)
{
	const int log = log_create(LOG);
	struct numbers n;

	put_buffer(self->m, 0, 8, 2);
	put_buffer(self->m, 2, 7, 1);
	put_buffer(self->m, 3, (1ll << 32) + 1, 1);
	put_buffer(self->m, 4, 6, 3);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log), raise(SIGKILL)));
	EXPECT_STREQ("6 6 6 7 8 8 1 ", numbers_of(LOG, &n));
	EXPECT_EQ(5, n.scan.buffers_written);
	EXPECT_NE(0, n.scan.end_time);
	EXPECT_EQ(0, n.scan.events_lost);
	close(log);
}

/* A process may be killed between writing a buffer and reusing it */
TEST_F(rescue, a_buffer_that_is_in_the_file_is_not_written_again)
{
	const int log = log_create(LOG);
	struct numbers n;

	put_buffer(self->m, 0, 5, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log), _exit(0)));
	continue_log(log);
	put_buffer(self->m, 1, 6, 1);
	self->m->written = 2ull << 32 | 5;
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log), _exit(0)));
	EXPECT_STREQ("5 6 ", numbers_of(LOG, &n));
	EXPECT_EQ(3, n.scan.buffers_written);
	close(log);
}

TEST_F(rescue, a_full_log_stays_as_long_as_it_may_be)
{
	struct evntprov_rescue arg = arg_of(self->m, log_create(LOG));
	struct numbers n;
	unsigned int i;

	arg.slots = 3;
	for (i = 0; i < COUNT; i++)
		put_buffer(self->m, i, i + 1, 2);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg, _exit(0)));
	EXPECT_STREQ("1 1 2 2 ", numbers_of(LOG, &n));
	EXPECT_EQ(4, n.scan.buffers_lost);
	EXPECT_EQ(8, n.scan.events_lost);
	close(arg.log_fd);
}

TEST_F(rescue, a_circular_log_keeps_the_newest_buffers)
{
	struct evntprov_rescue arg = arg_of(self->m, log_create(LOG));
	struct numbers n;
	unsigned int i;

	arg.flags = EVNTPROV_RESCUE_CIRCULAR;
	arg.slots = 4;
	for (i = 0; i < COUNT; i++)
		put_buffer(self->m, i, i + 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg, _exit(0)));
	EXPECT_STREQ("4 5 6 ", numbers_of(LOG, &n));
	/* Two more, behind them */
	continue_log(arg.log_fd);
	put_buffer(self->m, 0, 7, 1);
	put_buffer(self->m, 1, 8, 1);
	self->m->written = 7ull << 32 | 6;
	memset(self->m->buffers[2], 0, 4 * SIZE);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg, _exit(0)));
	EXPECT_STREQ("7 8 6 ", numbers_of(LOG, &n));
	close(arg.log_fd);
}

TEST_F(rescue, another_program_ends_the_process_for_its_log)
{
	const int log = log_create(LOG);
	struct numbers n;

	put_buffer(self->m, 0, 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log),
				execl("/bin/true", "true", NULL)));
	EXPECT_STREQ("1 ", numbers_of(LOG, &n));
	close(log);
}

/* Its descriptor outlives the program, and is closed by the next one */
TEST_F(rescue, another_program_may_have_the_file)
{
	const int log = log_create(LOG);

	put_buffer(self->m, 0, 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log), {
		dup2(self->prov, 9);
		close(self->prov);
		execl("/bin/sh", "sh", "-c",
		      "exec 9<&-; test $(wc -c < " LOG ") = 8192", NULL);
	}));
	close(log);
}

TEST_F(rescue, nothing_is_written_while_the_process_goes_on)
{
	const int log = log_create(LOG);

	put_buffer(self->m, 0, 1, 1);
	ASSERT_EQ(0, rescue(self->prov, arg_of(self->m, log)));
	close(dup(self->prov));
	close(self->prov);
	EXPECT_EQ(SIZE, size_of(LOG));
	self->prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log),
				rescue(self->prov, arg_of(self->m, -1))));
	EXPECT_EQ(SIZE, size_of(LOG));
	close(log);
}

TEST_F(rescue, a_log_takes_the_place_of_an_earlier_one)
{
	const int log = log_create(LOG), other = log_create(OTHER);
	struct numbers n;

	put_buffer(self->m, 0, 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log),
				_exit(rescue(self->prov,
					     arg_of(self->m, other)))));
	EXPECT_EQ(SIZE, size_of(LOG));
	EXPECT_STREQ("1 ", numbers_of(OTHER, &n));
	close(log);
	close(other);
}

/* Also while a child process still has the file */
TEST_F(rescue, each_log_of_a_process_is_complete_when_it_is_gone)
{
	struct evntprov_rescue arg = arg_of(self->m, 0);
	int pipes[2], log[EVNTPROV_MAX_RESCUES];
	struct numbers n;
	char path[64], c;

	ASSERT_EQ(0, pipe(pipes));
	put_buffer(self->m, 0, 1, 1);
	for (arg.id = 0; arg.id < EVNTPROV_MAX_RESCUES; arg.id++) {
		sprintf(path, LOG "%u", arg.id);
		log[arg.id] = log_create(path);
	}
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log[0]), {
		for (arg.id = 1; arg.id < EVNTPROV_MAX_RESCUES; arg.id++) {
			arg.log_fd = log[arg.id];
			if (rescue(self->prov, arg))
				_exit(8);
		}
		if (!fork()) {
			close(pipes[1]);
			_exit(read(pipes[0], &c, 1));
		}
	}));
	for (arg.id = 0; arg.id < EVNTPROV_MAX_RESCUES; arg.id++) {
		sprintf(path, LOG "%u", arg.id);
		EXPECT_STREQ("1 ", numbers_of(path, &n));
		unlink(path);
		close(log[arg.id]);
	}
	close(pipes[0]);
	close(pipes[1]);
}

/* The exec closes the descriptor, and the child still has the file */
TEST_F(rescue, a_child_process_does_not_delay_the_log_of_another_program)
{
	const int log = log_create(LOG);
	struct numbers n;
	int pipes[2];
	char c;

	ASSERT_EQ(0, pipe(pipes));
	put_buffer(self->m, 0, 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log), {
		if (!fork()) {
			close(pipes[1]);
			_exit(read(pipes[0], &c, 1));
		}
		execl("/bin/true", "true", NULL);
	}));
	EXPECT_TRUE(EVENTUALLY(!strcmp("1 ", numbers_of(LOG, &n))));
	close(log);
	close(pipes[0]);
	close(pipes[1]);
}

/* The next session of the same name may begin before the last one is complete */
TEST_F(rescue, a_log_that_is_anothers_by_now_is_left_alone)
{
	const uint64_t start = 1;
	const int log = log_create(LOG);

	put_buffer(self->m, 0, 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log),
				_exit(pwrite(log, &start, 8, START_TIME) != 8)));
	EXPECT_EQ(SIZE, size_of(LOG));
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log),
				_exit(ftruncate(log, 0))));
	EXPECT_EQ(0, size_of(LOG));
	close(log);
}

TEST_F(rescue, a_log_that_has_an_end_is_left_alone)
{
	const uint64_t end = 1;
	const int log = log_create(LOG);

	put_buffer(self->m, 0, 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log),
				_exit(pwrite(log, &end, 8, END_TIME) != 8)));
	EXPECT_EQ(SIZE, size_of(LOG));
	close(log);
}

TEST_F(rescue, the_log_of_a_process_that_goes_on_is_EBUSY_for_its_child)
{
	struct evntprov_rescue arg = arg_of(self->m, log_create(LOG));
	int status;

	ASSERT_EQ(0, rescue(self->prov, arg));
	if (!fork()) {
		if (rescue(self->prov, arg) != EBUSY ||
		    rescue(self->prov, arg_of(self->m, -1)) != EBUSY)
			_exit(1);
		arg.id = 1;
		_exit(rescue(self->prov, arg));
	}
	wait(&status);
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, rescue(self->prov, arg));
	close(arg.log_fd);
}

TEST_F(rescue, memory_that_was_returned_is_still_written)
{
	const int log = log_create(LOG);
	struct numbers n;

	put_buffer(self->m, 0, 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg_of(self->m, log),
				munmap(self->m, sizeof(*self->m))));
	EXPECT_STREQ("1 ", numbers_of(LOG, &n));
	close(log);
}

TEST_F(rescue, invalid_arguments_are_EINVAL)
{
	const struct evntprov_rescue good = arg_of(self->m, log_create(LOG));
	struct evntprov_rescue arg;
	unsigned int i;
	int fd;

#define WITH(field, value)						\
	(arg = good, arg.field = (value), rescue(self->prov, arg))
	EXPECT_EQ(EINVAL, WITH(flags, 2));
	EXPECT_EQ(EINVAL, WITH(flags, EVNTPROV_RESCUE_CIRCULAR));
	EXPECT_EQ(EINVAL, WITH(id, EVNTPROV_MAX_RESCUES));
	EXPECT_EQ(EINVAL, WITH(id, ~0u));
	EXPECT_EQ(EINVAL, WITH(buffer_size, 0));
	EXPECT_EQ(EINVAL, WITH(buffer_size, SIZE - 8));
	EXPECT_EQ(EINVAL, WITH(buffer_size, SIZE + 8));
	EXPECT_EQ(EINVAL, WITH(buffer_size, EVNTRACE_MAX_BUFFER_SIZE + SIZE));
	EXPECT_EQ(EINVAL, WITH(count, 0));
	EXPECT_EQ(EINVAL, WITH(count, EVNTRACE_MAX_BUFFERS + 1));
	EXPECT_EQ(EINVAL, WITH(slots, 1));
	EXPECT_EQ(EINVAL, WITH(written, good.written + 4));
	for (i = 1; i < SIZE; i *= 2) {
		self->m->addresses[COUNT - 1] += i;
		EXPECT_EQ(EINVAL, rescue(self->prov, good));
		self->m->addresses[COUNT - 1] -= i;
	}
	/* Each buffer comes once, and in the order of addresses */
	self->m->addresses[1] = self->m->addresses[0];
	EXPECT_EQ(EINVAL, rescue(self->prov, good));
	self->m->addresses[1] = self->m->addresses[2];
	EXPECT_EQ(EINVAL, rescue(self->prov, good));
	self->m->addresses[1] = (uintptr_t)self->m->buffers[1];
	/* The log must be an ordinary file */
	fd = open(LOG, O_RDWR | O_APPEND);
	EXPECT_EQ(EINVAL, WITH(log_fd, fd));
	close(fd);
	fd = open("/dev/null", O_RDWR);
	EXPECT_EQ(EINVAL, WITH(log_fd, fd));
	close(fd);
	EXPECT_EQ(0, rescue(self->prov, good));
	close(good.log_fd);
}

TEST_F(rescue, a_log_that_may_not_be_read_and_written_is_EBADF)
{
	struct evntprov_rescue arg = arg_of(self->m, -2);

	EXPECT_EQ(EBADF, rescue(self->prov, arg));
	close(log_create(LOG));
	arg.log_fd = open(LOG, O_RDONLY);
	EXPECT_EQ(EBADF, rescue(self->prov, arg));
	close(arg.log_fd);
	arg.log_fd = open(LOG, O_WRONLY);
	EXPECT_EQ(EBADF, rescue(self->prov, arg));
	close(arg.log_fd);
	EXPECT_EQ(EBADF, rescue(self->prov, arg));
}

TEST_F(rescue, a_log_without_a_header_is_EIO)
{
	const struct evntprov_rescue arg = arg_of(self->m, new_log(LOG));

	EXPECT_EQ(EIO, rescue(self->prov, arg));
	close(arg.log_fd);
}

TEST_F(rescue, memory_that_cannot_be_used_is_EFAULT)
{
	const struct evntprov_rescue good = arg_of(self->m, log_create(LOG));
	void *bad[] = { NULL, (void *)-(uintptr_t)SIZE, (void *)(1ul << 63) };
	struct evntprov_rescue arg;
	unsigned int i, at;

	for (i = 0; i < 3; i++) {
		EXPECT_EQ(EFAULT, WITH(buffers, (uintptr_t)bad[i]));
		EXPECT_EQ(EFAULT, WITH(written, (uintptr_t)bad[i]));
		at = bad[i] ? COUNT - 1 : 0;
		self->m->addresses[at] = (uintptr_t)bad[i];
		EXPECT_EQ(EFAULT, rescue(self->prov, good));
		self->m->addresses[at] = (uintptr_t)self->m->buffers[at];
	}
	ASSERT_EQ(0, mprotect(self->m->buffers[1], SIZE, PROT_READ));
	EXPECT_EQ(EFAULT, rescue(self->prov, good));
	ASSERT_EQ(0, munmap(self->m->buffers[1], SIZE));
	EXPECT_EQ(EFAULT, rescue(self->prov, good));
	close(good.log_fd);
}

/* Evaluate @code as an unprivileged user, with a limit that is a parameter */
#define WITH_LIMIT(name, value, code) ({				\
	char before_[32] = "";						\
	int err_ = -1, fd_ = open(PARAMETERS name, O_RDONLY);		\
	if (read(fd_, before_, sizeof(before_) - 1) > 0 &&		\
	    write_file(PARAMETERS name, value)) {			\
		err_ = AS_NOBODY(code);					\
		write_file(PARAMETERS name, before_);			\
	}								\
	close(fd_);							\
	err_; })

/* Make the call twice; returns 99 if the first one fails */
static int rescue_twice(int prov, struct evntprov_rescue arg, unsigned int id)
{
	if (rescue(prov, arg))
		return 99;
	arg.id = id;
	return rescue(prov, arg);
}

TEST_F(rescue, memory_is_charged_to_the_user)
{
	const struct evntprov_rescue arg = arg_of(self->m, log_create(LOG));

	EXPECT_EQ(ENOMEM, WITH_LIMIT("max_user_session_kb", "23",
				     rescue(self->prov, arg)));
	EXPECT_EQ(0, WITH_LIMIT("max_user_session_kb", "24",
				rescue(self->prov, arg)));
	/* The first one is charged until the second one has taken its place */
	EXPECT_EQ(ENOMEM, WITH_LIMIT("max_user_session_kb", "47",
				     rescue_twice(self->prov, arg, 0)));
	EXPECT_EQ(0, WITH_LIMIT("max_user_session_kb", "48",
				rescue_twice(self->prov, arg, 0)));
	close(arg.log_fd);
}

/* Map a large page; returns NULL if the kernel gives none */
static char *map_large(void)
{
	const size_t size = 2 << 20;
	char line[128], *p, *map;
	long kb = 0;
	FILE *f;

	map = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	p = (char *)(((uintptr_t)map + size - 1) & -size);
	madvise(p, size, MADV_HUGEPAGE);
	memset(p, 0, size);
	f = fopen("/proc/self/smaps_rollup", "r");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "AnonHugePages: %ld", &kb);
	if (f)
		fclose(f);
	return kb >= 2048 ? p : NULL;
}

/* A page in it keeps all of it in memory, even if it is unmapped */
static int rescue_large(int prov, struct evntprov_rescue arg, struct memory *m)
{
	char *large = map_large();
	unsigned int i;

	if (!large)
		return 99;
	for (i = 0; i < COUNT; i++)
		m->addresses[i] = (uintptr_t)large + i * SIZE;
	return rescue(prov, arg);
}

TEST_F(rescue, a_large_page_is_charged_as_a_whole)
{
	const struct evntprov_rescue arg = arg_of(self->m, log_create(LOG));
	int err = WITH_LIMIT("max_user_session_kb", "2047",
			     rescue_large(self->prov, arg, self->m));

	if (err == 99)
		SKIP(return, "the kernel gives no large page");
	EXPECT_EQ(ENOMEM, err);
	EXPECT_EQ(0, WITH_LIMIT("max_user_session_kb", "4096",
				rescue_large(self->prov, arg, self->m)));
	close(arg.log_fd);
}

/* Name logs until that fails; returns how many */
static int count_logs(struct evntprov_rescue arg)
{
	int prov = -1;
	unsigned int i;

	arg.count = 1;
	for (i = 0; i < 2 * MOST; i++) {
		arg.id = i % EVNTPROV_MAX_RESCUES;
		if (!arg.id)
			prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);
		if (rescue(prov, arg) == EUSERS)
			return i / 8;
	}
	return 0;
}

TEST_F(rescue, a_user_has_256_logs)
{
	const struct evntprov_rescue arg = arg_of(self->m, log_create(LOG));

	EXPECT_EQ(MOST / 8, AS_NOBODY(count_logs(arg)));
	close(arg.log_fd);
}

TEST_F(rescue, the_limits_of_the_process_and_of_the_disk_hold)
{
	const struct rlimit limit = { 2 * SIZE, 2 * SIZE };
	struct evntprov_rescue arg = arg_of(self->m, log_create(LOG));
	struct numbers n;
	unsigned int i;

	for (i = 0; i < COUNT; i++)
		put_buffer(self->m, i, i + 1, 1);
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg, {
		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(rescue(self->prov, arg));
	}));
	EXPECT_STREQ("1 ", numbers_of(LOG, &n));
	EXPECT_EQ(5, n.scan.events_lost);
	close(arg.log_fd);
	mkdir(DIR, 0700);
	ASSERT_EQ(0, mount("tmpfs", DIR, "tmpfs", 0, "size=12k"));
	arg.log_fd = log_create(DIR "/log");
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg, _exit(0)));
	EXPECT_STREQ("1 2 ", numbers_of(DIR "/log", &n));
	EXPECT_EQ(4, n.scan.buffers_lost);
	close(arg.log_fd);
	EXPECT_EQ(0, umount(DIR));
	rmdir(DIR);
}

/* Keep changing memory that another process has named */
static void make_noise(struct memory *m, unsigned int seed)
{
	uint32_t *word = (uint32_t *)m->buffers;
	unsigned int i;

	srandom(seed);
	for (i = 0; i < sizeof(m->buffers) / sizeof(*word); i++)
		word[i] = random() % 3 ? random() % 256 : random();
	for (i = 0; i < COUNT; i++)
		memcpy(m->buffers[i], (uint32_t[]){ SIZE }, sizeof(*word));
}

TEST_F(rescue, noise_in_the_memory_harms_its_own_log_alone)
{
	const unsigned int rounds = many(200);
	struct evntprov_rescue arg = arg_of(self->m, 0);
	unsigned int i;
	pid_t noisy;

	noisy = fork();
	if (!noisy) {
		for (i = 0; ; i++)
			make_noise(self->m, i);
	}
	for (i = 0; i < rounds; i++) {
		arg.log_fd = log_create(LOG);
		arg.flags = i % 2 ? EVNTPROV_RESCUE_CIRCULAR : 0;
		arg.slots = i % 2 ? 2 + i % 5 : 0;
		self->m->written = i % 3 ? 1ull << 32 : random() % 8 * 0x100000001ull;
		/* The header is in a file, and may be noise as well */
		if (i % 7 == 0)
			pwrite(arg.log_fd, self->m->buffers[0] + 4, 500, 4);
		EXPECT_EQ(0, IN_PROCESS(self->prov, arg, _exit(0)));
		EXPECT_LE(size_of(LOG), 16 * SIZE);
		close(arg.log_fd);
	}
	kill(noisy, SIGKILL);
	waitpid(noisy, NULL, 0);
}

/* A file system that does not answer delays the process, once for all its files */
TEST_F(rescue, a_dead_file_system_holds_a_process_for_seconds)
{
	struct evntprov_rescue arg = arg_of(self->m, 0);
	struct fuse fuse = {};
	struct numbers n;
	unsigned int i;
	time_t from;

	mkdir(DIR, 0700);
	ASSERT_EQ(0, fuse_begin(&fuse, DIR));
	arg.log_fd = log_create(DIR "/log");
	ASSERT_LE(0, arg.log_fd);
	put_buffer(self->m, 0, 1, 1);
	fuse_stall(&fuse, FUSE_STALL(FUSE_WRITE));
	from = monotonic_seconds();
	/* FUSE itself would have the end of the descriptor wait for the write */
	EXPECT_EQ(0, IN_PROCESS(self->prov, arg, {
		for (i = 0; i < FILES; i++) {
			int prov = open("/dev/evntprov", O_RDWR | O_CLOEXEC);

			if (rescue(prov, arg))
				_exit(8);
		}
		close(arg.log_fd);
	}));
	EXPECT_LE(WAIT, monotonic_seconds() - from + 1);
	EXPECT_GE(6 * WAIT, monotonic_seconds() - from);
	fuse_wait(&fuse, FUSE_STALL(FUSE_WRITE), 1);
	fuse_stall(&fuse, 0);
	EXPECT_TRUE(EVENTUALLY(!strcmp("1 ", numbers_of(DIR "/log", &n))));
	close(arg.log_fd);
	/* Each thread of the module has the log open for a time */
	EXPECT_TRUE(EVENTUALLY(umount(DIR) && errno == EINVAL));
	fuse_end(&fuse);
}

TEST_HARNESS_MAIN
