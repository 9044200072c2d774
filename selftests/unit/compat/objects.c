// SPDX-License-Identifier: MIT
/*
 * Mutexes, semaphores, one-time initialization and modules of libevntcompat.a; in
 * C and C++, with wide characters of 2 or 4 bytes.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <windows.h>
#include <evntprov.h>
#include <pthread.h>

#include "../common/tap.h"
#include "on_thread.h"
#include "wide.h"

static DWORD WINAPI try_wait(LPVOID handle)
{
	return WaitForSingleObjectEx(handle, 0, TRUE);
}

static DWORD WINAPI wait_and_release(LPVOID handle)
{
	DWORD result = WaitForSingleObject(handle, INFINITE);

	return ReleaseMutex(handle) ? result : ~0u;
}

static DWORD WINAPI try_release(LPVOID handle)
{
	return ReleaseMutex(handle) ? ERROR_SUCCESS : GetLastError();
}

static void *wait_and_exit(void *handle)
{
	WaitForSingleObject(handle, INFINITE);
	return NULL;
}

static void test_mutex(void)
{
	HANDLE mutex = CreateMutexExW(NULL, NULL, 0, MUTEX_ALL_ACCESS), thread;
	HANDLE handles[2];
	DWORD code = ~0u;

	CHECK(mutex && on_thread(try_wait, mutex) == WAIT_OBJECT_0,
	      "a new mutex is free");
	/* Its owner is the thread that has just ended without a release */
	CHECK(WaitForSingleObject(mutex, INFINITE) == WAIT_ABANDONED,
	      "the end of its owner abandons a mutex");
	CHECK(WaitForSingleObject(mutex, INFINITE) == WAIT_OBJECT_0,
	      "only the next wait returns that a mutex was abandoned");
	CHECK(on_thread(try_wait, mutex) == WAIT_TIMEOUT &&
	      on_thread(try_release, mutex) == ERROR_NOT_OWNER,
	      "a mutex has one owner");
	CHECK(ReleaseMutex(mutex) && on_thread(try_wait, mutex) == WAIT_TIMEOUT,
	      "a mutex taken twice is owned until it is released twice");
	thread = CreateThread(NULL, 0, wait_and_release, mutex, 0, NULL);
	CHECK(ReleaseMutex(mutex) &&
	      WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0 &&
	      GetExitCodeThread(thread, &code) && code == WAIT_OBJECT_0,
	      "a waiting thread gets a released mutex");
	CloseHandle(thread);
	CHECK(!ReleaseMutex(mutex) && GetLastError() == ERROR_NOT_OWNER,
	      "a free mutex cannot be released");
	CloseHandle(mutex);

	mutex = CreateMutexExW(NULL, NULL, CREATE_MUTEX_INITIAL_OWNER, 0);
	CHECK(on_thread(try_wait, mutex) == WAIT_TIMEOUT && ReleaseMutex(mutex) &&
	      !ReleaseMutex(mutex), "a creator may own its mutex");
	CHECK(!CreateMutexExW(NULL, NULL, 2, 0) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "unknown flags of a mutex are refused");
	handles[0] = CreateEventW(NULL, TRUE, TRUE, NULL);
	handles[1] = mutex;
	on_thread(try_wait, mutex);
	CHECK(WaitForMultipleObjectsEx(2, handles, FALSE, 0, TRUE) ==
	      WAIT_OBJECT_0, "the first of several objects is taken");
	CHECK(WaitForMultipleObjectsEx(2, handles, TRUE, 0, FALSE) ==
	      WAIT_ABANDONED_0, "all objects are taken, with an abandoned one");
	CHECK(!ReleaseMutex(handles[0]) &&
	      GetLastError() == ERROR_INVALID_HANDLE && !SetEvent(mutex) &&
	      GetLastError() == ERROR_INVALID_HANDLE &&
	      !ReleaseSemaphore(mutex, 1, NULL) &&
	      GetLastError() == ERROR_INVALID_HANDLE && !ReleaseMutex(NULL) &&
	      GetLastError() == ERROR_INVALID_HANDLE,
	      "objects of other kinds are refused");
	CHECK(CloseHandle(mutex) && CloseHandle(handles[0]) &&
	      !CloseHandle(NULL), "an owned mutex can be closed");
}

/* A thread of the C library has no handle that its end would set */
static void test_thread_of_c_library(void)
{
	HANDLE mutex = CreateMutexExW(NULL, NULL, 0, 0);
	pthread_t thread;

	pthread_create(&thread, NULL, wait_and_exit, mutex);
	pthread_join(thread, NULL);
	CHECK(WaitForSingleObject(mutex, INFINITE) == WAIT_ABANDONED &&
	      ReleaseMutex(mutex) && CloseHandle(mutex),
	      "a thread of the C library abandons its mutexes");
}

static void test_semaphore(void)
{
	HANDLE semaphore = CreateSemaphoreExW(NULL, 2, 3, NULL, 0,
					      SEMAPHORE_ALL_ACCESS);
	LONG previous = -1;

	CHECK(semaphore && try_wait(semaphore) == WAIT_OBJECT_0 &&
	      on_thread(try_wait, semaphore) == WAIT_OBJECT_0 &&
	      try_wait(semaphore) == WAIT_TIMEOUT,
	      "as many threads pass as the count of a semaphore");
	CHECK(!ReleaseSemaphore(semaphore, 4, &previous) &&
	      GetLastError() == ERROR_TOO_MANY_POSTS && previous == -1 &&
	      try_wait(semaphore) == WAIT_TIMEOUT,
	      "a count above the maximum is refused");
	CHECK(ReleaseSemaphore(semaphore, 2, &previous) && previous == 0 &&
	      ReleaseSemaphore(semaphore, 1, &previous) && previous == 2 &&
	      !ReleaseSemaphore(semaphore, 1, NULL) &&
	      GetLastError() == ERROR_TOO_MANY_POSTS,
	      "the previous count is returned");
	CHECK(!ReleaseSemaphore(semaphore, 0, NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !ReleaseSemaphore(semaphore, -1, NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !ReleaseMutex(semaphore) &&
	      GetLastError() == ERROR_INVALID_HANDLE,
	      "a semaphore is not released by nothing");
	CloseHandle(semaphore);
	CHECK(!CreateSemaphoreExW(NULL, -1, 1, NULL, 0, 0) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !CreateSemaphoreExW(NULL, 0, 0, NULL, 0, 0) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !CreateSemaphoreExW(NULL, 2, 1, NULL, 0, 0) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !CreateSemaphoreExW(NULL, 0, 1, NULL, 1, 0) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "a semaphore must have a count within its maximum");
}

static void test_names(void)
{
	WCHAR name[MAX_PATH + 2];
	HANDLE a, b, c;
	int i;

	a = CreateMutexExW(NULL, W("Local\\one"), 0, 0);
	CHECK(a && GetLastError() == ERROR_SUCCESS, "a name is new");
	b = CreateMutexExW(NULL, W("one"), CREATE_MUTEX_INITIAL_OWNER, 0);
	CHECK(b && GetLastError() == ERROR_ALREADY_EXISTS &&
	      on_thread(try_wait, a) == WAIT_OBJECT_0,
	      "a name that exists opens its mutex, without owning it");
	c = OpenMutexW(MUTEX_ALL_ACCESS, FALSE, W("one"));
	CHECK(c && WaitForSingleObject(c, 0) == WAIT_ABANDONED &&
	      on_thread(try_wait, a) == WAIT_TIMEOUT && ReleaseMutex(b),
	      "handles of a name are the same mutex");
	CHECK(!OpenMutexW(0, FALSE, W("One")) &&
	      GetLastError() == ERROR_FILE_NOT_FOUND &&
	      !OpenMutexW(0, FALSE, W("Global\\one")) &&
	      GetLastError() == ERROR_FILE_NOT_FOUND &&
	      !OpenMutexW(0, FALSE, NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "only the same name is found");
	CHECK(!CreateSemaphoreExW(NULL, 0, 1, W("one"), 0, 0) &&
	      GetLastError() == ERROR_INVALID_HANDLE &&
	      !OpenSemaphoreW(0, FALSE, W("one")) &&
	      GetLastError() == ERROR_INVALID_HANDLE,
	      "a name is not one of another kind");
	CHECK(CloseHandle(a) && CloseHandle(b) &&
	      OpenMutexW(0, FALSE, W("one")) == c && CloseHandle(c) &&
	      CloseHandle(c) && !OpenMutexW(0, FALSE, W("one")),
	      "a name ends with its last handle");

	a = CreateSemaphoreExW(NULL, 1, 2, W("two"), 0, 0);
	b = CreateSemaphoreExW(NULL, 0, 9, W("two"), 0, 0);
	CHECK(a && b && GetLastError() == ERROR_ALREADY_EXISTS &&
	      try_wait(b) == WAIT_OBJECT_0 && !ReleaseSemaphore(a, 3, NULL) &&
	      GetLastError() == ERROR_TOO_MANY_POSTS,
	      "a name that exists opens its semaphore, with its counts");
	c = OpenSemaphoreW(SEMAPHORE_ALL_ACCESS, FALSE, W("Local\\two"));
	CHECK(c && ReleaseSemaphore(c, 2, NULL) && CloseHandle(c) &&
	      try_wait(a) == WAIT_OBJECT_0 && CloseHandle(a) &&
	      CloseHandle(b), "a semaphore is opened");
	CHECK(!OpenSemaphoreW(0, FALSE, W("two")) &&
	      GetLastError() == ERROR_FILE_NOT_FOUND,
	      "a closed semaphore is not found");

	for (i = 0; i <= MAX_PATH; i++)
		name[i] = 'n';
	name[i] = 0;
	CHECK(!CreateMutexExW(NULL, name, 0, 0) &&
	      GetLastError() == ERROR_FILENAME_EXCED_RANGE &&
	      !CreateSemaphoreExW(NULL, 0, 1, name, 0, 0) &&
	      GetLastError() == ERROR_FILENAME_EXCED_RANGE,
	      "a longer name is refused");
	name[MAX_PATH] = 0;
	a = CreateMutexExW(NULL, name, 0, 0);
	CHECK(a && CloseHandle(a), "the longest name is accepted");
}

static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
static int context[2];
static volatile LONG calls;

static BOOL CALLBACK initialize(PINIT_ONCE given, PVOID parameter,
				PVOID *to)
{
	InterlockedIncrement(&calls);
	*to = parameter;
	if (given != &once || !parameter)
		SetLastError(ERROR_FILE_NOT_FOUND);
	return given == &once && parameter;
}

static DWORD WINAPI execute(LPVOID parameter)
{
	LPVOID to = NULL;

	return !InitOnceExecuteOnce(&once, initialize, parameter, &to) ||
	       to != context;
}

static DWORD WINAPI begin(LPVOID unused)
{
	LPVOID to = NULL;
	BOOL pending = TRUE;

	(void)unused;
	return !InitOnceBeginInitialize(&once, 0, &pending, &to) || pending ||
	       to != context;
}

static void test_execute_once(void)
{
	HANDLE threads[4];
	DWORD code;
	int i, good = 0;

	CHECK(!InitOnceExecuteOnce(&once, initialize, NULL, NULL) &&
	      GetLastError() == ERROR_FILE_NOT_FOUND && calls == 1,
	      "a function that fails is called again");
	CHECK(!InitOnceExecuteOnce(&once, initialize, (char *)context + 1,
				   NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER && calls == 2,
	      "a context with low bits fails");
	for (i = 0; i < 4; i++)
		threads[i] = CreateThread(NULL, 0, execute, context, 0, NULL);
	for (i = 0; i < 4; i++) {
		WaitForSingleObject(threads[i], INFINITE);
		good += GetExitCodeThread(threads[i], &code) && !code;
		CloseHandle(threads[i]);
	}
	CHECK(good == 4 && calls == 3,
	      "one of several threads calls the function, all get the context");
	CHECK(InitOnceExecuteOnce(&once, initialize, NULL, NULL) && calls == 3,
	      "completed initialization calls nothing");
}

static void test_begin_once(void)
{
	BOOL pending = FALSE;
	LPVOID to = &pending;
	HANDLE thread;
	DWORD code = 1;

	InitOnceInitialize(&once);
	CHECK(!InitOnceBeginInitialize(&once, INIT_ONCE_CHECK_ONLY, &pending,
				       &to) && pending && to == &pending &&
	      GetLastError() == ERROR_GEN_FAILURE, "nothing has begun");
	CHECK(!InitOnceBeginInitialize(&once, INIT_ONCE_INIT_FAILED, &pending,
				       NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "unknown flags are refused");
	CHECK(!InitOnceComplete(&once, 0, NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "initialization that has not begun is not completed");
	pending = FALSE;
	CHECK(InitOnceBeginInitialize(&once, 0, &pending, NULL) && pending &&
	      !InitOnceBeginInitialize(&once, INIT_ONCE_CHECK_ONLY, &pending,
				       NULL) &&
	      !InitOnceBeginInitialize(&once, INIT_ONCE_ASYNC, &pending,
				       NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "a thread initializes alone");
	CHECK(!InitOnceComplete(&once, INIT_ONCE_ASYNC, NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !InitOnceComplete(&once, INIT_ONCE_ASYNC | INIT_ONCE_INIT_FAILED,
				NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !InitOnceComplete(&once, 0, (char *)context + 2) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "other flags and a context with low bits are refused");
	CHECK(InitOnceComplete(&once, INIT_ONCE_INIT_FAILED, context) &&
	      InitOnceBeginInitialize(&once, 0, &pending, NULL) && pending,
	      "initialization that has failed begins again");
	thread = CreateThread(NULL, 0, begin, NULL, 0, NULL);
	CHECK(InitOnceComplete(&once, 0, context) &&
	      WaitForSingleObject(thread, INFINITE) == WAIT_OBJECT_0 &&
	      GetExitCodeThread(thread, &code) && !code,
	      "another thread waits for the context");
	CloseHandle(thread);
	to = NULL;
	CHECK(InitOnceBeginInitialize(&once, INIT_ONCE_CHECK_ONLY, &pending,
				      &to) && !pending && to == context,
	      "completed initialization has its context");
	CHECK(!InitOnceComplete(&once, 0, NULL) &&
	      GetLastError() == ERROR_ALREADY_EXISTS &&
	      InitOnceBeginInitialize(&once, 0, &pending, NULL) && !pending,
	      "completed initialization remains so");
}

static void test_parallel_once(void)
{
	BOOL first = FALSE, second = FALSE;
	LPVOID to = NULL;

	InitOnceInitialize(&once);
	CHECK(InitOnceBeginInitialize(&once, INIT_ONCE_ASYNC, &first, NULL) &&
	      InitOnceBeginInitialize(&once, INIT_ONCE_ASYNC, &second, NULL) &&
	      first && second, "several initialize in parallel");
	CHECK(!InitOnceBeginInitialize(&once, 0, &first, NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !InitOnceComplete(&once, 0, NULL) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "none initializes alone then");
	CHECK(InitOnceComplete(&once, INIT_ONCE_ASYNC, context) &&
	      !InitOnceComplete(&once, INIT_ONCE_ASYNC, &context[1]) &&
	      GetLastError() == ERROR_ALREADY_EXISTS &&
	      InitOnceBeginInitialize(&once, INIT_ONCE_ASYNC, &first, &to) &&
	      !first && to == context, "the first that completes wins");
}

static void test_modules(void)
{
	const DWORD from = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS;
	const DWORD same = GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
	const DWORD pin = GET_MODULE_HANDLE_EX_FLAG_PIN;
	HMODULE program = NULL, by_name = NULL, module = NULL;
	char path[MAX_PATH], of_program[MAX_PATH];
	WCHAR wide[MAX_PATH];
	int local = 0;

	GetModuleFileNameA(NULL, of_program, MAX_PATH);
	CHECK(GetModuleHandleExW(from | same, (LPCWSTR)&once, &program) &&
	      GetModuleFileNameA(program, path, MAX_PATH) == strlen(path) &&
	      !strcmp(path, of_program) &&
	      GetModuleHandleExA(same, NULL, &module) && module == program &&
	      GetModuleHandleExW(same, NULL, &module) && module == program,
	      "the program is found by an address in it, and without a name");
	CHECK(GetModuleHandleExA(from, (LPCSTR)&EventRegister, &module) &&
	      module != program &&
	      GetModuleFileNameA(module, path, MAX_PATH) &&
	      strstr(path, "/libevntprov.so") &&
	      GetModuleFileNameW(module, wide, MAX_PATH) == strlen(path),
	      "a library is found by an address in it, and has a path");
	CHECK(GetModuleHandleExA(same, path, &by_name) && by_name == module &&
	      GetModuleHandleExW(pin, wide, &by_name) && by_name == module,
	      "a library is found by its name");
	CHECK(FreeLibrary(module) && GetProcAddress(module, "EventRegister"),
	      "a pinned library remains");
	CHECK(!GetModuleHandleExA(from, (LPCSTR)&local, &module) && !module &&
	      GetLastError() == ERROR_MOD_NOT_FOUND,
	      "an address of no library is not found");
	module = program;
	CHECK(!GetModuleHandleExW(0, W("no-such-library.dll"), &module) &&
	      !module && GetLastError() == ERROR_MOD_NOT_FOUND,
	      "a library that is not loaded is not found");
	CHECK(!GetModuleHandleExA(pin | same, NULL, &module) &&
	      GetLastError() == ERROR_INVALID_PARAMETER &&
	      !GetModuleHandleExA(8, NULL, &module) &&
	      GetLastError() == ERROR_INVALID_PARAMETER,
	      "flags that exclude each other are refused");
}

int main(void)
{
	test_mutex();
	test_thread_of_c_library();
	test_semaphore();
	test_names();
	test_execute_once();
	test_begin_once();
	test_parallel_once();
	test_modules();
	return tap_end();
}
