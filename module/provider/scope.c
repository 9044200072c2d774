// SPDX-License-Identifier: GPL-2.0
/*
 * Scope filters: the processes for which a provider is enabled at all.
 *
 * A process is identified by its struct pid, which is never reused, unlike its
 * number.  The name of its executable is recorded when it registers a provider:
 * reading it under evnt_lock would mean to hold another process's memory, and
 * dropping the last reference to that waits for the process's pending I/O.  The
 * cgroup of a process is looked up when a filter needs it.
 */
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/limits.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "module/compat/compat.h"
#include "core/package.h"
#include "module/provider/provider.h"
#include "module/provider/filter_set.h"

static struct evnt_scope *scope_get(struct evnt_scope **scope)
{
	if (!*scope)
		*scope = kzalloc(sizeof(**scope), GFP_KERNEL_ACCOUNT);
	return *scope;
}

/**
 * evnt_scope_add_pids() - limit a scope to processes by id
 * @scope: scope, created if NULL
 * @from: array of __u32, ids in the caller's namespace; such processes need not
 *	exist
 * @len: length of @from in bytes
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int evnt_scope_add_pids(struct evnt_scope **scope, const void *from, u32 len)
{
	u32 i, count = len / sizeof(u32);
	struct evnt_scope *s;
	const u32 *ids = from;

	if (len % sizeof(u32) || count > EVNTRACE_MAX_FILTER_PIDS)
		return -EINVAL;
	s = scope_get(scope);
	if (!s)
		return -ENOMEM;
	s->has_pids = true;
	s->pid_count = count;
	for (i = 0; i < count; i++)
		s->pids[i] = find_get_pid(ids[i]);
	return 0;
}

/* Split a list at its semicolons, and drop empty names */
static void split(char *text)
{
	char *to = text, *name;
	size_t len;

	while ((name = strsep(&text, ";"))) {
		len = strlen(name) + 1;
		if (len == 1)
			continue;
		memmove(to, name, len);
		to += len;
	}
	*to = 0;
}

/**
 * evnt_scope_add_list() - limit a scope to processes by a list of names
 * @scope: scope, created if NULL
 * @which: property that the names apply to
 * @from: names in UTF-8, separated by semicolons
 * @len: maximum length of @from in bytes; a nul also ends it
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int evnt_scope_add_list(struct evnt_scope **scope, enum evnt_scope_list which,
			const void *from, u32 len)
{
	struct evnt_scope *s = scope_get(scope);
	char *text;

	if (!s)
		return -ENOMEM;
	/* Room for the nul of the last name, and for the empty name after it */
	text = kzalloc(len + 2, GFP_KERNEL_ACCOUNT);
	if (!text)
		return -ENOMEM;
	memcpy(text, from, strnlen(from, len));
	s->list[which] = text;
	split(text);
	return *text ? 0 : -EINVAL;
}

void evnt_scope_free(struct evnt_scope *scope)
{
	u32 i;

	if (!scope)
		return;
	for (i = 0; i < scope->pid_count; i++)
		put_pid(scope->pids[i]);
	for (i = 0; i < EVNT_SCOPE_LISTS; i++)
		kfree(scope->list[i]);
	kfree(scope);
}

static bool has_pid(const struct evnt_scope *scope, const struct pid *process)
{
	u32 i;

	for (i = 0; process && i < scope->pid_count; i++) {
		if (scope->pids[i] == process)
			return true;
	}
	return !scope->has_pids;
}

static bool list_has(const char *list, const char *name)
{
	for (; *list; list += strlen(list) + 1) {
		if (!strcasecmp(list, name))
			return true;
	}
	return false;
}

/**
 * evnt_scope_exe() - get the name of the current process's executable
 *
 * May sleep.
 *
 * Return: the name without its directory, to be freed with kfree(); empty if
 * the process has no executable; or NULL without memory.
 */
char *evnt_scope_exe(void)
{
	struct file *exe = current->mm ? evnt_exe_file(current->mm) : NULL;
	struct name_snapshot name;
	char *text;

	if (!exe)
		return kstrdup("", GFP_KERNEL_ACCOUNT);
	take_dentry_name_snapshot(&name, exe->f_path.dentry);
	text = kstrdup(name.name.name, GFP_KERNEL_ACCOUNT);
	release_dentry_name_snapshot(&name);
	fput(exe);
	return text;
}

/* Return whether the executable is listed; the kernel has none */
static bool has_exe(const struct evnt_scope *scope,
		    const struct evnt_registration *r)
{
	const char *exes = scope->list[EVNT_SCOPE_EXE];

	return !exes || (r->exe && list_has(exes, r->exe));
}

/*
 * Find the package of a process.  Returns false if the process has exited, or
 * belongs to no package.  Uses one static buffer, guarded by evnt_lock: if a
 * buffer were allocated, a failure would look like a process without a package.
 */
static bool package_of(struct evnt_package *package, struct pid *process)
{
	struct task_struct *task = get_pid_task(process, PIDTYPE_TGID);
	static char path[PATH_MAX];
	bool found;

	lockdep_assert_held(&evnt_lock);
	if (!task)
		return false;
	found = evnt_cgroup_path(task, path, sizeof(path)) &&
		evnt_package_parse(package, path);
	put_task_struct(task);
	return found;
}

/* Return whether a process matches the lists of packages and applications */
static bool has_package(const struct evnt_scope *scope, struct pid *process)
{
	const char *packages = scope->list[EVNT_SCOPE_PACKAGE];
	const char *apps = scope->list[EVNT_SCOPE_APP];
	struct evnt_package package;

	if (!packages && !apps)
		return true;
	return package_of(&package, process) &&
	       (!packages || list_has(packages, package.id)) &&
	       (!apps || list_has(apps, package.app));
}

static bool look_at(const struct evnt_scope *scope,
		    const struct evnt_registration *r)
{
	return has_pid(scope, r->process) && has_exe(scope, r) &&
	       has_package(scope, r->process);
}

/**
 * evnt_scope_has() - check whether the process of a registration is in scope
 * @scope: scope
 * @r: registration
 * @last: last result since evnt_lock was taken, initially zero; or NULL
 *
 * Caches the last result, so that consecutive registrations of a process cause
 * one lookup only.  The caller must hold evnt_lock.  May sleep.
 *
 * Return: whether the process is in scope.
 */
bool evnt_scope_has(const struct evnt_scope *scope,
		    const struct evnt_registration *r,
		    struct evnt_scope_answer *last)
{
	const struct evnt_registration *of;

	if (!last)
		return look_at(scope, r);
	of = last->of;
	/* The answer also applies to other registrations of the same process */
	if (last->scope != scope || of->process != r->process ||
	    (scope->list[EVNT_SCOPE_EXE] && r->process &&
	     strcmp(of->exe, r->exe)))
		*last = (struct evnt_scope_answer) {
			.scope = scope, .of = r, .has = look_at(scope, r),
		};
	return last->has;
}

/**
 * evnt_scope_package() - get the package of a process
 * @process: process
 *
 * The caller must hold evnt_lock.  May sleep.
 *
 * Return: the package, to be freed with kfree(); empty if the process belongs
 * to none or has exited; or NULL without memory.
 */
struct evnt_package_key *evnt_scope_package(struct pid *process)
{
	struct evnt_package package;
	bool found = package_of(&package, process);
	const char *name = found ? package.id : "";
	u32 i, len = strlen(name);
	struct evnt_package_key *key;

	if (len)
		len++;
	key = kzalloc(struct_size(key, text, len), GFP_KERNEL);
	if (!key)
		return NULL;
	key->len = len * sizeof(*key->text);
	for (i = 0; i < len; i++)
		key->text[i] = cpu_to_le16(isascii(name[i]) ? name[i] : '?');
	return key;
}
