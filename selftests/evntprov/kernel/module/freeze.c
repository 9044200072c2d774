// SPDX-License-Identifier: GPL-2.0
/*
 * A device that writes an event when the system is about to be suspended and
 * all tasks are frozen, and checks whether a file grows; then it refuses the
 * suspend, so that the tasks go on.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/limits.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/pm.h>

#include "freeze.h"

/* Long enough for a thread with a short flush timer to write the event */
#define LOOKS	100
#define LOOK_MS	20

static char freeze_file[PATH_MAX];
module_param_string(freeze_file, freeze_file, sizeof(freeze_file), 0600);
MODULE_PARM_DESC(freeze_file, "file to look at; empty: do nothing");

static int freeze_grew = -1;
module_param(freeze_grew, int, 0600);
MODULE_PARM_DESC(freeze_grew, "whether it grew while tasks were frozen, or an error");

static struct platform_device *freeze_device;

static loff_t size_of(struct file *file)
{
	return i_size_read(file_inode(file));
}

static bool grows(struct file *file)
{
	const loff_t before = size_of(file);
	unsigned int i;

	freeze_write_event();
	for (i = 0; i < LOOKS && size_of(file) == before; i++)
		msleep(LOOK_MS);
	return size_of(file) != before;
}

/* First step of suspending devices: all tasks but the caller are frozen */
static int freeze_prepare(struct device *dev)
{
	struct file *file;

	if (!freeze_file[0])
		return 0;
	file = filp_open(freeze_file, O_RDONLY | O_LARGEFILE, 0);
	if (IS_ERR(file)) {
		freeze_grew = PTR_ERR(file);
		return -EBUSY;
	}
	freeze_grew = grows(file);
	filp_close(file, NULL);
	return -EBUSY;
}

static const struct dev_pm_ops freeze_pm = { .prepare = freeze_prepare };

static int freeze_probe(struct platform_device *device)
{
	return 0;
}

static struct platform_driver freeze_driver = {
	.probe = freeze_probe,
	.driver = { .name = "evntprov-freeze", .pm = &freeze_pm },
};

int freeze_init(void)
{
	int err;

	err = platform_driver_register(&freeze_driver);
	if (err)
		return err;
	freeze_device = platform_device_register_simple("evntprov-freeze", -1,
							NULL, 0);
	err = PTR_ERR_OR_ZERO(freeze_device);
	if (err)
		platform_driver_unregister(&freeze_driver);
	return err;
}

void freeze_exit(void)
{
	platform_device_unregister(freeze_device);
	platform_driver_unregister(&freeze_driver);
}
