/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Providers in the kernel: the test module in kernel/ calls their functions.
 * This has a session, and the events in its log.
 */
#ifndef EVNT_TEST_KERNEL_H
#define EVNT_TEST_KERNEL_H

#include <sys/syscall.h>

#include "selftests/evntprov/common/harness.h"

#include "selftests/evntprov/common/device.h"
#include "selftests/evntprov/common/etl_scan.h"
#include "selftests/evntprov/kernel/kernel_calls.h"

#define LOG		"/tmp/kernel.etl"
#define FOREVER		EVNTRACE_TIMEOUT_INFINITE

FIXTURE(kernel) {
	int calls;
	int trace;
	__u64 session;
};

/* Path of the test module in the test machine */
static inline const char *calls_path(void)
{
	const char *dir = getenv("VM_OUT");
	static char path[256];

	snprintf(path, sizeof(path), "%s/kernel_calls.ko", dir ?: ".");
	return path;
}

/* Exit before any test if the module is missing: there is nothing to test */
static __attribute__((__constructor__)) void calls_need(void)
{
	if (!access(calls_path(), R_OK))
		return;
	printf("1..0 # SKIP %s is not at hand\n", calls_path());
	exit(KSFT_SKIP);
}

/* Load the test module; returns 0 or an errno */
static inline int calls_load(void)
{
	const char *path = calls_path();
	int fd, err;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	err = syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
	close(fd);
	return err == EEXIST ? 0 : err;
}

FIXTURE_SETUP(kernel)
{
	/* Keep log order equal to write order, except in storms */
#ifndef ON_ALL_PROCESSORS
	stay_on(0);
#endif
	ASSERT_EQ(0, calls_load());
	self->calls = open(CALLS_DEVICE, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->calls);
	self->trace = open("/dev/evntrace", O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->trace);
	ASSERT_EQ(0, dev_start(self->trace, "kernel", LOG, NULL,
			       &self->session));
}

FIXTURE_TEARDOWN(kernel)
{
	dev_stop(self->trace, self->session, NULL);
	close(self->trace);
	close(self->calls);
	syscall(SYS_delete_module, "kernel_calls", O_NONBLOCK);
	unlink(LOG);
}

/* Return the function's result, 0 or an errno, or the ioctl's negated errno */
static inline int calls_make(int fd, struct calls_call *c)
{
	if (ioctl(fd, CALLS_IOC_CALL, c))
		return -errno;
	return -c->result;
}

static inline int calls_register(int fd, __u32 slot, unsigned int provider,
				 __u32 options)
{
	struct calls_call c = {
		.function = CALLS_REGISTER, .slot = slot, .options = options,
		.provider = guid_of(provider),
	};

	return calls_make(fd, &c);
}

static inline int calls_unregister(int fd, __u32 slot)
{
	struct calls_call c = { .function = CALLS_UNREGISTER, .slot = slot };

	return calls_make(fd, &c);
}

static inline struct calls_call write_call(__u32 slot, const void *p, __u32 len)
{
	return (struct calls_call) {
		.function = CALLS_WRITE, .slot = slot, .count = 1, .len = len,
		.data = (uintptr_t)p,
		.descriptor = { .id = 1, .level = 4, .keyword = 1 },
	};
}

static inline int calls_write(int fd, __u32 slot, __u32 context, const char *text)
{
	struct calls_call c = write_call(slot, text, strlen(text));

	c.context = context;
	return calls_make(fd, &c);
}

static inline struct calls_reported calls_reported(int fd, __u32 slot)
{
	struct calls_reported t = { .slot = slot };

	ioctl(fd, CALLS_IOC_REPORTED, &t);
	return t;
}

/* Enable, disable or capture state, and wait for callbacks; 0 or an errno */
static inline int control(int fd, __u64 session, unsigned int provider,
			  __u32 code)
{
	struct evntrace_enable arg = enable_arg(provider);

	arg.control = code;
	arg.timeout_ms = FOREVER;
	return dev_ioctl(fd, session, EVNTRACE_IOC_ENABLE, &arg);
}

#define ENABLE(provider)						\
	ASSERT_EQ(0, control(self->trace, self->session, provider,	\
			     EVNTPROV_CONTROL_ENABLE))
#define DISABLE(provider)						\
	ASSERT_EQ(0, control(self->trace, self->session, provider,	\
			     EVNTPROV_CONTROL_DISABLE))

/* Data of an event in a storm, or NULL if it has another length */
static inline const struct calls_payload *calls_payload(const struct etl_event *e)
{
	const struct calls_payload *p = (const struct calls_payload *)e->data;

	return e->data_len >= 8 && e->data_len == CALLS_LEN(p->number) ? p : NULL;
}

/* Number of bytes that are not as they were written */
static inline uint32_t calls_strange(const struct calls_payload *p)
{
	uint32_t i, strange = 0;

	for (i = 0; i < CALLS_LEN(p->number) - 8; i++)
		strange += p->fill[i] != (uint8_t)p->number;
	return strange;
}

/* The first events of a log, up to MAX_KEPT */
#define MAX_KEPT	16

struct kept {
	unsigned int count;
	struct etl_event e[MAX_KEPT];
	uint8_t record[MAX_KEPT][4096];
};

static inline void keep(const struct etl_event *e, void *context)
{
	struct kept *k = context;
	unsigned int n = k->count++;

	if (n >= MAX_KEPT || e->size > sizeof(*k->record))
		return;
	memcpy(k->record[n], e->record, e->size);
	k->e[n] = *e;
	k->e[n].record = k->record[n];
	k->e[n].provider = k->record[n] + (e->provider - e->record);
	k->e[n].activity = k->record[n] + (e->activity - e->record);
	k->e[n].ext = e->ext ? k->record[n] + (e->ext - e->record) : NULL;
	k->e[n].data = k->record[n] + (e->data - e->record);
}

/* Stop the session, and read its log */
#define READ_LOG(k) do {						\
	struct etl_scan scan__;						\
									\
	memset(k, 0, sizeof(*(k)));					\
	ASSERT_EQ(0, dev_stop(self->trace, self->session, NULL));	\
	ASSERT_TRUE(etl_scan(LOG, &scan__, keep, k)) {			\
		TH_LOG("%s", scan__.error);				\
	}								\
} while (0)

static inline bool has_text(const struct etl_event *e, const char *text)
{
	return e->data_len == strlen(text) &&
	       !memcmp(e->data, text, e->data_len);
}

#endif /* EVNT_TEST_KERNEL_H */
