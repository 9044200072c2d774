// SPDX-License-Identifier: MIT
/*
 * Mutexes and semaphores, which may have names within the process.
 *
 * A name is one of a mutex or of a semaphore.  All handles with a name are the
 * same pointer, with as many references.  Rights and inheritance by other
 * processes are ignored.
 */
#include <pthread.h>

#include "object.h"

/* Mutexes and semaphores, under the lock of objects */
static struct object *list;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

bool evnt_mutex_is_free(const struct object *o)
{
	return !o->id || o->id == GetCurrentThreadId();
}

void evnt_mutexes_abandon(void)
{
	DWORD self = GetCurrentThreadId();
	struct object *o;

	for (o = list; o; o = o->next) {
		if (o->id != self)
			continue;
		o->id = 0;
		o->depth = 0;
		o->abandoned = true;
		evnt_objects_changed();
	}
}

static void end_of_thread(void *unused)
{
	(void)unused;
	evnt_objects_lock();
	evnt_mutexes_abandon();
	evnt_objects_unlock();
}

static void init_key(void)
{
	pthread_key_create(&key, end_of_thread);
}

bool evnt_mutex_take(struct object *o)
{
	bool abandoned = o->abandoned;

	pthread_once(&once, init_key);
	pthread_setspecific(key, &key);
	o->id = GetCurrentThreadId();
	o->depth++;
	o->abandoned = false;
	return abandoned;
}

void evnt_object_unlist(struct object *o)
{
	struct object **at = &list;

	while (*at && *at != o)
		at = &(*at)->next;
	if (*at)
		*at = o->next;
	free(o->name);
}

/* Names without a prefix have "Local\" by default */
static LPCWSTR without_prefix(LPCWSTR name)
{
	static const WCHAR prefix[] = { 'L', 'o', 'c', 'a', 'l', '\\' };

	return evnt16_wcsncmp(name, prefix, ARRAYSIZE(prefix)) ?
		       name : name + ARRAYSIZE(prefix);
}

/* Locked */
static struct object *find(LPCWSTR name)
{
	struct object *o = list;

	while (o && (!o->name || evnt16_wcscmp(o->name, name)))
		o = o->next;
	return o;
}

/*
 * Return a new reference to the object of a name, with the last error @found;
 * NULL, with ERROR_INVALID_HANDLE, if it has another kind.  Locked.
 */
static HANDLE open_found(struct object *o, enum object_kind kind, DWORD found)
{
	if (o->kind != kind) {
		SetLastError(ERROR_INVALID_HANDLE);
		return NULL;
	}
	o->refs++;
	SetLastError(found);
	return o;
}

/* List a new object, or open the one that has the name */
static HANDLE create(struct object *o, LPCWSTR name)
{
	struct object *found = NULL;
	HANDLE handle = o;

	if (!o)
		return NULL;
	if (name) {
		o->name = _wcsdup(without_prefix(name));
		if (!o->name) {
			free(o);
			SetLastError(ERROR_NOT_ENOUGH_MEMORY);
			return NULL;
		}
	}
	evnt_objects_lock();
	if (name)
		found = find(o->name);
	if (found) {
		handle = open_found(found, o->kind, ERROR_ALREADY_EXISTS);
	} else {
		o->next = list;
		list = o;
		SetLastError(ERROR_SUCCESS);
	}
	evnt_objects_unlock();
	if (found) {
		free(o->name);
		free(o);
	}
	return handle;
}

static HANDLE open_named(enum object_kind kind, LPCWSTR name)
{
	struct object *found;
	HANDLE handle = NULL;

	if (!name) {
		SetLastError(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	evnt_objects_lock();
	found = find(without_prefix(name));
	if (found)
		handle = open_found(found, kind, ERROR_SUCCESS);
	else
		SetLastError(ERROR_FILE_NOT_FOUND);
	evnt_objects_unlock();
	return handle;
}

static bool is_too_long(LPCWSTR name)
{
	if (!name || evnt16_wcsnlen(name, MAX_PATH + 1) <= MAX_PATH)
		return false;
	SetLastError(ERROR_FILENAME_EXCED_RANGE);
	return true;
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-createmutexexw */
HANDLE CreateMutexExW(LPSECURITY_ATTRIBUTES attributes, LPCWSTR name,
		      DWORD flags, DWORD access)
{
	struct object *o;

	(void)attributes;
	(void)access;
	if (flags & ~CREATE_MUTEX_INITIAL_OWNER) {
		SetLastError(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	if (is_too_long(name))
		return NULL;
	o = evnt_object_new(OBJECT_MUTEX, 0);
	if (o && flags)
		evnt_mutex_take(o);
	return create(o, name);
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-openmutexw */
HANDLE OpenMutexW(DWORD access, BOOL inherit, LPCWSTR name)
{
	(void)access;
	(void)inherit;
	return open_named(OBJECT_MUTEX, name);
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-releasemutex */
BOOL ReleaseMutex(HANDLE mutex)
{
	struct object *o = evnt_object_of(mutex, OBJECT_MUTEX);
	bool owned;

	if (!o)
		return FALSE;
	evnt_objects_lock();
	owned = o->id == GetCurrentThreadId();
	if (owned && !--o->depth) {
		o->id = 0;
		evnt_objects_changed();
	}
	evnt_objects_unlock();
	return owned ? TRUE : fail_with(ERROR_NOT_OWNER);
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-createsemaphoreexw */
HANDLE CreateSemaphoreExW(LPSECURITY_ATTRIBUTES attributes, LONG count,
			  LONG max, LPCWSTR name, DWORD flags, DWORD access)
{
	struct object *o;

	(void)attributes;
	(void)access;
	if (count < 0 || max <= 0 || count > max || flags) {
		SetLastError(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	if (is_too_long(name))
		return NULL;
	o = evnt_object_new(OBJECT_SEMAPHORE, count);
	if (o)
		o->max = max;
	return create(o, name);
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-opensemaphorew */
HANDLE OpenSemaphoreW(DWORD access, BOOL inherit, LPCWSTR name)
{
	(void)access;
	(void)inherit;
	return open_named(OBJECT_SEMAPHORE, name);
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-releasesemaphore */
BOOL ReleaseSemaphore(HANDLE semaphore, LONG count, LPLONG previous)
{
	struct object *o = evnt_object_of(semaphore, OBJECT_SEMAPHORE);
	bool fits;

	if (!o)
		return FALSE;
	if (count <= 0)
		return fail_with(ERROR_INVALID_PARAMETER);
	evnt_objects_lock();
	fits = count <= o->max - o->count;
	if (fits) {
		if (previous)
			*previous = o->count;
		o->count += count;
		evnt_objects_changed();
	}
	evnt_objects_unlock();
	return fits ? TRUE : fail_with(ERROR_TOO_MANY_POSTS);
}
