// SPDX-License-Identifier: MIT
/*
 * One-time initialization, by one thread at a time or by several in parallel, of
 * which the first that completes wins.
 *
 * The value of an INIT_ONCE is its state and, when it is done, the context, whose
 * lowest bits are zero.  It changes under one lock for all of them; a thread that
 * finds it done takes no lock.
 */
#include <pthread.h>

#include "compat.h"

enum { IDLE, RUNNING, DONE, PARALLEL, STATE_MASK = 3 };

static_assert(STATE_MASK == (1 << INIT_ONCE_CTX_RESERVED_BITS) - 1,
	      "a context has room for the state");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void set(LPINIT_ONCE once, ULONG_PTR value)
{
	__atomic_store_n(&once->Value, value, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&changed);
}

VOID InitOnceInitialize(LPINIT_ONCE once)
{
	once->Value = IDLE;
}

/* Enter the state @wanted: return whether initialization is not done; locked */
static bool begin(LPINIT_ONCE once, ULONG_PTR wanted)
{
	while (once->Value == RUNNING && wanted == RUNNING)
		pthread_cond_wait(&changed, &lock);
	if (once->Value == IDLE)
		set(once, wanted);
	return (once->Value & STATE_MASK) != DONE;
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-initoncebegininitialize */
BOOL InitOnceBeginInitialize(LPINIT_ONCE once, DWORD flags, PBOOL pending,
			     LPVOID *context)
{
	ULONG_PTR value = __atomic_load_n(&once->Value, __ATOMIC_ACQUIRE);
	ULONG_PTR wanted = flags & INIT_ONCE_ASYNC ? PARALLEL : RUNNING;

	if (flags & ~(INIT_ONCE_CHECK_ONLY | INIT_ONCE_ASYNC))
		return fail_with(ERROR_INVALID_PARAMETER);
	if ((value & STATE_MASK) != DONE && !(flags & INIT_ONCE_CHECK_ONLY)) {
		pthread_mutex_lock(&lock);
		*pending = begin(once, wanted);
		value = once->Value;
		pthread_mutex_unlock(&lock);
		/* The other kind of initialization runs */
		if (*pending && value != wanted)
			return fail_with(ERROR_INVALID_PARAMETER);
		if (*pending)
			return TRUE;
	}
	*pending = (value & STATE_MASK) != DONE;
	if (*pending)
		return fail_with(ERROR_GEN_FAILURE);
	if (context)
		*context = (LPVOID)(value & ~(ULONG_PTR)STATE_MASK);
	return TRUE;
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-initoncecomplete */
BOOL InitOnceComplete(LPINIT_ONCE once, DWORD flags, LPVOID context)
{
	ULONG_PTR expected = flags & INIT_ONCE_ASYNC ? PARALLEL : RUNNING;
	DWORD error = ERROR_SUCCESS;

	if ((flags && flags != INIT_ONCE_ASYNC &&
	     flags != INIT_ONCE_INIT_FAILED) ||
	    (ULONG_PTR)context & STATE_MASK)
		return fail_with(ERROR_INVALID_PARAMETER);
	pthread_mutex_lock(&lock);
	if (once->Value == expected)
		set(once, flags & INIT_ONCE_INIT_FAILED ?
				  IDLE : (ULONG_PTR)context | DONE);
	else
		error = (once->Value & STATE_MASK) == DONE ?
				ERROR_ALREADY_EXISTS : ERROR_INVALID_PARAMETER;
	pthread_mutex_unlock(&lock);
	return error ? fail_with(error) : TRUE;
}

/* https://learn.microsoft.com/windows/win32/api/synchapi/nf-synchapi-initonceexecuteonce */
BOOL InitOnceExecuteOnce(PINIT_ONCE once, PINIT_ONCE_FN function,
			 PVOID parameter, LPVOID *context)
{
	LPVOID value = NULL;
	BOOL pending;

	if (!InitOnceBeginInitialize(once, 0, &pending, context))
		return FALSE;
	if (!pending)
		return TRUE;
	if (!function(once, parameter, &value) ||
	    !InitOnceComplete(once, 0, value)) {
		InitOnceComplete(once, INIT_ONCE_INIT_FAILED, NULL);
		return FALSE;
	}
	if (context)
		*context = value;
	return TRUE;
}
