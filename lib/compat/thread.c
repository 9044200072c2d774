// SPDX-License-Identifier: MIT
/*
 * Threads and events, and waiting for them, mutexes and semaphores; handles of
 * other objects.
 *
 * All handles share one lock and one condition, as waits are rare here.  A
 * thread's handle may be closed while the thread runs: the object lives as long
 * as either refers to it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

#include "object.h"

#define MAGIC	0x65766e7468616e64ull

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_condition(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attributes);
}

void evnt_objects_lock(void)
{
	pthread_mutex_lock(&lock);
}

void evnt_objects_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

void evnt_objects_changed(void)
{
	pthread_cond_broadcast(&changed);
}

struct object *evnt_object_new(enum object_kind kind, LONG count)
{
	struct object *o = calloc(1, sizeof(*o));

	pthread_once(&once, init_condition);
	if (!o) {
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	o->magic = MAGIC;
	o->refs = 1;
	o->kind = kind;
	o->count = count;
	return o;
}

static struct object *any_object_of(HANDLE handle)
{
	struct object *o = handle;

	if (!o || handle == INVALID_HANDLE_VALUE || o->magic != MAGIC) {
		SetLastError(ERROR_INVALID_HANDLE);
		return NULL;
	}
	return o;
}

struct object *evnt_object_of(HANDLE handle, enum object_kind kind)
{
	struct object *o = any_object_of(handle);

	if (!o || o->kind == kind)
		return o;
	SetLastError(ERROR_INVALID_HANDLE);
	return NULL;
}

HANDLE evnt_handle_new(void *data, void (*release)(void *data))
{
	struct object *o = evnt_object_new(OBJECT_OTHER, 0);

	if (!o) {
		release(data);
		return NULL;
	}
	o->data = data;
	o->release = release;
	return o;
}

void *evnt_handle_data(HANDLE handle, void (*release)(void *data))
{
	struct object *o = any_object_of(handle);

	if (!o || o->release == release)
		return o ? o->data : NULL;
	SetLastError(ERROR_INVALID_HANDLE);
	return NULL;
}

/* Drop a reference; locked */
static void object_put(struct object *o)
{
	if (--o->refs)
		return;
	o->magic = 0;
	evnt_object_unlist(o);
	if (o->release)
		o->release(o->data);
	free(o);
}

static void object_set(struct object *o, bool set)
{
	o->count = set;
	pthread_cond_broadcast(&changed);
}

DWORD GetCurrentThreadId(void)
{
	return (DWORD)syscall(SYS_gettid);
}

DWORD GetCurrentProcessorNumber(void)
{
	return (DWORD)sched_getcpu() % 64;
}

VOID GetCurrentProcessorNumberEx(PPROCESSOR_NUMBER to)
{
	int processor = sched_getcpu();

	to->Group = (WORD)(processor / 64);
	to->Number = (BYTE)(processor % 64);
	to->Reserved = 0;
}

/* The object of a thread that CreateThread() started */
static __thread struct object *own;

static void *run(void *argument)
{
	struct object *o = argument;

	own = o;
	pthread_mutex_lock(&lock);
	o->id = GetCurrentThreadId();
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	ExitThread(o->start(o->argument));
}

/* Unlike Windows, call the destructors of the thread's objects in C++ */
VOID ExitThread(DWORD code)
{
	if (own) {
		pthread_mutex_lock(&lock);
		own->code = code;
		evnt_mutexes_abandon();
		object_set(own, true);
		object_put(own);
		pthread_mutex_unlock(&lock);
	}
	pthread_exit(NULL);
}

/* https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-createthread */
HANDLE CreateThread(LPSECURITY_ATTRIBUTES attributes, SIZE_T stack,
		    LPTHREAD_START_ROUTINE start, LPVOID argument, DWORD flags,
		    LPDWORD id)
{
	struct object *o;
	pthread_t thread;

	(void)attributes;
	(void)stack;
	if (!start || flags) {
		SetLastError(ERROR_INVALID_PARAMETER);
		return NULL;
	}
	o = evnt_object_new(OBJECT_THREAD, 0);
	if (!o)
		return NULL;
	o->manual = true;
	o->start = start;
	o->argument = argument;
	o->code = STILL_ACTIVE;
	o->refs = 2;
	if (pthread_create(&thread, NULL, run, o)) {
		free(o);
		SetLastError(ERROR_NOT_ENOUGH_MEMORY);
		return NULL;
	}
	pthread_detach(thread);
	pthread_mutex_lock(&lock);
	while (!o->id)
		pthread_cond_wait(&changed, &lock);
	if (id)
		*id = o->id;
	pthread_mutex_unlock(&lock);
	return o;
}

BOOL GetExitCodeThread(HANDLE thread, LPDWORD code)
{
	struct object *o = evnt_object_of(thread, OBJECT_THREAD);

	if (!o)
		return FALSE;
	pthread_mutex_lock(&lock);
	*code = o->code;
	pthread_mutex_unlock(&lock);
	return TRUE;
}

/* Create an event; named events, which processes share, are not supported */
HANDLE CreateEventA(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL set,
		    LPCSTR name)
{
	struct object *o;

	(void)attributes;
	if (name) {
		SetLastError(ERROR_NOT_SUPPORTED);
		return NULL;
	}
	o = evnt_object_new(OBJECT_EVENT, !!set);
	if (o)
		o->manual = manual;
	return o;
}

HANDLE CreateEventW(LPSECURITY_ATTRIBUTES attributes, BOOL manual, BOOL set,
		    LPCWSTR name)
{
	return CreateEventA(attributes, manual, set, name ? "" : NULL);
}

static BOOL change(HANDLE event, bool set)
{
	struct object *o = evnt_object_of(event, OBJECT_EVENT);

	if (!o)
		return FALSE;
	pthread_mutex_lock(&lock);
	object_set(o, set);
	pthread_mutex_unlock(&lock);
	return TRUE;
}

BOOL SetEvent(HANDLE event)
{
	return change(event, true);
}

BOOL ResetEvent(HANDLE event)
{
	return change(event, false);
}

/* Return whether a thread may continue; locked */
static bool is_set(struct object *o)
{
	return o->kind == OBJECT_MUTEX ? evnt_mutex_is_free(o) : o->count;
}

/* Return the index of a set handle, or 0 if @all are set; -1 if none; locked */
static int find_set(DWORD count, const HANDLE *handles, bool all)
{
	DWORD i, set = 0;

	for (i = 0; i < count; i++) {
		if (is_set(handles[i])) {
			set++;
			if (!all)
				return (int)i;
		}
	}
	return all && set == count ? 0 : -1;
}

/*
 * Own a mutex, or let one thread pass an event without manual reset or a
 * semaphore; return whether a mutex was abandoned.  Locked.
 */
static bool take(struct object *o)
{
	if (o->kind == OBJECT_MUTEX)
		return evnt_mutex_take(o);
	if (!o->manual)
		o->count--;
	return false;
}

static struct timespec deadline(DWORD ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000l;
	if (t.tv_nsec >= 1000000000l) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000l;
	}
	return t;
}

static DWORD wait_locked(DWORD count, const HANDLE *handles, bool all, DWORD ms)
{
	struct timespec end = deadline(ms);
	int found, error = 0;
	bool abandoned = false;
	DWORD i;

	while ((found = find_set(count, handles, all)) < 0) {
		if (error || !ms)
			return WAIT_TIMEOUT;
		error = ms == INFINITE ? pthread_cond_wait(&changed, &lock) :
			pthread_cond_timedwait(&changed, &lock, &end);
	}
	for (i = all ? 0 : found; i < (all ? count : (DWORD)found + 1); i++)
		abandoned |= take(handles[i]);
	return (abandoned ? WAIT_ABANDONED_0 : WAIT_OBJECT_0) + found;
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-waitformultipleobjects */
DWORD WaitForMultipleObjects(DWORD count, const HANDLE *handles, BOOL all,
			     DWORD ms)
{
	DWORD i, result;

	if (!count || count > MAXIMUM_WAIT_OBJECTS) {
		SetLastError(ERROR_INVALID_PARAMETER);
		return WAIT_FAILED;
	}
	for (i = 0; i < count; i++) {
		struct object *o = any_object_of(handles[i]);

		if (o && o->kind == OBJECT_OTHER)
			SetLastError(ERROR_NOT_SUPPORTED);
		if (!o || o->kind == OBJECT_OTHER)
			return WAIT_FAILED;
	}
	pthread_mutex_lock(&lock);
	result = wait_locked(count, handles, all, ms);
	pthread_mutex_unlock(&lock);
	return result;
}

DWORD WaitForSingleObject(HANDLE handle, DWORD ms)
{
	return WaitForMultipleObjects(1, &handle, FALSE, ms);
}

static bool is_equal(volatile VOID *address, const void *value, SIZE_T size)
{
	switch (size) {
	case 1:
		return *(volatile BYTE *)address == *(const BYTE *)value;
	case 2:
		return *(volatile USHORT *)address == *(const USHORT *)value;
	case 4:
		return *(volatile ULONG *)address == *(const ULONG *)value;
	default:
		return *(volatile ULONG64 *)address == *(const ULONG64 *)value;
	}
}

/*
 * Wait until a value differs; may return early, at any wake-up.  No wake-up is
 * lost, as it takes the lock under which the value is compared.
 *
 * https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-waitonaddress
 */
BOOL WaitOnAddress(volatile VOID *address, PVOID value, SIZE_T size, DWORD ms)
{
	struct timespec end = deadline(ms);
	int error = 0;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return fail_with(ERROR_INVALID_PARAMETER);
	pthread_once(&once, init_condition);
	pthread_mutex_lock(&lock);
	if (is_equal(address, value, size))
		error = ms == INFINITE ? pthread_cond_wait(&changed, &lock) :
			pthread_cond_timedwait(&changed, &lock, &end);
	pthread_mutex_unlock(&lock);
	return error ? fail_with(ERROR_TIMEOUT) : TRUE;
}

VOID WakeByAddressAll(PVOID address)
{
	(void)address;
	pthread_once(&once, init_condition);
	pthread_mutex_lock(&lock);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* Other waiting threads return early, as they may */
VOID WakeByAddressSingle(PVOID address)
{
	WakeByAddressAll(address);
}

BOOL CloseHandle(HANDLE handle)
{
	struct object *o = any_object_of(handle);

	if (!o)
		return FALSE;
	pthread_mutex_lock(&lock);
	object_put(o);
	pthread_mutex_unlock(&lock);
	return TRUE;
}
