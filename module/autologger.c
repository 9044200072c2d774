// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions that start with the module, before any program registers a provider.
 *
 * What is to be started stands in files, which a helper in user space reads.  It
 * runs while the module is being loaded:  /dev/evntrace works by then, and
 * /dev/evntprov does not yet.  It is given so much time, and then killed, so that
 * loading ends whatever the helper does; nothing that it does, or fails to do,
 * keeps the module from being loaded.
 *
 * It runs as root, in the name spaces that the kernel's own threads have, whoever
 * loads the module:  what a container calls /usr/sbin is not looked at.
 */
#include <linux/errno.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <linux/umh.h>
#include <linux/workqueue.h>

#include "autologger.h"

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
 * struct evnt_helper - a helper that runs
 * @kill: ends it when its time is up
 * @pid: it; NULL as long as there is none; written before @kill is queued
 * @late: its time was up; written by @kill
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

/* In the helper's own process, which is not the program yet */
static int helper_begins(struct subprocess_info *info, struct cred *new)
{
	struct evnt_helper *h = info->data;

	h->pid = get_task_pid(current, PIDTYPE_PID);
	schedule_delayed_work(&h->kill, HZ * clamp(autologger_seconds, 1u,
						   MAX_SECONDS));
	return 0;
}

/* Run it to its end; an errno, or its status as wait(2) has it */
static int run_helper(struct evnt_helper *h)
{
	static char *envp[3] = {
		"HOME=/", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL
	};
	char *argv[2] = { autologger, NULL };
	struct subprocess_info *info;
	int status;

	INIT_DELAYED_WORK_ONSTACK(&h->kill, kill_helper);
	info = call_usermodehelper_setup(autologger, argv, envp, GFP_KERNEL,
					 helper_begins, NULL, h);
	status = info ? call_usermodehelper_exec(info, UMH_WAIT_PROC) : -ENOMEM;
	/* The pid is not given to another one as long as it is held here */
	cancel_delayed_work_sync(&h->kill);
	destroy_delayed_work_on_stack(&h->kill);
	put_pid(h->pid);
	return status;
}

/* What became of a helper that did not say it was all right */
static void tell(const struct evnt_helper *h, int status)
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
 * evnt_autologger_run() - have sessions started that are to be there first
 *
 * Returns when the helper has ended, or soon after its time is up.
 */
void evnt_autologger_run(void)
{
	struct evnt_helper h = {};
	int status;

	if (!*autologger)
		return;
	status = run_helper(&h);
	/* That there is none is how most machines are */
	if (status && status != -ENOENT)
		tell(&h, status);
}
