// SPDX-License-Identifier: GPL-2.0
/*
 * Run a program: a sequence of calls on both devices, with mostly valid
 * arguments, as others do not get far.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/evntrace.h>

#include "core/etl.h"
#include "selftests/evntprov/common/compat_call.h"
#include "fuzz.h"

#define FDS		8
#define SESSIONS	4
#define MAPS		4
#define PROVIDERS	5
#define MIB		(1024u * 1024)
#define RING_MAP	(4096 + 2 * EVNTPROV_RING_SIZE)

bool calls_printed;

/* Objects of a program */
static int fds[FDS];
static uint32_t fd_count;
static __u64 sessions[SESSIONS];
static uint32_t session_count;
static struct {
	void *p;
	size_t len;
} maps[MAPS];
/* The last classic registration, and the last enabler of each provider */
static struct evntprov_register classic;
static __u64 enablers[PROVIDERS];
static pid_t child;
static bool is_child;

/* Two descriptors shared by all processes */
static int common[2];

void calls_setup(void)
{
	common[0] = open("/dev/evntprov", O_RDWR | O_NONBLOCK);
	common[1] = open("/dev/evntrace", O_RDWR);
}

static void keep_fd(int fd)
{
	if (fd < 0)
		return;
	if (fd_count == FDS)
		close(fds[--fd_count]);
	fds[fd_count++] = fd;
}

/* Prefer the newest descriptor; sometimes use a shared or an invalid one */
static int some_fd(struct reader *r)
{
	uint32_t how = take8(r);

	if (how < 16)
		return common[how % 2];
	if (how < 20 || !fd_count)
		return how % 3 - 1;
	if (how < 160)
		return fds[fd_count - 1];
	return fds[how % fd_count];
}

/*
 * Return the descriptor of a session that was opened last, or -1; sometimes open
 * another session first
 */
static int session_fd(struct reader *r)
{
	struct evntrace_open arg = {
		.size = sizeof(arg), .flags = EVNTRACE_OPEN_MAXIMUM,
	};
	char path[32], target[64];
	ssize_t len;
	uint32_t i;

	if (session_count && !take_of(r, 4)) {
		arg.handle = sessions[take_of(r, session_count)];
		keep_fd(ioctl(common[1], EVNTRACE_IOC_OPEN, &arg));
	}
	for (i = fd_count; i; i--) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[i - 1]);
		len = readlink(path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		if (strstr(target, "[evntrace-session]"))
			return fds[i - 1];
	}
	return -1;
}

/* A descriptor of the control or provider device, if there is one */
static int dev_fd(struct reader *r, bool is_trace)
{
	uint32_t how = take8(r), i;
	char path[32], target[64];
	ssize_t len;

	if (how >= 240)
		return some_fd(r);
	if (how >= 200)
		return common[is_trace];
	for (i = fd_count; i; i--) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[i - 1]);
		len = readlink(path, target, sizeof(target) - 1);
		target[len > 0 ? len : 0] = '\0';
		if (!strcmp(target, is_trace ? "/dev/evntrace" :
					       "/dev/evntprov"))
			return fds[i - 1];
	}
	keep_fd(open(is_trace ? "/dev/evntrace" : "/dev/evntprov",
		     O_RDWR | O_NONBLOCK));
	return fd_count ? fds[fd_count - 1] : -1;
}

/* Meaning of an argument's field, which determines its valid values */
enum kind {
	KIND_FLAGS,
	KIND_HANDLE,
	KIND_SESSION,
	KIND_PROVIDER,
	KIND_NUMBER,
	KIND_SMALL,
	KIND_LOG_FD,
	KIND_SERIES,
	KIND_LOG_MODE,
	KIND_FILE_SIZE,
	KIND_CLOCK,
	KIND_BUFFER_SIZE,
	KIND_BUFFERS,
	KIND_FLUSH_MS,
	KIND_TIMEOUT_MS,
	KIND_NAME,
	KIND_NAME_LEN,
	KIND_DATA,
	KIND_DATA_COUNT,
	KIND_INFO,
	KIND_INFO_LEN,
	KIND_INFO_CLASS,
	KIND_FILTERS,
	KIND_ROOM_LEN,
	KIND_PROPERTY,
	KIND_ROOM,
	KIND_OPEN_RIGHTS,
	KIND_LIST,
	KIND_SESSION_LIST,
	KIND_CONTROL,
	KIND_ELEMENT_SIZE,
	KIND_ACCESS_FLAGS,
	KIND_RIGHTS,
	KIND_PRIVATE,
	KIND_PRIVATE_MODE,
	KIND_PRIVATE_FLAGS,
	KIND_REACH,
	KIND_RESCUE_LOG,
	KIND_RESCUE_BUFFERS,
	KIND_RESCUE_WRITTEN,
	KIND_ONE,
	KIND_ZERO,
};

/* Record of a ring, and the first extended item */
struct ring_record {
	struct etl_event_header h;
	struct etl_ext_item item;
	uint8_t data[64];
};

struct field {
	uint16_t offset;
	uint16_t size;
	enum kind kind;
};

#define FIELD(type, member, k) \
	{ offsetof(struct type, member), sizeof(((struct type *)0)->member), k }

static const struct field register_fields[] = {
	FIELD(evntprov_register, flags, KIND_FLAGS),
	FIELD(evntprov_register, provider, KIND_PROVIDER),
	FIELD(evntprov_register, handle, KIND_HANDLE),
};

static const struct field unregister_fields[] = {
	FIELD(evntprov_register, flags, KIND_ZERO),
	FIELD(evntprov_register, handle, KIND_HANDLE),
};

static const struct field write_fields[] = {
	FIELD(evntprov_write, flags, KIND_FLAGS),
	FIELD(evntprov_write, handle, KIND_HANDLE),
	FIELD(evntprov_write, descriptor.level, KIND_SMALL),
	FIELD(evntprov_write, descriptor.keyword, KIND_SMALL),
	FIELD(evntprov_write, exclude, KIND_ZERO),
	FIELD(evntprov_write, activity, KIND_PROVIDER),
	FIELD(evntprov_write, data, KIND_DATA),
	FIELD(evntprov_write, data_count, KIND_DATA_COUNT),
	FIELD(evntprov_write, related, KIND_PROVIDER),
};

static const struct field write_classic_fields[] = {
	FIELD(evntprov_write, flags, KIND_FLAGS),
	FIELD(evntprov_write, handle, KIND_HANDLE),
	FIELD(evntprov_write, session, KIND_SESSION),
	FIELD(evntprov_write, descriptor.id, KIND_NUMBER),
	FIELD(evntprov_write, descriptor.opcode, KIND_SMALL),
	FIELD(evntprov_write, descriptor.task, KIND_FLAGS),
	FIELD(evntprov_write, class_id, KIND_PROVIDER),
	FIELD(evntprov_write, descriptor.keyword, KIND_SMALL),
	FIELD(evntprov_write, data, KIND_DATA),
	FIELD(evntprov_write, data_count, KIND_DATA_COUNT),
};

static const struct field set_information_fields[] = {
	FIELD(evntprov_set_information, flags, KIND_ZERO),
	FIELD(evntprov_set_information, handle, KIND_HANDLE),
	FIELD(evntprov_set_information, info_class, KIND_INFO_CLASS),
	FIELD(evntprov_set_information, info, KIND_INFO),
	FIELD(evntprov_set_information, len, KIND_INFO_LEN),
};

static const struct field start_fields[] = {
	FIELD(evntrace_start, flags, KIND_FLAGS),
	FIELD(evntrace_start, guid, KIND_PROVIDER),
	FIELD(evntrace_start, name, KIND_NAME),
	FIELD(evntrace_start, name_len, KIND_NAME_LEN),
	FIELD(evntrace_start, log_name, KIND_NAME),
	FIELD(evntrace_start, log_name_len, KIND_NAME_LEN),
	FIELD(evntrace_start, time_zone, KIND_ROOM),
	FIELD(evntrace_start, log_fd, KIND_LOG_FD),
	FIELD(evntrace_start, log_file_mode, KIND_LOG_MODE),
	FIELD(evntrace_start, clock_type, KIND_CLOCK),
	FIELD(evntrace_start, buffer_size, KIND_BUFFER_SIZE),
	FIELD(evntrace_start, min_buffers, KIND_BUFFERS),
	FIELD(evntrace_start, max_buffers, KIND_BUFFERS),
	FIELD(evntrace_start, flush_ms, KIND_FLUSH_MS),
	FIELD(evntrace_start, max_file_size, KIND_FILE_SIZE),
	FIELD(evntrace_start, series, KIND_SERIES),
};

/* The same ioctl for a private session: see aim_private() */
static const struct field start_private_fields[] = {
	FIELD(evntrace_start, guid, KIND_PROVIDER),
	FIELD(evntrace_start, name, KIND_NAME),
	FIELD(evntrace_start, name_len, KIND_NAME_LEN),
	FIELD(evntrace_start, log_name, KIND_NAME),
	FIELD(evntrace_start, log_name_len, KIND_NAME_LEN),
	FIELD(evntrace_start, log_file_mode, KIND_PRIVATE_MODE),
	FIELD(evntrace_start, clock_type, KIND_CLOCK),
	FIELD(evntrace_start, buffer_size, KIND_BUFFER_SIZE),
	FIELD(evntrace_start, max_file_size, KIND_FILE_SIZE),
	FIELD(evntrace_start, filters, KIND_REACH),
	FIELD(evntrace_start, filter_count, KIND_ONE),
};

static const struct field open_private_fields[] = {
	FIELD(evntrace_open, flags, KIND_ONE),
	FIELD(evntrace_open, name, KIND_NAME),
	FIELD(evntrace_open, name_len, KIND_NAME_LEN),
	FIELD(evntrace_open, rights, KIND_OPEN_RIGHTS),
	FIELD(evntrace_open, filters, KIND_REACH),
	FIELD(evntrace_open, filter_count, KIND_ONE),
};

static const struct field private_fields[] = {
	FIELD(evntprov_private, flags, KIND_PRIVATE_FLAGS),
	FIELD(evntprov_private, handle, KIND_PRIVATE),
	FIELD(evntprov_private, description, KIND_ROOM),
	FIELD(evntprov_private, len, KIND_ROOM_LEN),
	FIELD(evntprov_private, version, KIND_SMALL),
	FIELD(evntprov_private, error, KIND_SMALL),
	FIELD(evntprov_private, events, KIND_NUMBER),
};

static const struct field rescue_fields[] = {
	FIELD(evntprov_rescue, flags, KIND_ONE),
	FIELD(evntprov_rescue, id, KIND_SMALL),
	FIELD(evntprov_rescue, log_fd, KIND_RESCUE_LOG),
	FIELD(evntprov_rescue, buffer_size, KIND_BUFFER_SIZE),
	FIELD(evntprov_rescue, count, KIND_SMALL),
	FIELD(evntprov_rescue, slots, KIND_SMALL),
	FIELD(evntprov_rescue, buffers, KIND_RESCUE_BUFFERS),
	FIELD(evntprov_rescue, written, KIND_RESCUE_WRITTEN),
};

static const struct field update_fields[] = {
	FIELD(evntrace_update, flags, KIND_FLAGS),
	FIELD(evntrace_update, flush_ms, KIND_FLUSH_MS),
	FIELD(evntrace_update, reserved, KIND_ZERO),
	FIELD(evntrace_update, log_name, KIND_NAME),
	FIELD(evntrace_update, log_name_len, KIND_NAME_LEN),
	FIELD(evntrace_update, log_fd, KIND_LOG_FD),
	FIELD(evntrace_update, series, KIND_SERIES),
};

static const struct field open_by_name_fields[] = {
	FIELD(evntrace_open, flags, KIND_ONE),
	FIELD(evntrace_open, name, KIND_NAME),
	FIELD(evntrace_open, name_len, KIND_NAME_LEN),
	FIELD(evntrace_open, rights, KIND_OPEN_RIGHTS),
};

static const struct field session_fields[] = {
	FIELD(evntrace_session, flags, KIND_ZERO),
	FIELD(evntrace_session, name, KIND_ROOM),
	FIELD(evntrace_session, log_name, KIND_ROOM),
	FIELD(evntrace_session, name_len, KIND_SMALL),
	FIELD(evntrace_session, log_name_len, KIND_SMALL),
};

static const struct field control_fields[] = {
	FIELD(evntrace_session, flags, KIND_ZERO),
	FIELD(evntrace_session, name, KIND_ROOM),
	FIELD(evntrace_session, name_len, KIND_SMALL),
	FIELD(evntrace_session, control, KIND_CONTROL),
};

static const struct field enable_fields[] = {
	FIELD(evntrace_enable, flags, KIND_FLAGS),
	FIELD(evntrace_enable, provider, KIND_PROVIDER),
	FIELD(evntrace_enable, match_any, KIND_SMALL),
	FIELD(evntrace_enable, match_all, KIND_ZERO),
	FIELD(evntrace_enable, control, KIND_SMALL),
	FIELD(evntrace_enable, property, KIND_PROPERTY),
	FIELD(evntrace_enable, level, KIND_SMALL),
	FIELD(evntrace_enable, timeout_ms, KIND_TIMEOUT_MS),
	FIELD(evntrace_enable, filter_count, KIND_SMALL),
	FIELD(evntrace_enable, filters, KIND_FILTERS),
};

static const struct field list_fields[] = {
	FIELD(evntrace_list, flags, KIND_FLAGS),
	FIELD(evntrace_list, kind, KIND_LIST),
	FIELD(evntrace_list, element_size, KIND_ELEMENT_SIZE),
	FIELD(evntrace_list, elements, KIND_ROOM),
	FIELD(evntrace_list, count, KIND_SMALL),
	/* The id in a cursor */
	{ offsetof(struct evntrace_list, cursor), sizeof(struct evntprov_guid),
	  KIND_PROVIDER },
	FIELD(evntrace_list, cursor[2], KIND_SMALL),
	FIELD(evntrace_list, cursor[3], KIND_NUMBER),
};

static const struct field list_session_fields[] = {
	FIELD(evntrace_list, flags, KIND_FLAGS),
	FIELD(evntrace_list, kind, KIND_SESSION_LIST),
	FIELD(evntrace_list, element_size, KIND_ELEMENT_SIZE),
	FIELD(evntrace_list, elements, KIND_ROOM),
	FIELD(evntrace_list, count, KIND_SMALL),
	FIELD(evntrace_list, provider, KIND_PROVIDER),
};

static const struct field set_fields[] = {
	FIELD(evntrace_list, flags, KIND_ZERO),
	FIELD(evntrace_list, kind, KIND_SESSION_LIST),
	FIELD(evntrace_list, element_size, KIND_ELEMENT_SIZE),
	FIELD(evntrace_list, elements, KIND_ROOM),
	FIELD(evntrace_list, count, KIND_SMALL),
	FIELD(evntrace_list, period_s, KIND_SMALL),
};

static const struct field access_fields[] = {
	FIELD(evntrace_access, flags, KIND_ACCESS_FLAGS),
	FIELD(evntrace_access, guid, KIND_PROVIDER),
	FIELD(evntrace_access, operation, KIND_SMALL),
	FIELD(evntrace_access, subject, KIND_SMALL),
	FIELD(evntrace_access, id, KIND_SMALL),
	FIELD(evntrace_access, rights, KIND_RIGHTS),
};

static const struct field open_fields[] = {
	FIELD(evntrace_open, flags, KIND_ONE),
	FIELD(evntrace_open, handle, KIND_SESSION),
	FIELD(evntrace_open, rights, KIND_OPEN_RIGHTS),
};

static const struct field consume_fields[] = {
	FIELD(evntrace_open_consumer, flags, KIND_ZERO),
	FIELD(evntrace_open_consumer, reserved, KIND_ZERO),
};

static const struct field next_fields[] = {
	FIELD(evntrace_next, flags, KIND_ZERO),
};

static const struct field release_fields[] = {
	FIELD(evntrace_next, flags, KIND_ZERO),
	FIELD(evntrace_next, index, KIND_BUFFERS),
	FIELD(evntrace_next, reserved, KIND_ZERO),
};

static const struct field snapshot_fields[] = {
	FIELD(evntrace_snapshot, flags, KIND_ZERO),
	FIELD(evntrace_snapshot, log_name, KIND_NAME),
	FIELD(evntrace_snapshot, time_zone, KIND_ROOM),
	FIELD(evntrace_snapshot, log_name_len, KIND_NAME_LEN),
	FIELD(evntrace_snapshot, log_fd, KIND_LOG_FD),
};

static const struct field version_fields[] = {
	FIELD(evntprov_version, flags, KIND_ZERO),
};

static const struct ioctl_kind {
	unsigned long cmd;
	uint32_t size;
	bool is_trace;
	uint32_t weight;
	const struct field *fields;
	uint32_t field_count;
} ioctls[] = {
#define IOCTL(cmd, type, is_trace, weight, fields) \
	{ cmd, sizeof(struct type), is_trace, weight, fields, \
	  ARRAY_SIZE(fields) }
	IOCTL(EVNTPROV_IOC_REGISTER, evntprov_register, false, 6,
	      register_fields),
	IOCTL(EVNTPROV_IOC_UNREGISTER, evntprov_register, false, 2,
	      unregister_fields),
	IOCTL(EVNTPROV_IOC_WRITE, evntprov_write, false, 10, write_fields),
	IOCTL(EVNTPROV_IOC_SET_INFORMATION, evntprov_set_information, false, 3,
	      set_information_fields),
	IOCTL(EVNTRACE_IOC_START, evntrace_start, true, 6, start_fields),
	IOCTL(EVNTRACE_IOC_OPEN, evntrace_open, true, 6, open_fields),
	IOCTL(EVNTRACE_IOC_OPEN, evntrace_open, true, 2, open_by_name_fields),
	IOCTL(EVNTRACE_IOC_QUERY, evntrace_session, true, 2, session_fields),
	IOCTL(EVNTRACE_IOC_CONTROL, evntrace_session, true, 4, control_fields),
	IOCTL(EVNTRACE_IOC_ENABLE, evntrace_enable, true, 6, enable_fields),
	IOCTL(EVNTRACE_IOC_LIST, evntrace_list, true, 2, list_fields),
	IOCTL(EVNTRACE_IOC_UPDATE, evntrace_update, true, 2, update_fields),
	IOCTL(EVNTRACE_IOC_LIST, evntrace_list, true, 3, list_session_fields),
	IOCTL(EVNTRACE_IOC_SET, evntrace_list, true, 2, set_fields),
	IOCTL(EVNTRACE_IOC_SET_ACCESS, evntrace_access, true, 2, access_fields),
	IOCTL(EVNTRACE_IOC_OPEN_CONSUMER, evntrace_open_consumer, true, 3,
	      consume_fields),
	IOCTL(EVNTRACE_IOC_NEXT, evntrace_next, true, 4, next_fields),
	IOCTL(EVNTRACE_IOC_RELEASE, evntrace_next, true, 3, release_fields),
	IOCTL(EVNTRACE_IOC_SNAPSHOT, evntrace_snapshot, true, 3,
	      snapshot_fields),
	IOCTL(EVNTPROV_IOC_VERSION, evntprov_version, false, 1, version_fields),
	IOCTL(EVNTPROV_IOC_WRITE, evntprov_write, false, 6,
	      write_classic_fields),
	IOCTL(EVNTRACE_IOC_START, evntrace_start, true, 3,
	      start_private_fields),
	IOCTL(EVNTRACE_IOC_OPEN, evntrace_open, true, 2, open_private_fields),
	IOCTL(EVNTPROV_IOC_PRIVATE, evntprov_private, false, 9, private_fields),
	IOCTL(EVNTPROV_IOC_RESCUE, evntprov_rescue, false, 3, rescue_fields),
#undef IOCTL
};

/* Few providers, so that processes use the same ones */
static void put_provider(struct reader *r, uint8_t *p)
{
	memset(p, 0, 16);
	p[0] = take_of(r, PROVIDERS);
}

static uint64_t put_name(struct reader *r)
{
	uint32_t i, n = take_of(r, 6);
	__u16 *name = memory_take(16 * sizeof(*name));

	for (i = 0; i < 16; i++)
		name[i] = 'a' + n;
	if (n == 5)
		name[0] = take8(r) << 8 | take8(r);
	return memory_at(r, name, 16 * sizeof(*name));
}

/* Names of the next log files: mostly files in the log's folder */
static uint64_t put_series(struct reader *r)
{
	static const char patterns[][9] = { "log-%d", "%d", "../%d", "%d%", "" };
	struct evntrace_newfile *s = memory_take(sizeof(*s));
	uint32_t i, n = take_of(r, 8);
	char *file = memory_take(16);
	__u16 *name = memory_take(16 * sizeof(*name));

	n = n < ARRAY_SIZE(patterns) ? n : 0;
	strcpy(file, patterns[n]);
	for (i = 0; i < sizeof(patterns[n]); i++)
		name[i] = patterns[n][i];
	*s = (struct evntrace_newfile) {
		.size = sizeof(*s), .flags = !take_of(r, 16),
		.file = memory_at(r, file, 16), .file_len = strlen(file),
		.name = memory_at(r, name, 16 * sizeof(*name)),
		.name_len = strlen(file),
		.dir_fd = open(take_of(r, 16) ? "/tmp/fuzz" : "/dev/null",
			       O_PATH | O_CLOEXEC),
	};
	keep_fd(s->dir_fd);
	return memory_at(r, s, sizeof(*s));
}

static uint64_t put_data(struct reader *r)
{
	uint32_t i, n = EVNTPROV_MAX_DATA + 2, len, how;
	struct evntprov_data *d = memory_take(n * sizeof(*d));
	uint8_t *block = memory_take(512);

	for (i = 0; i < n; i++) {
		/*
		 * The first ones are chosen one by one; the others are like the
		 * last
		 */
		how = i < 4 ? take8(r) : 0;
		len = how < 200 ? how : how < 250 ? how * 64 : how << 24;
		d[i] = (struct evntprov_data) {
			.ptr = i < 4 ? memory_at(r, block, 512) :
				       (uintptr_t)block,
			.len = len, .type = i < 4 ? take_of(r, 5) : 0,
		};
	}
	return memory_at(r, d, n * sizeof(*d));
}

/* Traits: their length, a name, a trait; or random bytes */
#define GROUP_TRAITS	22

static uint64_t put_info(struct reader *r)
{
	static const uint8_t group[] = { GROUP_TRAITS, 0, 0, 19, 0, 1 };
	uint8_t *p = memory_take(64);
	uint32_t i, len = take_of(r, 48);

	memset(p, 'n', 64);
	if (!take_of(r, 3)) {
		memcpy(p, group, sizeof(group));
		put_provider(r, p + sizeof(group));
		return memory_at(r, p, 64);
	}
	for (i = 0; i < take_of(r, 8); i++)
		p[take_of(r, 64)] = take8(r);
	p[0] = len;
	p[1] = take_of(r, 8) ? 0 : take8(r);
	p[len > 8 ? 8 : 3] = '\0';
	return memory_at(r, p, 64);
}

/* Put a program of a few instructions; returns its length */
static uint32_t put_program(struct reader *r, struct evntrace_program *p)
{
	uint32_t i, code, n = take_of(r, 6) + 1;

	code = sizeof(*p) + n * sizeof(*p->instruction);
	*p = (struct evntrace_program) {
		code + 16, EVNTRACE_PROGRAM_VERSION, n
	};
	for (i = 0; i + 1 < n; i++) {
		p->instruction[i] = (struct evntrace_instruction) {
			.op = take_of(r, 15), .jump = take_of(r, n - i),
			.arg = take_of(r, 4) ? 0 : take8(r),
			.value = take_of(r, 9),
		};
		if (take_of(r, 2))
			p->instruction[i].how = take_of(r, 64);
		if (p->instruction[i].op >= EVNTRACE_OP_TEXT_IS)
			p->instruction[i].value = code |
				(uint64_t)take_of(r, 18) << 32;
	}
	p->instruction[i] = (struct evntrace_instruction) {
		.op = EVNTRACE_OP_END, .arg = take_of(r, 2),
	};
	memset(&p->instruction[n], 'n', 16);
	return code + 16;
}

/* Put the data of a filter of this type; returns its length */
static uint32_t put_filter(struct reader *r, uint32_t type, uint8_t *p)
{
	static const char * const names[] = { "a;fuzz", "n\0nn", ";", "web" };
	uint32_t len = 8;
	__u16 count;

	switch (type) {
	case EVNTRACE_FILTER_PAYLOAD:
		return put_program(r, (void *)p);
	case EVNTRACE_FILTER_EVENT_ID:
	case EVNTRACE_FILTER_STACKWALK:
		count = take_of(r, 4);
		p[0] = take_of(r, 2);
		memcpy(p + 2, &count, sizeof(count));
		p[4] = take_of(r, 4);
		return 4 + 2 * count;
	case EVNTRACE_FILTER_EVENT_NAME:
	case EVNTRACE_FILTER_STACKWALK_NAME:
	case EVNTRACE_FILTER_STACKWALK_LEVEL_KW:
		p[16] = take_of(r, 3);
		p[17] = take_of(r, 2);
		p[18] = take_of(r, 3);
		memcpy(p + 20, names[1], 5);
		return 25;
	case EVNTRACE_FILTER_SCHEMATIZED:
		len = sizeof(struct evntprov_filter_header) + take_of(r, 20);
		memcpy(p + offsetof(struct evntprov_filter_header, filter_len),
		       &len, sizeof(len));
		return len;
	case EVNTRACE_FILTER_PID:
		memcpy(p, &(__u32) { take_of(r, 2) ? getpid() : 1 }, 4);
		return len;
	}
	strcpy((char *)p, names[take_of(r, ARRAY_SIZE(names))]);
	return strlen((char *)p);
}

static uint64_t put_filters(struct reader *r)
{
	static const uint32_t types[] = {
		EVNTRACE_FILTER_PID, EVNTRACE_FILTER_EXECUTABLE_NAME,
		EVNTRACE_FILTER_PACKAGE_ID, EVNTRACE_FILTER_PACKAGE_APP_ID,
		EVNTRACE_FILTER_PAYLOAD, EVNTRACE_FILTER_EVENT_ID,
		EVNTRACE_FILTER_EVENT_NAME, EVNTRACE_FILTER_STACKWALK,
		EVNTRACE_FILTER_STACKWALK_NAME,
		EVNTRACE_FILTER_STACKWALK_LEVEL_KW, 0x80000001,
		EVNTRACE_FILTER_SCHEMATIZED, 7,
	};
	struct evntrace_filter *f = memory_take(6 * sizeof(*f));
	uint32_t i, how;
	uint8_t *p;

	for (i = 0; i < 6; i++) {
		how = take8(r);
		p = memory_take(256);
		f[i].type = types[how % ARRAY_SIZE(types)];
		f[i].len = put_filter(r, f[i].type, p);
		f[i].ptr = memory_at(r, p, 256);
		if (how >= 250)
			f[i].len += how << (how - 250);
	}
	return memory_at(r, f, 6 * sizeof(*f));
}

/*
 * Put the process filter of a private session: mostly the same one, so that its
 * filters are found again
 */
static uint64_t put_reach(struct reader *r)
{
	struct evntrace_filter *f = memory_take(2 * sizeof(*f));
	__u32 *pid = memory_take(sizeof(*pid));

	*pid = getpid();
	f[0] = (struct evntrace_filter) {
		.ptr = memory_at(r, pid, sizeof(*pid)), .len = sizeof(*pid),
		.type = EVNTRACE_FILTER_PID,
	};
	f[1] = (struct evntrace_filter) {
		.ptr = (uintptr_t)"fuzz;*", .len = 6,
		.type = EVNTRACE_FILTER_EXECUTABLE_NAME,
	};
	return memory_at(r, f, 2 * sizeof(*f));
}

/* Open a log file, mostly a valid one */
static int open_log(struct reader *r)
{
	static const char * const paths[] = {
		"/tmp/fuzz/log-0", "/tmp/fuzz/log-1", "/tmp/fuzz/log-2",
		"/tmp/fuzz/log-3", "/tmp/fuzz/full/log", "/tmp/fuzz/link",
		"/tmp/fuzz/fifo", "/tmp/fuzz", "/dev/null", "/dev/full",
		"/tmp/fuzz/text", "/dev/evntrace",
	};
	uint32_t how = take8(r);
	const char *path = paths[how < 200 ? how % 6 :
				 how % ARRAY_SIZE(paths)];
	int flags = O_RDWR | O_CREAT | O_TRUNC | O_NONBLOCK;

	if (how == 255)
		return some_fd(r);
	if (how % 32 == 7)
		flags = take_of(r, 2) ? O_RDONLY : O_RDWR | O_APPEND;
	keep_fd(open(path, flags, 0600));
	return fd_count ? fds[fd_count - 1] : -1;
}

/* Buffers of a process, with a few words that are not zero */
static uint64_t put_rescue_buffers(struct reader *r)
{
	static uint32_t buffers[8][1024] __attribute__((aligned(4096)));
	uint64_t *addresses = memory_take(8 * sizeof(*addresses));
	uint32_t i, k;

	for (i = 0; i < 8; i++) {
		addresses[i] = (uintptr_t)buffers[i];
		buffers[i][0] = 4096;
		buffers[i][6] = take_of(r, 8);
		for (k = take_of(r, 4); k; k--)
			buffers[i][18 + take8(r) * 3] =
				take8(r) | (0xc000u + take_of(r, 24)) << 16;
	}
	return memory_at(r, addresses, 8 * sizeof(*addresses));
}

/* Number of buffers in a log, and number of the last one */
static uint64_t put_rescue_written(struct reader *r)
{
	uint64_t *written = memory_take(sizeof(*written));

	*written = (uint64_t)take_of(r, 16) << 32 | take_of(r, 8);
	return memory_at(r, written, sizeof(*written));
}

/* A log with a header, which is empty */
static int open_rescue_log(struct reader *r)
{
	int fd = take_of(r, 8) ? open_log(r) : -1;

	if (fd >= 0 && ftruncate(fd, 4096))
		return -1;
	return fd;
}

static uint64_t right_value(struct reader *r, enum kind kind)
{
	static const uint32_t open_rights[] = {
		0, 0, 0, EVNTRACE_OPEN_RIGHTS, EVNTRACE_RIGHT_QUERY,
		EVNTRACE_RIGHT_ACCESS_REALTIME, EVNTRACE_RIGHT_CREATE_ONDISK, ~0u,
	};
	static const uint32_t buffer_sizes[] = { 0, 4096, 8192, 65536, 4097 };
	/* Preallocated files are small, as they are in memory */
	static const uint32_t log_modes[] = {
		0, 0, 1, 2, 0x2001, 0x2002, 0x2020, 0x2022, 0x100, 0x100,
		0x2101, 0x400, 0x1404200, 0xc000, 0x2008, 0x2008, 0x2028,
		4, 5, 0x10000000, 0x10002002, 0x8000000, 0x8000100,
	};
	/* Dozens of threads waking each millisecond would use all CPU time */
	static const uint32_t flush_ms[] = { 0, 0, 50, 1000 };
	static const uint32_t element_sizes[] = {
		sizeof(__u64), sizeof(struct evntrace_registration),
		sizeof(struct evntrace_enablement),
		sizeof(struct evntrace_access),
		sizeof(struct evntrace_cpu), sizeof(struct evntrace_user),
	};
	/* Denials of most rights would affect all following programs */
	static const uint32_t rights[] = { 0x20, 0x200, 0x200, 0x400, 0, 0xa41 };

	switch (kind) {
	case KIND_HANDLE:
		return (take_of(r, 8) + 1) << 5 | take_of(r, 3) << 16;
	case KIND_SESSION:
		if (!session_count)
			return take_of(r, 64);
		return sessions[take_of(r, session_count)];
	case KIND_FLAGS:
		return take_of(r, 4) ? take_of(r, 32) : 0;
	case KIND_PRIVATE:
		if (!take_of(r, 3) || !session_count)
			return 0;
		return sessions[take_of(r, session_count)];
	case KIND_PRIVATE_MODE:
		return EVNTRACE_MODE_PRIVATE |
		       (take_of(r, 4) ? take_of(r, 3) : take_of(r, 64) << 8);
	case KIND_PRIVATE_FLAGS:
		return take_of(r, 2) ? 0 : 1u << take_of(r, 4);
	case KIND_RESCUE_LOG:
		return open_rescue_log(r);
	case KIND_RESCUE_BUFFERS:
		return put_rescue_buffers(r);
	case KIND_RESCUE_WRITTEN:
		return put_rescue_written(r);
	case KIND_REACH:
		return put_reach(r);
	case KIND_ONE:
		return take_of(r, 8) ? take_of(r, 2) : take_of(r, 4);
	case KIND_SMALL:
		return take_of(r, 6);
	case KIND_NUMBER:
		return take8(r);
	case KIND_LOG_FD:
		return take_of(r, 4) ? open_log(r) : -1;
	case KIND_SERIES:
		return take_of(r, 3) ? 0 : put_series(r);
	case KIND_LOG_MODE:
		return log_modes[take_of(r, ARRAY_SIZE(log_modes))];
	case KIND_FILE_SIZE:
		return take_of(r, 3) * 100;
	case KIND_CLOCK:
		return take_of(r, 4);
	case KIND_BUFFER_SIZE:
		return buffer_sizes[take_of(r, ARRAY_SIZE(buffer_sizes))];
	case KIND_BUFFERS:
		return take_of(r, 40);
	case KIND_FLUSH_MS:
		return flush_ms[take_of(r, ARRAY_SIZE(flush_ms))];
	case KIND_TIMEOUT_MS:
		return take_of(r, 5);
	case KIND_NAME:
		return put_name(r);
	case KIND_NAME_LEN:
		return take_of(r, 3) + 6;
	case KIND_DATA:
		return put_data(r);
	case KIND_DATA_COUNT:
		return take_of(r, 8) ? take_of(r, 5) : take8(r);
	case KIND_INFO:
		/* Manifests are found by an address in this program */
		return take_of(r, 8) ? put_info(r) : (uintptr_t)right_value;
	case KIND_INFO_LEN:
		if (!take_of(r, 3))
			return 0;
		return take_of(r, 3) ? take_of(r, 48) : GROUP_TRAITS;
	case KIND_INFO_CLASS:
		return take_of(r, 4) ? take_of(r, 6) : EVNTPROV_INFO_MANIFEST;
	case KIND_FILTERS:
		return put_filters(r);
	case KIND_PROPERTY:
		return take_of(r, 3) ? 1u << take_of(r, 13) : take_of(r, 3) *
								  0x185;
	case KIND_ROOM:
		return take_of(r, 3) ? memory_at(r, memory_take(512), 512) : 0;
	case KIND_ROOM_LEN:
		return take_of(r, 3) ? 512 : take_of(r, 64);
	case KIND_ACCESS_FLAGS:
		return !take_of(r, 4);
	case KIND_RIGHTS:
		return rights[take_of(r, ARRAY_SIZE(rights))];
	case KIND_OPEN_RIGHTS:
		return open_rights[take_of(r, ARRAY_SIZE(open_rights))];
	case KIND_LIST:
		return take_of(r, 13);
	case KIND_SESSION_LIST:
		return take_of(r, 8) ? EVNTRACE_LIST_CPUS + take_of(r, 4) :
				       take_of(r, 13);
	case KIND_CONTROL:
		return take_of(r, 5);
	case KIND_ELEMENT_SIZE:
		return element_sizes[take_of(r, ARRAY_SIZE(element_sizes))];
	default:
		return 0;
	}
}

static uint64_t strange_value(struct reader *r)
{
	static const uint64_t values[] = {
		1, 0x7f, 0x80, 0xff, 0x100, 0xfff, 0x1000, 0x7fff, 0x8000,
		0xffff, 0x10000, 0xffffff, 0x1000000, 0x7fffffff, 0x80000000,
		0xffffffff, 0x100000000, INT64_MAX, 1ull << 63, UINT64_MAX,
	};
	uint32_t how = take8(r);

	return how < 192 ? values[how % ARRAY_SIZE(values)] : take64(r);
}

static void put_field(struct reader *r, const struct field *f, uint8_t *arg)
{
	uint64_t value;

	if (f->kind == KIND_PROVIDER) {
		put_provider(r, arg + f->offset);
		return;
	}
	value = take8(r) < 240 ? right_value(r, f->kind) : strange_value(r);
	memcpy(arg + f->offset, &value, f->size);
}

/* Limit memory, which would otherwise take all the time */
static void bound_start(struct evntrace_start *arg)
{
	uint64_t most = arg->min_buffers > arg->max_buffers ?
			arg->min_buffers : arg->max_buffers;

	if (arg->buffer_size * most > 2 * MIB &&
	    arg->buffer_size <= EVNTRACE_MAX_BUFFER_SIZE) {
		arg->min_buffers = 2;
		arg->max_buffers = 2;
	}
}

/* Set members that a private session must not have, and its folder */
static void aim_private(struct evntrace_start *arg)
{
	if (!(arg->log_file_mode & EVNTRACE_MODE_PRIVATE) || arg->series)
		return;
	arg->log_fd = -1;
	if (!arg->log_name || arg->log_name_len < 6 || arg->log_name_len > 8)
		return;
	if (process_vm_writev(getpid(), &(struct iovec){ u"/", 2 }, 1,
			      &(struct iovec){ (void *)arg->log_name, 2 }, 1,
			      0) < 0)
		return;
}

/* Replace half of the unknown flags by known ones */
static void aim_register(struct evntprov_register *arg)
{
	if (arg->flags & 4)
		arg->flags &= EVNTPROV_REGISTER_NOTIFY |
			      EVNTPROV_REGISTER_CLASSIC |
			      EVNTPROV_REGISTER_RING;
}

/*
 * Aim at an enabled classic provider: its session is known by then, and fields
 * that do not belong to the kind are zero.  Everything else follows from the
 * state, so that programs keep their meaning.
 */
static void aim_trace(struct evntprov_write *arg)
{
	struct evntprov_descriptor *d = &arg->descriptor;
	const uint32_t kind = EVNTPROV_TRACE_EVENT * (1 + arg->flags % 3);

	if (d->id % 8 == 7)
		return;
	arg->flags = kind | (arg->flags & EVNTPROV_WRITE_ONE_BLOCK);
	arg->handle = classic.handle;
	if (enablers[classic.provider.b[0] % PROVIDERS])
		arg->session = enablers[classic.provider.b[0] % PROVIDERS];
	if (kind == EVNTPROV_TRACE_MESSAGE) {
		d->opcode = 0;
		d->task = d->id & (EVNTPROV_MESSAGE_SEQUENCE |
				   EVNTPROV_MESSAGE_TIMESTAMP |
				   EVNTPROV_MESSAGE_SYSTEMINFO |
				   EVNTPROV_MESSAGE_GUID);
	} else {
		d->task = 0;
		d->level = d->id;
	}
	if (kind == EVNTPROV_TRACE_INSTANCE)
		d->keyword |= (uint64_t)d->id << 32;
	else
		d->keyword = 0;
}

/* Put the size, mostly the right one, and vary the bytes after the end */
static uint32_t put_size(struct reader *r, uint8_t *arg, uint32_t size)
{
	uint32_t how = take8(r), given = size;

	if (how >= 240)
		given = how < 248 ? size + (how - 239) * 8 : take8(r);
	if (how == 255)
		given = 0xffffffff;
	if (given > size && given <= size + 64 && take_of(r, 2))
		arg[size + take8(r) % (given - size)] = 1;
	memcpy(arg, &given, sizeof(given));
	return size + 64;
}

static void remember_session(const struct ioctl_kind *k, const uint8_t *arg)
{
	uint64_t handle = 0;

	if (k->cmd == EVNTRACE_IOC_START)
		handle = ((const struct evntrace_start *)arg)->handle;
	if (k->cmd == EVNTRACE_IOC_OPEN)
		handle = ((const struct evntrace_open *)arg)->handle;
	if (handle)
		sessions[session_count++ % SESSIONS] = handle;
	if (session_count > SESSIONS)
		session_count = SESSIONS;
}

/* Store the state that aim_trace() needs */
static void remember_classic(const struct ioctl_kind *k, int fd,
			     const uint8_t *arg)
{
	struct evntrace_session q = { .size = sizeof(q) };
	const struct evntprov_register *reg = (const void *)arg;
	const struct evntrace_enable *e = (const void *)arg;

	if (k->cmd == EVNTPROV_IOC_REGISTER &&
	    reg->flags & EVNTPROV_REGISTER_CLASSIC)
		classic = *reg;
	if (k->cmd == EVNTRACE_IOC_ENABLE &&
	    e->control == EVNTPROV_CONTROL_ENABLE &&
	    !ioctl(fd, EVNTRACE_IOC_QUERY, &q))
		enablers[e->provider.b[0] % PROVIDERS] = q.handle;
}

static const struct ioctl_kind *some_ioctl(struct reader *r)
{
	uint32_t i, sum = 0, at = take8(r);

	for (i = 0; i < ARRAY_SIZE(ioctls); i++)
		sum += ioctls[i].weight;
	at %= sum;
	for (i = 0; at >= ioctls[i].weight; i++)
		at -= ioctls[i].weight;
	return &ioctls[i];
}

static bool is_of_session(const struct ioctl_kind *k)
{
	switch (k->cmd) {
	case EVNTRACE_IOC_LIST:
		return k->fields == list_session_fields;
	case EVNTRACE_IOC_START:
	case EVNTRACE_IOC_OPEN:
	case EVNTRACE_IOC_SET_ACCESS:
		return false;
	}
	return k->is_trace;
}

static void call_ioctl(struct reader *r)
{
	const struct ioctl_kind *k = some_ioctl(r);
	uint32_t i, how, len;
	unsigned long cmd = k->cmd;
	uint64_t address;
	uint8_t *arg;
	int fd;

	arg = memory_take(k->size + 64);
	memset(arg, 0, k->size + 64);
	for (i = 0; i < k->field_count; i++)
		put_field(r, &k->fields[i], arg);
	if (k->cmd == EVNTRACE_IOC_START) {
		bound_start((struct evntrace_start *)arg);
		aim_private((struct evntrace_start *)arg);
	}
	if (k->cmd == EVNTPROV_IOC_REGISTER)
		aim_register((struct evntprov_register *)arg);
	if (k->fields == write_classic_fields)
		aim_trace((struct evntprov_write *)arg);
	len = put_size(r, arg, k->size);
	fd = dev_fd(r, k->is_trace);
	if (is_of_session(k) && take_of(r, 16))
		fd = session_fd(r);
	address = memory_at(r, arg, len);
	how = take8(r);
	if (how >= 248)
		cmd = how < 252 ? _IO(EVNTPROV_IOC_TYPE, take8(r)) : take64(r);
	if (how < 200)
		how = ioctl(fd, cmd, address);
	else
		how = compat_ioctl(fd, cmd, address);
	if (calls_printed)
		printf("# ioctl %#lx on %d at %#llx: %d %s\n", cmd, fd,
		       (unsigned long long)address, (int)how,
		       how ? strerror(errno) : "");
	if ((int)how > 0 &&
	    (cmd == EVNTRACE_IOC_START || cmd == EVNTRACE_IOC_OPEN)) {
		keep_fd(how);
		how = 0;
	}
	if (how || address != (uintptr_t)arg)
		return;
	remember_session(k, arg);
	remember_classic(k, fd, arg);
}

static void call_open(struct reader *r)
{
	static const int modes[] = { O_RDWR, O_RDWR, O_RDONLY, O_WRONLY };

	keep_fd(open(take_of(r, 2) ? "/dev/evntrace" : "/dev/evntprov",
		     modes[take_of(r, 4)] |
		     (take_of(r, 8) ? O_NONBLOCK : 0)));
}

static void call_close(struct reader *r)
{
	uint32_t i;

	if (!fd_count)
		return;
	i = take_of(r, fd_count);
	close(fds[i]);
	fds[i] = fds[--fd_count];
}

static void call_dup(struct reader *r)
{
	int fd = some_fd(r);

	/* Never the standard descriptors or shared ones */
	if (fd > 2)
		keep_fd(dup(fd));
}

static void call_map(struct reader *r)
{
	static const size_t lens[] = {
		EVNTPROV_ENABLE_AREA_SIZE, 4096, 2 * EVNTPROV_ENABLE_AREA_SIZE,
		1, 1024 * MIB,
	};
	static const off_t offsets[] = {
		0, 0, 4096, EVNTPROV_RING_OFFSET, 1ll << 40
	};
	uint32_t i = take_of(r, MAPS), how = take8(r);
	int flags = how & 1 || how & 2 ? MAP_SHARED : MAP_PRIVATE;
	off_t offset = offsets[take_of(r, ARRAY_SIZE(offsets))];
	int fd = dev_fd(r, take_of(r, 16) > 9);
	int protection = take_of(r, 4) ? PROT_READ : take_of(r, 8);

	if (maps[i].p)
		munmap(maps[i].p, maps[i].len);
	maps[i].len = lens[how < 180 ? 0 : how % ARRAY_SIZE(lens)];
	if (offset == EVNTPROV_RING_OFFSET && how < 180) {
		maps[i].len = RING_MAP;
		if (protection == PROT_READ)
			protection |= PROT_WRITE;
	}
	maps[i].p = mmap(NULL, maps[i].len, protection, flags, fd, offset);
	if (calls_printed)
		printf("# mmap of %zu bytes of %d at %#llx: %s\n", maps[i].len,
		       fd, (unsigned long long)offset,
		       maps[i].p == MAP_FAILED ? strerror(errno) : "done");
	if (maps[i].p == MAP_FAILED)
		maps[i].p = NULL;
}

/*
 * Copy by the kernel, as memory of a ring may be absent; a device's memory must
 * not be the remote side
 */
static bool copy(void *to, const void *from, size_t len, bool to_ring)
{
	struct iovec ring = { to_ring ? to : (void *)from, len };
	struct iovec own = { to_ring ? (void *)from : to, len };

	if (to_ring)
		return process_vm_readv(getpid(), &ring, 1, &own, 1, 0) ==
		       (ssize_t)len;
	return process_vm_writev(getpid(), &ring, 1, &own, 1, 0) ==
	       (ssize_t)len;
}

/* Put a record, mostly as the module wants it; returns its size */
static uint32_t put_record(struct reader *r, struct ring_record *record)
{
	struct etl_event_header *h = &record->h;
	uint32_t how = take8(r);
	uint64_t handle = right_value(r, KIND_HANDLE);
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	memset(record, 0, sizeof(*record));
	h->size = sizeof(*h) + take_of(r, 64);
	h->time_stamp = now.tv_sec * 1000000000ll + now.tv_nsec;
	h->descriptor.level = take_of(r, 6);
	h->descriptor.keyword = take_of(r, 6);
	memcpy(h->provider, &handle, sizeof(handle));
	if (how < 128)
		return h->size;
	h->flags = how % 4;
	if (h->flags & EVNTPROV_RING_COUNTER || how % 8 > 5)
		h->time_stamp = strange_value(r);
	if (h->flags & EVNTPROV_RING_ITEMS) {
		record->item.size = 8 + take_of(r, 5) * 8;
		record->item.type = take_of(r, 16);
		record->item.data_size = take_of(r, 40);
		record->item.linkage = take_of(r, 2);
	}
	if (how >= 240)
		h->size = strange_value(r);
	if (how >= 248)
		h->flags = take8(r);
	return h->size;
}

/* A ring of the program, mapped now if there is none; or NULL */
static uint8_t *some_ring(struct reader *r, int fd)
{
	uint32_t i;

	for (i = 0; i < MAPS; i++) {
		if (maps[i].p && maps[i].len == RING_MAP)
			return maps[i].p;
	}
	i = take_of(r, MAPS);
	if (maps[i].p)
		munmap(maps[i].p, maps[i].len);
	maps[i].len = RING_MAP;
	maps[i].p = mmap(NULL, RING_MAP, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			 EVNTPROV_RING_OFFSET);
	if (maps[i].p == MAP_FAILED)
		maps[i].p = NULL;
	return maps[i].p;
}

/*
 * Write records to a ring, as the library does, or anything to its memory; and
 * have it copied, mostly
 */
static void call_ring(struct reader *r, int fd)
{
	struct ring_record *record = memory_take(sizeof(*record));
	struct evntprov_ring *state = memory_take(sizeof(*state));
	uint32_t n = take_of(r, 6), how = take8(r), len;
	uint8_t *map = some_ring(r, fd);
	int err;

	if (!map || !copy(state, map, sizeof(*state), false))
		return;
	while (n--) {
		len = put_record(r, record);
		if (!copy(map + 4096 + state->commit % EVNTPROV_RING_SIZE,
			  record, sizeof(*record), true))
			return;
		state->commit += (len + 7) & ~7u;
	}
	if (how >= 224)
		state->commit = strange_value(r);
	if (how >= 240)
		((uint8_t *)state)[take_of(r, sizeof(*state))] = take8(r);
	if (how >= 250)
		copy(map + strange_value(r) % (RING_MAP - 4096),
		     memory_take(4096), 4096, true);
	copy(map, state, sizeof(*state), true);
	if (how % 8 == 7)
		return;
	err = ioctl(fd, EVNTPROV_IOC_DRAIN,
		    how % 8 ? (unsigned long)state->id : strange_value(r));
	if (calls_printed)
		printf("# drain of ring %u of %d: %d %s\n", state->id, fd, err,
		       err ? strerror(errno) : "");
}

static void call_remap(struct reader *r)
{
	uint32_t i = take_of(r, MAPS), how = take_of(r, 5);
	void *p;

	if (!maps[i].p)
		return;
	switch (how) {
	case 0:
		munmap(maps[i].p, maps[i].len);
		maps[i].p = NULL;
		break;
	case 1:
		mprotect(maps[i].p, maps[i].len, take_of(r, 8));
		break;
	case 2:
		p = mremap(maps[i].p, maps[i].len, maps[i].len * 2,
			   MREMAP_MAYMOVE);
		if (p != MAP_FAILED) {
			maps[i].p = p;
			maps[i].len *= 2;
		}
		break;
	case 3:
		madvise(maps[i].p, maps[i].len, take_of(r, 24));
		break;
	default:
		/* Read through the kernel, as the memory may be absent */
		if (process_vm_readv(getpid(),
				     &(struct iovec){ memory_take(64), 64 }, 1,
				     &(struct iovec){ maps[i].p, 64 }, 1, 0) < 0)
			return;
	}
}

static void call_read(struct reader *r)
{
	size_t len = take_of(r, 2) ? 32 * take8(r) : take8(r);
	void *p = memory_take(len + 1);
	int fd = dev_fd(r, take_of(r, 16) == 15);
	void *to = (void *)memory_at(r, p, len);

	if (take_of(r, 3) ? read(fd, to, len) < 0 :
	    pread(fd, to, len, take_of(r, 16) * EVNTPROV_SLOT_SIZE) < 0)
		return;
}

/* A length that is more than the memory's stands for a write to a ring */
static void call_write(struct reader *r)
{
	void *p = memory_take(64);
	uint32_t len = take8(r);

	if (len > 64)
		call_ring(r, dev_fd(r, false));
	else if (write(dev_fd(r, take_of(r, 2)), (void *)memory_at(r, p, 64),
		       len) < 0)
		return;
}

static void call_poll(struct reader *r)
{
	struct pollfd p = { .fd = some_fd(r), .events = take8(r) };
	struct epoll_event e = { .events = EPOLLIN | EPOLLET };
	int epoll;

	if (take_of(r, 2)) {
		poll(&p, 1, take_of(r, 3));
		return;
	}
	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, p.fd, &e);
	epoll_wait(epoll, &e, 1, take_of(r, 3));
	if (take_of(r, 2))
		keep_fd(epoll);
	else
		close(epoll);
}

/* Both processes go on with the same program; the child ends with it */
static void call_fork(struct reader *r)
{
	uint32_t i;

	/* Forking takes longer than other calls */
	if (take_of(r, 8) || is_child || child > 0)
		return;
	child = fork();
	is_child = !child;
	if (!is_child)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Rings are the parent's alone */
	for (i = 0; i < MAPS; i++) {
		if (maps[i].len == RING_MAP)
			maps[i].p = NULL;
	}
}

static void call_other(struct reader *r)
{
	int fd = dev_fd(r, take_of(r, 2));

	switch (take_of(r, 5)) {
	case 0:
		fcntl(fd, F_SETFL, take_of(r, 2) ? O_NONBLOCK : O_ASYNC);
		break;
	case 1:
		lseek(fd, take8(r), SEEK_SET);
		break;
	case 2:
		/* Change a log without the session's knowledge */
		truncate("/tmp/fuzz/log-0", take8(r) * 512);
		break;
	case 3:
		unlink("/tmp/fuzz/log-1");
		break;
	default:
		usleep(take8(r) * 8);
	}
}

static void (* const calls[])(struct reader *r) = {
	call_ioctl, call_ioctl, call_ioctl, call_ioctl, call_ioctl, call_ioctl,
	call_ioctl, call_ioctl, call_ioctl, call_ioctl, call_open, call_close,
	call_dup, call_map, call_remap, call_read, call_write, call_poll,
	call_fork, call_other,
};

static void let_go(void)
{
	uint32_t i;

	while (fd_count)
		close(fds[--fd_count]);
	for (i = 0; i < MAPS; i++) {
		if (maps[i].p)
			munmap(maps[i].p, maps[i].len);
		maps[i].p = NULL;
	}
	session_count = 0;
	memset(&classic, 0, sizeof(classic));
	memset(enablers, 0, sizeof(enablers));
}

/* Do not wait for the child: it had as much time as its parent */
static void end_child(void)
{
	if (is_child)
		_exit(0);
	if (child > 0) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	child = 0;
}

/* Run a program; returns the number of calls made; ends when @late */
uint32_t calls_run(const struct program *p, volatile bool *late)
{
	struct reader r = { .program = p };
	uint32_t n;

	memory_reset();
	for (n = 0; !at_end(&r) && !*late && n < 60; n++)
		calls[take_of(&r, ARRAY_SIZE(calls))](&r);
	end_child();
	let_go();
	return n;
}
