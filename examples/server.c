// SPDX-License-Identifier: MIT
/*
 * A server, reduced to its events: it answers requests from memory or from
 * disk, a few of them slowly. doc/cookbook.md analyses its log.
 *
 *	evnt record -p '*Example-Server' -o server.etl -- ./server 100
 *
 * "./server slow FILE" answers three requests slowly instead: it computes, waits for
 * a lock, and writes a file to disk.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <TraceLoggingProvider.h>
#include <winmeta.h>

#define KEYWORD_REQUEST	0x1
#define KEYWORD_CACHE	0x2

/* The id is derived from the name: evnt record -p '*Example-Server' */
TRACELOGGING_DEFINE_PROVIDER(server, "Example-Server",
			     (0xecf716a0, 0x8a66, 0x5a1e, 0xb7, 0xd1, 0xe4,
			      0x68, 0x2b, 0x00, 0x67, 0x78));

static void work_for(unsigned int microseconds)
{
	const struct timespec t = { .tv_nsec = microseconds * 1000l };

	nanosleep(&t, NULL);
}

/*
 * Read from disk, in an activity caused by the request, whose id is the related
 * one
 */
static void read_from_disk(const GUID *request, const char *path,
			   unsigned int size)
{
	GUID activity;

	EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &activity);
	TraceLoggingWriteActivity(server, "Read", &activity, request,
				  TraceLoggingOpcode(WINEVENT_OPCODE_START),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUtf8String(path, "Path"));
	if (size > 60000) {
		TraceLoggingWriteActivity(server, "Slow disk", &activity, NULL,
					  TraceLoggingLevel(WINEVENT_LEVEL_WARNING),
					  TraceLoggingKeyword(KEYWORD_REQUEST),
					  TraceLoggingUtf8String(path, "Path"));
		work_for(20000);
	}
	work_for(size / 100);
	TraceLoggingWriteActivity(server, "Read", &activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_STOP),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUInt32(size, "Size"));
}

static void answer(unsigned int number)
{
	unsigned int page = rand() % 50, size = page * page * 27;
	char path[32];
	GUID activity;

	snprintf(path, sizeof(path), "/page/%u", page);
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, &activity);
	TraceLoggingWriteActivity(server, "Request", &activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_START),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUInt32(number, "Number"),
				  TraceLoggingUtf8String(path, "Path"));
	TraceLoggingWriteActivity(server, "Lookup", &activity, NULL,
				  TraceLoggingLevel(WINEVENT_LEVEL_VERBOSE),
				  TraceLoggingKeyword(KEYWORD_CACHE),
				  TraceLoggingUtf8String(path, "Path"),
				  TraceLoggingBoolean(page < 25, "Hit"));
	if (page >= 25)
		read_from_disk(&activity, path, size);
	TraceLoggingWriteActivity(server, "Request", &activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_STOP),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUInt32(size, "Size"),
				  TraceLoggingInt32(200, "Status"));
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t locked;

static long cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Use the processor for this time */
__attribute__((noinline)) static void compute(unsigned int milliseconds)
{
	const long end = cpu_time() + milliseconds;
	volatile unsigned int sum = 0;

	while (cpu_time() < end) {
		for (unsigned int i = 0; i < 100000; i++)
			sum += i;
	}
}

/* Return whether the main thread sleeps, or that is not known */
static bool main_sleeps(void)
{
	char state = 'S', path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
	f = fopen(path, "re");
	if (!f)
		return true;
	if (fscanf(f, "%*d %*s %c", &state) != 1)
		state = 'S';
	fclose(f);
	return state == 'S';
}

/* Hold the lock until the main thread waits for it, and a while longer */
static void *hold_lock(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	sem_post(&locked);
	while (!main_sleeps())
		;
	compute(100);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void wait_for_lock(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

/* Write to disk again and again, and wait until each page is there */
static void save(const char *path)
{
	char page[4096] = "";
	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0) {
		perror(path);
		exit(1);
	}
	for (int i = 0; i < 50; i++) {
		if (pwrite(fd, page, sizeof(page), i * sizeof(page)) < 0 ||
		    fdatasync(fd))
			perror(path);
	}
	close(fd);
}

static void begin_request(GUID *activity, const char *path)
{
	EventActivityIdControl(EVENT_ACTIVITY_CTRL_CREATE_ID, activity);
	TraceLoggingWriteActivity(server, "Request", activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_START),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingUtf8String(path, "Path"));
}

static void end_request(const GUID *activity)
{
	TraceLoggingWriteActivity(server, "Request", activity, NULL,
				  TraceLoggingOpcode(WINEVENT_OPCODE_STOP),
				  TraceLoggingLevel(WINEVENT_LEVEL_INFO),
				  TraceLoggingKeyword(KEYWORD_REQUEST),
				  TraceLoggingInt32(200, "Status"));
}

static void answer_slowly(const char *path)
{
	pthread_t holder;
	GUID activity;

	begin_request(&activity, "/compute");
	compute(100);
	end_request(&activity);

	sem_init(&locked, 0, 0);
	pthread_create(&holder, NULL, hold_lock, NULL);
	sem_wait(&locked);
	begin_request(&activity, "/lock");
	wait_for_lock();
	end_request(&activity);
	pthread_join(holder, NULL);

	begin_request(&activity, "/disk");
	save(path);
	end_request(&activity);
}

int main(int argc, char **argv)
{
	const bool is_slow = argc > 2 && !strcmp(argv[1], "slow");
	const unsigned int requests = argc > 1 ? strtoul(argv[1], NULL, 0) : 100;

	TraceLoggingRegister(server);
	if (is_slow)
		answer_slowly(argv[2]);
	for (unsigned int i = 0; i < requests && !is_slow; i++)
		answer(i);
	TraceLoggingUnregister(server);
	return 0;
}
