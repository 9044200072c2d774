/* SPDX-License-Identifier: MIT */
/* Objects of handles, by which threads wait for one another. */
#ifndef EVNT_OBJECT_H
#define EVNT_OBJECT_H

#include "compat.h"

enum object_kind {
	OBJECT_OTHER,
	OBJECT_THREAD,
	OBJECT_EVENT,
	OBJECT_MUTEX,
	OBJECT_SEMAPHORE,
};

/**
 * struct object - object of a handle, guarded by the lock
 * @magic: marks an object
 * @refs: references of handles and of the running thread
 * @kind: kind of the object
 * @count: number of threads that may continue; unused by mutexes
 * @manual: whether @count remains when a waiting thread continues
 * @start: function of a thread
 * @argument: argument of @start
 * @code: result of @start, STILL_ACTIVE until then
 * @id: thread id, 0 until the thread runs; owner of a mutex, 0 if it is free
 * @depth: number of times that its owner has taken a mutex
 * @abandoned: whether a mutex is free because its owner has ended
 * @max: limit of @count of a semaphore
 * @name: name of a mutex or a semaphore, or NULL
 * @next: next mutex or semaphore
 * @data: data of an object for which no thread can wait
 * @release: function that frees @data
 */
struct object {
	ULONGLONG magic;
	unsigned int refs;
	enum object_kind kind;
	LONG count;
	bool manual;
	LPTHREAD_START_ROUTINE start;
	LPVOID argument;
	DWORD code;
	DWORD id;
	unsigned int depth;
	bool abandoned;
	LONG max;
	WCHAR *name;
	struct object *next;
	void *data;
	void (*release)(void *data);
};

/* thread.c */
void evnt_objects_lock(void);
void evnt_objects_unlock(void);
/* Wake up all waiting threads, which look again; locked */
void evnt_objects_changed(void);
/* Return an object with a reference, or NULL without memory */
struct object *evnt_object_new(enum object_kind kind, LONG count);
/* Return the object of a handle; NULL, with the last error, if of another kind */
struct object *evnt_object_of(HANDLE handle, enum object_kind kind);

/* mutex.c; all locked */
bool evnt_mutex_is_free(const struct object *o);
/* Own a mutex once more; return whether it was abandoned */
bool evnt_mutex_take(struct object *o);
/* Set mutexes free that the thread owns, which ends */
void evnt_mutexes_abandon(void);
/* Forget a mutex or a semaphore that is going to be freed, and its name */
void evnt_object_unlist(struct object *o);

#endif /* EVNT_OBJECT_H */
