// SPDX-License-Identifier: GPL-2.0
/*
 * A provider in the kernel that writes the requested number of events.  For the
 * benchmark alone.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include <linux/tracelogging.h>

#include "bench_kernel.h"

TRACELOGGING_DEFINE_PROVIDER(bench_typed, "Evntprov-Bench",
			     (BENCH_KERNEL_TYPED_ID, 0, 0,
			      0, 0, 0, 0, 0, 0, 0, 0));

static const struct evntprov_guid plain_id = {
	{ 0x63, 0x6e, 0x65, 0x62 },
};

static u64 plain;
static u8 payload[BENCH_KERNEL_MAX];

static const struct evntprov_descriptor descriptor = {
	.id = 1, .level = 4, .keyword = 1,
};

static void run_write(const struct bench_kernel *arg)
{
	struct evntprov_data data = etw_block(payload, arg->payload);
	u32 i;

	for (i = 0; i < arg->times; i++) {
		barrier();
		EtwWrite(plain, &descriptor, NULL, 1, &data);
	}
}

static void run_bare(const struct bench_kernel *arg)
{
	struct evntprov_data data = etw_block(payload, arg->payload);
	u32 i;

	for (i = 0; i < arg->times; i++)
		(EtwWrite)(plain, &descriptor, NULL, 1, &data);
}

static void run_typed(const struct bench_kernel *arg)
{
	u32 i;

	for (i = 0; i < arg->times; i++) {
		barrier();
		TraceLoggingWrite(bench_typed, "Event",
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(1),
				  TraceLoggingBinary(payload, arg->payload,
						     "payload"));
	}
}

static void run_nothing(const struct bench_kernel *arg)
{
	u32 i;

	for (i = 0; i < arg->times; i++)
		barrier();
}

static long bench_ioctl(struct file *file, unsigned int cmd, unsigned long ptr)
{
	struct bench_kernel arg;

	if (cmd != BENCH_KERNEL_RUN)
		return -ENOTTY;
	if (copy_from_user(&arg, (void __user *)ptr, sizeof(arg)))
		return -EFAULT;
	if (arg.payload > BENCH_KERNEL_MAX)
		return -EINVAL;
	switch (arg.what) {
	case BENCH_KERNEL_NOTHING:
		run_nothing(&arg);
		return 0;
	case BENCH_KERNEL_WRITE:
		run_write(&arg);
		return 0;
	case BENCH_KERNEL_BARE:
		run_bare(&arg);
		return 0;
	case BENCH_KERNEL_TYPED:
		run_typed(&arg);
		return 0;
	}
	return -EINVAL;
}

static const struct file_operations bench_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = bench_ioctl,
};

static struct miscdevice bench_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "bench_kernel",
	.fops = &bench_fops,
};

static int __init bench_init(void)
{
	int err;

	err = EtwRegister(&plain_id, NULL, NULL, &plain);
	if (err)
		return err;
	err = TraceLoggingRegister(bench_typed);
	if (err)
		goto unregister;
	err = misc_register(&bench_device);
	if (!err)
		return 0;
	TraceLoggingUnregister(bench_typed);
unregister:
	EtwUnregister(plain);
	return err;
}

static void __exit bench_exit(void)
{
	misc_deregister(&bench_device);
	TraceLoggingUnregister(bench_typed);
	EtwUnregister(plain);
}

module_init(bench_init);
module_exit(bench_exit);

MODULE_DESCRIPTION("A provider in the kernel, for the benchmark of evntprov");
MODULE_LICENSE("GPL");
