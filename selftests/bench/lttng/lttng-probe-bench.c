// SPDX-License-Identifier: GPL-2.0
/*
 * Tracepoints with probes of LTTng's tracer in the kernel, hit the requested
 * number of times: the counterpart of bench_kernel.c for EtwWrite().  For the
 * benchmark alone.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/uaccess.h>

#include <lttng/tracer.h>
#include <wrapper/tracepoint.h>

#include "bench_kernel.h"

/* Probes for tracepoints that this module defines itself */
#define TP_MODULE_NOAUTOLOAD
#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define LTTNG_INSTRUMENTATION
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE bench_events
#include "bench_events.h"

LTTNG_DEFINE_TRACE(bench_sequence, PARAMS(const u8 *data, unsigned int len),
		   PARAMS(data, len));
LTTNG_DEFINE_TRACE(bench_array, PARAMS(const u8 *data), PARAMS(data));

static u8 payload[BENCH_KERNEL_MAX];

static void run_sequence(const struct bench_kernel *arg)
{
	u32 i;

	for (i = 0; i < arg->times; i++) {
		barrier();
		trace_bench_sequence(payload, arg->payload);
	}
}

static void run_array(const struct bench_kernel *arg)
{
	u32 i;

	for (i = 0; i < arg->times; i++) {
		barrier();
		trace_bench_array(payload);
	}
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
	case BENCH_KERNEL_SEQUENCE:
		run_sequence(&arg);
		return 0;
	case BENCH_KERNEL_ARRAY:
		run_array(&arg);
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
	.name = "bench_lttng",
	.fops = &bench_fops,
};

static int __init bench_init(void)
{
	int err;

	err = __lttng_events_init__bench();
	if (err)
		return err;
	err = misc_register(&bench_device);
	if (err)
		__lttng_events_exit__bench();
	return err;
}

static void __exit bench_exit(void)
{
	misc_deregister(&bench_device);
	__lttng_events_exit__bench();
}

module_init(bench_init);
module_exit(bench_exit);

MODULE_DESCRIPTION("Tracepoints for LTTng, for the benchmark of evntprov");
MODULE_LICENSE("GPL");
