// SPDX-License-Identifier: MIT
/*
 * Console control handlers: functions that are called when the program is
 * interrupted or terminated, or its terminal hangs up.
 *
 * As on Windows, they run in a thread of their own, the newest first, until one
 * has handled the event.  If none does, the signal has its default effect.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "compat.h"

#define HANDLERS_MAX	32

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static PHANDLER_ROUTINE handlers[HANDLERS_MAX];
static int count;
static bool ignored;		/* CTRL_C_EVENT is */
static int signals[2] = { -1, -1 };

static const struct {
	int signal;
	DWORD event;
} events[] = {
	{ SIGINT, CTRL_C_EVENT },
	{ SIGQUIT, CTRL_BREAK_EVENT },
	{ SIGHUP, CTRL_CLOSE_EVENT },
	{ SIGTERM, CTRL_SHUTDOWN_EVENT },
};

/* Call the handlers, newest first, without the lock, until one handles it */
static bool request(DWORD event)
{
	PHANDLER_ROUTINE copy[HANDLERS_MAX];
	int n, i;

	pthread_mutex_lock(&lock);
	n = count;
	memcpy(copy, handlers, sizeof(copy));
	i = ignored && event == CTRL_C_EVENT;
	pthread_mutex_unlock(&lock);
	if (i)
		return true;
	for (i = n - 1; i >= 0; i--) {
		if (copy[i](event))
			return true;
	}
	return false;
}

static void *wait_for_signals(void *unused)
{
	unsigned char i;

	(void)unused;
	while (read(signals[0], &i, 1) == 1) {
		if (request(events[i].event))
			continue;
		signal(events[i].signal, SIG_DFL);
		kill(getpid(), events[i].signal);
	}
	return NULL;
}

static void on_signal(int number)
{
	int before = errno;
	unsigned char index;
	size_t i;

	for (i = 0; i < ARRAYSIZE(events); i++) {
		index = i;
		if (events[i].signal == number &&
		    write(signals[1], &index, 1) < 0)
			_exit(128 + number);
	}
	errno = before;
}

/* Start the thread at the first handler; locked */
static bool listen(void)
{
	struct sigaction action = {
		.sa_handler = on_signal, .sa_flags = SA_RESTART,
	};
	pthread_t thread;
	size_t i;

	if (signals[0] >= 0)
		return true;
	if (pipe2(signals, O_CLOEXEC))
		return false;
	if (pthread_create(&thread, NULL, wait_for_signals, NULL)) {
		close(signals[0]);
		close(signals[1]);
		signals[0] = -1;
		signals[1] = -1;
		return false;
	}
	pthread_detach(thread);
	for (i = 0; i < ARRAYSIZE(events); i++)
		sigaction(events[i].signal, &action, NULL);
	return true;
}

static bool remove_handler(PHANDLER_ROUTINE handler)
{
	int i;

	for (i = count - 1; i >= 0; i--) {
		if (handlers[i] == handler)
			break;
	}
	if (i < 0)
		return false;
	memmove(&handlers[i], &handlers[i + 1],
		(--count - i) * sizeof(handlers[0]));
	return true;
}

/* https://learn.microsoft.com/windows/console/setconsolectrlhandler */
BOOL SetConsoleCtrlHandler(PHANDLER_ROUTINE handler, BOOL add)
{
	DWORD error = ERROR_SUCCESS;

	pthread_mutex_lock(&lock);
	if (add && !listen())
		error = ERROR_NO_SYSTEM_RESOURCES;
	else if (!handler)
		ignored = add;
	else if (!add)
		error = remove_handler(handler) ? ERROR_SUCCESS :
						  ERROR_INVALID_PARAMETER;
	else if (count == HANDLERS_MAX)
		error = ERROR_NOT_ENOUGH_MEMORY;
	else
		handlers[count++] = handler;
	pthread_mutex_unlock(&lock);
	return error ? fail_with(error) : TRUE;
}
