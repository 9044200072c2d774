// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions that start with the module, before any provider can register.
 *
 * A user space helper reads the configuration files and starts the sessions.
 * It runs during module initialisation, when /dev/evntrace is usable and
 * /dev/evntprov cannot be opened yet.  The helper is killed after a time limit,
 * so that loading the module always terminates.  A failure of the helper never
 * fails the load.
 *
 * The helper runs as root in the initial namespaces, regardless of the task
 * that loads the module.  A container's /usr/sbin is never used.
 */
#include <linux/errno.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <linux/umh.h>
#include <linux/workqueue.h>

#include "module/device/devices.h"

#define MAX_SECONDS	60u

static char *autologger = "/usr/sbin/evnt-autologger";
module_param(autologger, charp, 0444);
MODULE_PARM_DESC(autologger,
		 "program that starts sessions when the module is loaded; empty: none");

static unsigned int autologger_seconds = 10;
module_param(autologger_seconds, uint, 0444);
MODULE_PARM_DESC(autologger_seconds,
		 "how long it may take, 1 to 60; then it is killed");

/**
 * struct evnt_helper - running helper
 * @kill: kills the helper when its time is up
 * @pid: pid of the helper, or NULL; written before @kill is queued
 * @late: the time limit was exceeded; written by @kill
 */
struct evnt_helper {
	struct delayed_work kill;
	struct pid *pid;
	bool late;
};

static void kill_helper(struct work_struct *work)
{
	struct evnt_helper *h = container_of(to_delayed_work(work),
					     struct evnt_helper, kill);

	h->late = true;
	kill_pid(h->pid, SIGKILL, 1);
}

/* Run in the helper's process before it executes the program */
static int helper_begins(struct subprocess_info *info, struct cred *new)
{
	struct evnt_helper *h = info->data;

	h->pid = get_task_pid(current, PIDTYPE_PID);
	schedule_delayed_work(&h->kill, HZ * clamp(autologger_seconds, 1u,
						   MAX_SECONDS));
	return 0;
}

/* Log why the helper failed */
static void report(const struct evnt_helper *h, int status)
{
	if (h->late)
		pr_warn("evntprov: %s took too long and was killed\n",
			autologger);
	else if (status < 0)
		pr_warn("evntprov: cannot run %s: error %d\n", autologger,
			-status);
	else if (status & 0x7f)
		pr_warn("evntprov: %s was ended by signal %d\n", autologger,
			status & 0x7f);
	else
		pr_warn("evntprov: %s failed: exit status %d\n", autologger,
			status >> 8 & 0xff);
}

/**
 * evnt_autologger_run() - run the helper that starts sessions at module load
 *
 * Returns when the helper has exited, or shortly after its time limit.
 */
void evnt_autologger_run(void)
{
	static char *envp[3] = {
		"HOME=/", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL
	};
	char *argv[2] = { autologger, NULL };
	struct subprocess_info *info;
	struct evnt_helper h = {};
	int status;

	if (!*autologger)
		return;
	INIT_DELAYED_WORK_ONSTACK(&h.kill, kill_helper);
	info = call_usermodehelper_setup(autologger, argv, envp, GFP_KERNEL,
					 helper_begins, NULL, &h);
	/* A negative errno, or the helper's wait(2) status */
	status = info ? call_usermodehelper_exec(info, UMH_WAIT_PROC) : -ENOMEM;
	/* The reference on h.pid keeps the pid from being reused until here */
	cancel_delayed_work_sync(&h.kill);
	destroy_delayed_work_on_stack(&h.kill);
	put_pid(h.pid);
	/* A missing helper is normal, as its installation is optional */
	if (status && status != -ENOENT)
		report(&h, status);
}
