// SPDX-License-Identifier: GPL-2.0
/*
 * evntprov: the programming model of Event Tracing for Windows.
 *
 * Module initialisation and exit.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "module/common/acl.h"
#include "module/device/devices.h"
#include "module/write/write.h"
#include "module/kernel/kernel_provider.h"
#include "module/provider/enable.h"
#include "module/common/module.h"
#include "module/common/quota.h"
#include "module/ring/ring.h"
#include "module/system/system.h"

static int __init evnt_init(void)
{
	int err;

	evnt_limits_init();
	evnt_rings_init();
	err = evnt_write_many_init();
	if (err)
		return err;
	err = evnt_system_init();
	if (err)
		goto exit_filtered;
	err = evnt_manifests_init();
	if (err)
		goto exit_system;
	err = evnt_kernel_init();
	if (err)
		goto exit_manifests;
	err = misc_register(&evnt_dev_provider);
	if (err)
		goto exit_kernel;
	err = misc_register(&evnt_dev_control);
	if (err)
		goto exit_dev_provider;
	/* Nothing fails from here on, so open files may stay open */
	evnt_counts_init();
	evnt_autologger_run();
	evnt_dev_provider_start();
	return 0;

exit_dev_provider:
	misc_deregister(&evnt_dev_provider);
exit_kernel:
	evnt_kernel_exit();
exit_manifests:
	evnt_manifests_exit();
exit_system:
	evnt_system_exit();
exit_filtered:
	evnt_write_many_exit();
	return err;
}

static void __exit evnt_exit(void)
{
	evnt_counts_exit();
	misc_deregister(&evnt_dev_control);
	misc_deregister(&evnt_dev_provider);
	evnt_kernel_exit();
	evnt_manifests_exit();
	evnt_system_exit();
	evnt_access_exit();
	rcu_barrier();	/* wait for pending call_rcu() callbacks */
	evnt_write_many_exit();
}

module_init(evnt_init);
module_exit(evnt_exit);
