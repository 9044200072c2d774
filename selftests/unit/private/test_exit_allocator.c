// SPDX-License-Identifier: MIT
/*
 * A child of a recorded process that writes its first event, and exits, in a
 * signal handler which has interrupted the allocator: neither the handler nor
 * the thread of its session, which creates the log, allocates.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "selftests/unit/common/private_session.h"
#include "selftests/unit/common/tap.h"

#define SECONDS	60

/* Thread that has the lock of the allocator for ever, or 0 */
static pid_t owner;
/* Allocations of that thread, whose lock is not recursive */
static unsigned int own_allocations;

/* Hook of the address sanitizer, which has the allocator */
void __sanitizer_malloc_hook(const volatile void *memory, size_t size);

void __sanitizer_malloc_hook(const volatile void *memory, size_t size)
{
	(void)memory;
	(void)size;
	while (owner && owner != gettid())
		pause();
	own_allocations += owner > 0;
}

/* Memory of the interrupted process is leaked */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

/*
 * Wait for the thread of this process's session, which has locks of the address
 * sanitizer while it begins
 */
static ULONG await_thread(void)
{
	struct private_properties p;

	private_init(&p, EVENT_TRACE_PRIVATE_LOGGER_MODE, NULL);
	return FlushTraceA(0, "evntprov", &p.p);
}

/* Begin to record this process into a log of this folder */
static bool record(const char *log, REGHANDLE *registration)
{
	setenv("EVNTPROV_LOG", log, 1);
	setenv("EVNTPROV_PROVIDERS", "11223344-0000-0000-0000-000000000000", 1);
	return !chdir(private_folder) &&
	       !EventRegister(&provider, NULL, NULL, registration) &&
	       !await_thread() && !private_write(*registration, 7);
}

/* Return the exit status of a child that has the lock */
static int run_child(REGHANDLE registration, pid_t *pid)
{
	int status;

	*pid = fork();
	if (!*pid) {
		await_thread();
		owner = gettid();
		alarm(SECONDS);
		private_write(registration, 1);
		exit(own_allocations ? 6 : 5);
	}
	return waitpid(*pid, &status, 0) == *pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

static bool is_complete(const char *log, pid_t pid)
{
	TRACE_LOGFILE_HEADER header = { .EndTime.QuadPart = 0 };
	unsigned int kept = 0;
	char name[64], path[200];

	snprintf(name, sizeof(name), "%s_%d", log, pid);
	snprintf(path, sizeof(path), "%s/%s", private_folder, name);
	return !private_read(path, private_count_one, &kept, &header) &&
	       header.EndTime.QuadPart && kept + header.EventsLost == 1 &&
	       !unlink(path);
}

int main(void)
{
	REGHANDLE registration;
	pid_t pid;
	int status;

	if (!access("/dev/evntprov", F_OK)) {
		SKIP("the module is loaded here");
		return tap_end();
	}
	private_path("");
	if (!record("log", &registration))
		return 1;
	status = run_child(registration, &pid);
	CHECK(status != 6, "a child's first event allocates nothing");
	CHECK(status == 5 && is_complete("log", pid),
	      "a child's log is complete although the allocator is locked");
	private_clean();
	return tap_end();
}
