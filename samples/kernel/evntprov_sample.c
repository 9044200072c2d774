// SPDX-License-Identifier: GPL-2.0
/*
 * Sample provider in the kernel: writes an event when the module is loaded, one
 * each second from a timer, and one when the module is unloaded.
 *
 *	evnt record -p '*Evntprov-Kernel-Sample' -- sleep 5
 */
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/timer.h>

#include <linux/tracelogging.h>

/* The id is the one that evnt derives from the name */
TRACELOGGING_DEFINE_PROVIDER(sample, "Evntprov-Kernel-Sample",
			     (0x924e2d78, 0xcd3f, 0x5022,
			      0x21, 0x3a, 0xea, 0xa1,
			      0x16, 0x27, 0xd7, 0xfd));

static void on_timer(struct timer_list *timer);
static DEFINE_TIMER(sample_timer, on_timer);
static u32 ticks;

/* Softirq context: events may be written in any context */
static void on_timer(struct timer_list *timer)
{
	TraceLoggingWrite(sample, "Tick",
			  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
			  TraceLoggingKeyword(0x1),
			  TraceLoggingUInt32(++ticks, "count"),
			  TraceLoggingUInt64(get_jiffies_64(), "jiffies"));
	mod_timer(timer, jiffies + HZ);
}

static int __init sample_init(void)
{
	int err = TraceLoggingRegister(sample);

	if (err)
		return err;
	TraceLoggingWrite(sample, "Hello",
			  TraceLoggingString(THIS_MODULE->name, "module"));
	mod_timer(&sample_timer, jiffies + HZ);
	return 0;
}

static void __exit sample_exit(void)
{
	timer_shutdown_sync(&sample_timer);
	TraceLoggingWrite(sample, "Goodbye", TraceLoggingUInt32(ticks, "count"));
	TraceLoggingUnregister(sample);
}

module_init(sample_init);
module_exit(sample_exit);

MODULE_DESCRIPTION("A sample provider of evntprov");
MODULE_LICENSE("GPL");
