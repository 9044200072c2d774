// SPDX-License-Identifier: GPL-2.0
/*
 * The global lock, parameters, and the counters of objects, for tests and
 * diagnosis.
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/seq_file.h>

#include "module/common/module.h"

/* Rules and lock order: see module.h */
DEFINE_MUTEX(evnt_lock);

struct evnt_counts evnt_counts;

bool evnt_rings = true;
module_param_named(rings, evnt_rings, bool, 0644);
MODULE_PARM_DESC(rings, "Let threads write events without system calls, to sessions started from then on (default on)");

u32 evnt_lanes __ro_after_init;

bool evnt_rings_counter = true;
module_param_named(rings_counter, evnt_rings_counter, bool, 0644);
MODULE_PARM_DESC(rings_counter, "Let these threads read the processor's counter for the time (default on)");

static struct dentry *evnt_debugfs;

static int counts_show(struct seq_file *m, void *unused)
{
#define SHOW(name)	seq_printf(m, #name " %llu\n",			\
				   (u64)atomic64_read(&evnt_counts.name))
	SHOW(files);
	SHOW(registrations);
	SHOW(providers);
	SHOW(enablements);
	SHOW(sessions);
	SHOW(buffers);
	SHOW(buffer_bytes);
	SHOW(rings);
#undef SHOW
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

/* Create the file evntprov/counts; the module works without debugfs */
void evnt_counts_init(void)
{
	evnt_debugfs = debugfs_create_dir("evntprov", NULL);
	debugfs_create_file("counts", 0444, evnt_debugfs, NULL, &counts_fops);
}

void evnt_counts_exit(void)
{
	debugfs_remove(evnt_debugfs);
}

MODULE_DESCRIPTION("Event Tracing for Windows' programming model");
MODULE_AUTHOR("The evntprov developers");
MODULE_VERSION("0.1.0");
MODULE_LICENSE("GPL");
