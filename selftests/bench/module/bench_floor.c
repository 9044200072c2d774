// SPDX-License-Identifier: GPL-2.0
/*
 * The minimum cost of an ioctl: one that does nothing, and one that does only
 * what every ioctl that writes an event must do: copy a 64-byte argument, read
 * the clock, and copy the payload to memory of this CPU.  For the benchmark
 * alone.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

#include "bench_floor.h"

/* Written, but never read */
static DEFINE_PER_CPU(u64, floor_time);
static DEFINE_PER_CPU(u8 [BENCH_FLOOR_MAX], floor_data);

/*
 * Code that must not sleep would disable page faults for the second copy, which
 * is even cheaper, as the kernel then does not check the kind of memory.
 */
static long floor_copy(unsigned long ptr)
{
	struct bench_floor arg;
	unsigned long left;

	if (copy_from_user(&arg, (void __user *)ptr, sizeof(arg)))
		return -EFAULT;
	if (arg.len > BENCH_FLOOR_MAX)
		return -EINVAL;
	this_cpu_write(floor_time, ktime_get_mono_fast_ns());
	left = copy_from_user(raw_cpu_ptr(floor_data),
			      u64_to_user_ptr(arg.data), arg.len);
	return left ? -EFAULT : 0;
}

static long floor_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case BENCH_FLOOR_NULL:
		return 0;
	case BENCH_FLOOR_COPY:
		return floor_copy(arg);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations floor_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = floor_ioctl,
};

static struct miscdevice floor_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "bench_floor",
	.fops = &floor_fops,
};

module_misc_device(floor_device);

MODULE_DESCRIPTION("What an ioctl costs, for the benchmark of evntprov");
MODULE_LICENSE("GPL");
