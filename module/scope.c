// SPDX-License-Identifier: GPL-2.0
/*
 * Filters by process: in which a provider is enabled at all.
 *
 * A process is known by its struct pid, which no later process has, whatever
 * its number.  The name of the file that it runs is noted when it registers a
 * provider: under evnt_lock another process's memory must not be held, as the
 * last to drop it waits for its pending I/O.  The cgroup that a process is in is
 * looked up when a filter needs it.
 */
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/file.h>
#include <linux/limits.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "compat/compat.h"
#include "package.h"
#include "provider.h"
#include "scope.h"

static struct evnt_scope *scope_get(struct evnt_scope **scope)
{
	if (!*scope)
		*scope = kzalloc(sizeof(**scope), GFP_KERNEL_ACCOUNT);
	return *scope;
}

/**
 * evnt_scope_add_pids() - only processes of these ids
 * @scope: a scope, or NULL, which becomes one
 * @from: __u32, ids in the caller's namespace; there need not be such processes
 * @len: their length in bytes
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

/* Cut a list at its semicolons, and leave empty names out */
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
 * evnt_scope_add_list() - only processes that have one of these names
 * @scope: a scope, or NULL, which becomes one
 * @which: the names of what
 * @from: names in UTF-8, with semicolons between them
 * @len: their length in bytes; a nul ends them, too
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
	/* A name that ends where the text does, and an empty one */
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
 * evnt_scope_exe() - name the file that the current process runs
 *
 * May sleep.
 *
 * Return: the name without its folder, to be freed with kfree(): empty, if the
 * process runs no file; or NULL without memory.
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

/* Whether the file that registered is in a list; the kernel runs none */
static bool has_exe(const struct evnt_scope *scope,
		    const struct evnt_registration *r)
{
	const char *exes = scope->list[EVNT_SCOPE_EXE];

	return !exes || (r->exe && list_has(exes, r->exe));
}

/*
 * Find a process's package; false when it has gone, or is of none.  There is one
 * buffer, guarded by evnt_lock: without memory for another one a process would
 * seem to be of none.
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

/* Whether a process, which may have gone, is of a package and application */
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

/* Whether an answer is that of another registration of the same process, too */
static bool is_for(const struct evnt_scope_answer *answer,
		   const struct evnt_scope *scope,
		   const struct evnt_registration *r)
{
	const struct evnt_registration *of = answer->of;

	return answer->scope == scope && of->process == r->process &&
	       (!r->process || !strcmp(of->exe, r->exe));
}

/**
 * evnt_scope_has() - whether the process of a registration is in scope
 * @scope: the scope
 * @r: the registration
 * @last: the last answer since evnt_lock was taken, zero before the first, or NULL
 *
 * Under evnt_lock.  May sleep.  A process is looked at once for its registrations
 * that follow each other.
 */
bool evnt_scope_has(const struct evnt_scope *scope,
		    const struct evnt_registration *r,
		    struct evnt_scope_answer *last)
{
	if (!last)
		return look_at(scope, r);
	if (!is_for(last, scope, r))
		*last = (struct evnt_scope_answer) {
			.scope = scope, .of = r, .has = look_at(scope, r),
		};
	return last->has;
}

static struct evnt_package_key *package_key_create(const char *name)
{
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

/**
 * evnt_scope_package() - the package that a process is of
 * @process: the process
 *
 * May sleep; under evnt_lock.
 *
 * Return: it, to be freed with kfree(): empty, if it is of none, or has gone; or
 * NULL without memory.
 */
struct evnt_package_key *evnt_scope_package(struct pid *process)
{
	struct evnt_package package;
	bool found = package_of(&package, process);

	return package_key_create(found ? package.id : "");
}
