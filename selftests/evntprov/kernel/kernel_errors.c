// SPDX-License-Identifier: GPL-2.0
/*
 * Providers in the kernel: groups that may not be joined, and failed
 * allocations.
 */
#include "selftests/evntprov/kernel/kernel.h"

#include "selftests/evntprov/common/inject.h"

#define GROUP	9

static struct kept kept;

/* Traits with a name and a group */
struct traits {
	__u16 len;
	char name[4];
	__u16 trait_len;
	__u8 type;
	struct evntprov_guid group;
} __attribute__((packed));

static struct traits traits(void)
{
	return (struct traits) {
		.len = sizeof(struct traits), .name = "Abc",
		.trait_len = 3 + sizeof(struct evntprov_guid),
		.type = EVNTPROV_TRAIT_GROUP, .group = guid_of(GROUP),
	};
}

/* Deny joining the group to everyone, or remove the list */
static int change_list(int trace, __u32 operation)
{
	struct evntrace_access arg = {
		.size = sizeof(arg), .guid = guid_of(GROUP),
		.operation = operation,
	};

	if (operation == EVNTRACE_ACCESS_ADD) {
		arg.subject = EVNTRACE_SUBJECT_EVERYONE;
		arg.flags = EVNTRACE_ACCESS_DENY;
		arg.rights = EVNTRACE_RIGHT_JOIN_GROUP;
	}
	return do_ioctl(trace, EVNTRACE_IOC_SET_ACCESS, &arg);
}

static int enable_group(int trace, __u64 session)
{
	struct evntrace_enable arg = enable_arg(GROUP);

	arg.property = EVNTRACE_PROPERTY_PROVIDER_GROUP;
	return dev_ioctl(trace, session, EVNTRACE_IOC_ENABLE, &arg);
}

static int set_traits(int fd)
{
	struct traits t = traits();
	struct calls_call c = {
		.function = CALLS_SET_INFORMATION, .data = (uintptr_t)&t,
		.len = sizeof(t), .flags = EVNTPROV_INFO_TRAITS,
	};

	return calls_make(fd, &c);
}

TEST_F(kernel, EtwSetInformation_joins_the_group)
{
	ASSERT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(0, set_traits(self->calls));
	EXPECT_EQ(0, enable_group(self->trace, self->session));
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "member"));
	READ_LOG(&kept);
	EXPECT_EQ(1, kept.count);
}

/* The provider is not a member, but its name is recorded for decoding */
TEST_F(kernel, EtwSetInformation_of_a_denied_group_is_EACCES)
{
	uint16_t len = 0;

	ASSERT_EQ(0, change_list(self->trace, EVNTRACE_ACCESS_ADD));
	EXPECT_EQ(0, calls_register(self->calls, 0, 1, 0));
	EXPECT_EQ(EACCES, set_traits(self->calls));
	EXPECT_EQ(EEXIST, set_traits(self->calls));
	ASSERT_EQ(0, change_list(self->trace, EVNTRACE_ACCESS_REMOVE));
	EXPECT_EQ(0, enable_group(self->trace, self->session));
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "no member"));
	ENABLE(1);
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "itself"));
	READ_LOG(&kept);
	ASSERT_EQ(1, kept.count);
	EXPECT_TRUE(has_text(&kept.e[0], "itself"));
	EXPECT_NE(NULL, etl_ext(&kept.e[0], 12, &len));
	EXPECT_EQ(sizeof(struct traits), len);
}

TEST_F(kernel, etw_register_ignores_a_denied_group)
{
	struct traits t = traits();
	struct calls_call c = {
		.function = CALLS_REGISTER, .options = CALLS_TRAITS,
		.provider = guid_of(1), .data = (uintptr_t)&t, .len = sizeof(t),
	};

	ASSERT_EQ(0, change_list(self->trace, EVNTRACE_ACCESS_ADD));
	EXPECT_EQ(0, calls_make(self->calls, &c));
	ASSERT_EQ(0, change_list(self->trace, EVNTRACE_ACCESS_REMOVE));
	EXPECT_EQ(0, enable_group(self->trace, self->session));
	EXPECT_EQ(0, calls_write(self->calls, 0, 0, "no member"));
	READ_LOG(&kept);
	EXPECT_EQ(0, kept.count);
}

/*
 * Each allocation fails once. calls_make() returns ENOMEM if it was in the
 * function, and a negative value if it was in the ioctl on the test device.
 */
TEST_F(kernel, EtwRegister_without_memory_is_ENOMEM)
{
	struct dev_status before = dev_status();
	struct traits t = traits();
	struct calls_call c;
	unsigned int n, failed = 0;
	struct injector in;
	int err, kind = 0;

	if (inject_missing())
		SKIP(return, "%s: %s", _metadata->name, inject_missing());
	ASSERT_TRUE(inject_open(&in));
	for (n = 1; kind >= 0; n++) {
		c = (struct calls_call) {
			.function = CALLS_REGISTER, .provider = guid_of(1),
			.options = CALLS_TRAITS, .data = (uintptr_t)&t,
			.len = sizeof(t),
		};
		ASSERT_TRUE(inject_arm(in.nth, n));
		err = calls_make(self->calls, &c);
		kind = inject_disarm(&in, in.nth);
		failed += err == ENOMEM;
		EXPECT_TRUE(err <= 0 || err == ENOMEM) {
			TH_LOG("point %u: %d", n, err);
		}
		/*
		 * If copying out the ioctl's result failed, the provider may be
		 * registered
		 */
		EXPECT_TRUE(err != ENOMEM || !c.new_handle);
		if (err <= 0)
			calls_unregister(self->calls, 0);
		EXPECT_TRUE(dev_status_is(&before)) {
			TH_LOG("point %u: it holds something else", n);
		}
	}
	inject_close(&in);
	EXPECT_EQ(0, err);
	EXPECT_LT(0, failed);
}

TEST_HARNESS_MAIN
