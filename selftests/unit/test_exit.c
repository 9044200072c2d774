// SPDX-License-Identifier: MIT
/*
 * Programs that end while the library is at work: no callback is called then, what
 * was written is in the log, and nothing waits for ever.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "private_session.h"
#include "tap.h"

/* No child takes so long, on any machine */
#define SECONDS	60

static REGHANDLE registration;
static TRACEHANDLE session;
static struct private_properties properties;

/* Run in a child; returns its exit status, or -1 when it was killed */
static int in_child(int (*run)(void))
{
	int status, pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		alarm(SECONDS);
		_exit(run());
	}
	if (waitpid(pid, &status, 0) == pid && WIFEXITED(status))
		return WEXITSTATUS(status);
	printf("# status %#x\n", status);
	return -1;
}


#define UNUSED	__attribute__((unused))
#define CALLBACK(name)							\
	static VOID WINAPI name(UNUSED LPCGUID source,			\
				UNUSED ULONG control, UNUSED UCHAR level, \
				UNUSED ULONGLONG any, UNUSED ULONGLONG all, \
				UNUSED PEVENT_FILTER_DESCRIPTOR filter,	\
				UNUSED PVOID context)

/* A provider that a session of its own process has enabled */
static void begin(PENABLECALLBACK callback, const char *log)
{
	EventRegister(&provider, callback, NULL, &registration);
	private_start(&properties, log, &session);
	private_enable(session, 0, NULL, 0);
}

/* State of an object that is older than the registration */
static bool is_destroyed;

static void destroy(void)
{
	__atomic_store_n(&is_destroyed, true, __ATOMIC_SEQ_CST);
}

CALLBACK(on_enable)
{
	if (__atomic_load_n(&is_destroyed, __ATOMIC_SEQ_CST))
		_exit(9);
}

static int just_exit(void)
{
	atexit(destroy);
	begin(on_enable, "just_exit");
	private_write(registration, 1);
	exit(0);
}

static void *enable_on(void *arg)
{
	for (;;)
		private_enable(session, 0, NULL, 0);
	return arg;
}

static int exit_while_enabled(void)
{
	pthread_t thread;
	unsigned int i;

	atexit(destroy);
	begin(on_enable, "while_enabled");
	for (i = 0; i < 100; i++)
		private_write(registration, 1);
	pthread_create(&thread, NULL, enable_on, NULL);
	exit(0);
}

CALLBACK(on_exit_once)
{
	exit(3);
}

static int exit_in_callback(void)
{
	begin(on_exit_once, "in_callback");
	return 1;
}

static void *plugin_open(void)
{
	char path[512];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 20);

	path[n < 0 ? 0 : n] = 0;
	strcpy(strrchr(path, '/') + 1, "callback_plugin.so");
	return dlopen(path, RTLD_NOW);
}

static int unload_the_callback(void)
{
	void *plugin = plugin_open();
	unsigned int *calls, before;
	PENABLECALLBACK callback;

	if (!plugin)
		return 1;
	callback = (PENABLECALLBACK)dlsym(plugin, "plugin_callback");
	calls = dlsym(plugin, "plugin_calls");
	begin(callback, "unloaded");
	before = *calls;
	dlclose(plugin);
	if (before != 1)
		return 2;
	private_enable(session, 0, NULL, 0);
	if (private_write(registration, 1))
		return 3;
	exit(0);
}

static void test_callbacks(void)
{
	CHECK(!in_child(just_exit),
	      "no callback is called when its objects are destroyed");
	CHECK(private_count(private_path("just_exit")) == 1,
	      "what was written before is in the log");
	CHECK(!in_child(exit_while_enabled),
	      "nor by another thread that enables the provider");
	CHECK(in_child(exit_in_callback) == 3, "a callback may exit");
	CHECK(!in_child(unload_the_callback) &&
	      private_count(private_path("unloaded")) == 1,
	      "a callback that was unloaded is not called");
}

int main(void)
{
	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	test_callbacks();
	private_clean();
	return tap_end();
}
