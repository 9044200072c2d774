// SPDX-License-Identifier: MIT
/*
 * Callbacks for the events of a class: SetTraceCallback() and
 * RemoveTraceCallback().
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "lib/base/fork_lock.h"
#include "lib/base/internal.h"
#include "lib/consume/trace.h"

struct class_callback {
	GUID class;
	PEVENT_CALLBACK call;
};

/* Guards the callbacks; their number may be read without it */
static pthread_mutex_t lock =
	PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static struct class_callback *callbacks;
static size_t callback_count;

EVNT_FREE_IN_CHILD(lock)

static struct class_callback *find(const GUID *class)
{
	size_t i;

	for (i = 0; i < callback_count; i++) {
		if (!memcmp(&callbacks[i].class, class, sizeof(*class)))
			return &callbacks[i];
	}
	return NULL;
}

static void set_count(size_t count)
{
	__atomic_store_n(&callback_count, count, __ATOMIC_RELAXED);
}

static struct class_callback *add(const GUID *class)
{
	struct class_callback *more;

	more = realloc(callbacks, (callback_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	callbacks = more;
	more[callback_count].class = *class;
	set_count(callback_count + 1);
	return &more[callback_count - 1];
}

/**
 * SetTraceCallback() - set a callback for the events of a class
 * @pGuid: GUID of the class
 * @EventCallback: callback; replaces an earlier one of the class
 *
 * ProcessTrace() calls it for classic events of traces opened without
 * PROCESS_TRACE_MODE_EVENT_RECORD, after their EventCallback.
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL;
 * ERROR_NOT_ENOUGH_MEMORY.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-settracecallback
 */
EVNT_PUBLIC ULONG WMIAPI SetTraceCallback(LPCGUID pGuid,
					  PEVENT_CALLBACK EventCallback)
{
	struct class_callback *c;

	if (!pGuid || !EventCallback)
		return ERROR_INVALID_PARAMETER;
	pthread_mutex_lock(&lock);
	c = find(pGuid);
	if (!c)
		c = add(pGuid);
	if (c)
		c->call = EventCallback;
	pthread_mutex_unlock(&lock);
	return c ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

/**
 * RemoveTraceCallback() - remove the callback of a class
 * @pGuid: GUID of the class
 *
 * Return: ERROR_SUCCESS; ERROR_INVALID_PARAMETER for NULL;
 * ERROR_WMI_GUID_NOT_FOUND if the class has no callback.
 *
 * https://learn.microsoft.com/windows/win32/api/evntrace/nf-evntrace-removetracecallback
 */
EVNT_PUBLIC ULONG WMIAPI RemoveTraceCallback(LPCGUID pGuid)
{
	struct class_callback *c;

	if (!pGuid)
		return ERROR_INVALID_PARAMETER;
	pthread_mutex_lock(&lock);
	c = find(pGuid);
	if (c) {
		*c = callbacks[callback_count - 1];
		set_count(callback_count - 1);
	}
	pthread_mutex_unlock(&lock);
	return c ? ERROR_SUCCESS : ERROR_WMI_GUID_NOT_FOUND;
}

/* Call without the lock, since a callback may set or remove callbacks */
void trace_call_class(EVENT_TRACE *event)
{
	PEVENT_CALLBACK call = NULL;
	struct class_callback *c;

	if (!__atomic_load_n(&callback_count, __ATOMIC_RELAXED))
		return;
	pthread_mutex_lock(&lock);
	c = find(&event->Header.Guid);
	if (c)
		call = c->call;
	pthread_mutex_unlock(&lock);
	if (call)
		call(event);
}
