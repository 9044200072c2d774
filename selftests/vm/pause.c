// SPDX-License-Identifier: MIT
/*
 * Stops processors of a test machine now and then, as a busy host does: a test
 * that expects another thread to have run in time fails.
 *
 * usage: pause PID	the emulator, whose threads have names; until it ends
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_PROCESSORS	64
/* In microseconds: maximum length of a pause, and of the time between two */
#define PAUSE		1200000
#define BETWEEN		2500000

static int is_processor(const char *dir, const char *thread)
{
	char path[512], name[16] = "";
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s/comm", dir, thread);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (!fgets(name, sizeof(name), f))
		name[0] = '\0';
	fclose(f);
	return !strncmp(name, "CPU ", 4);
}

/* Choose a processor; returns the id of its thread, or 0 if there is none */
static pid_t choose(const char *dir)
{
	pid_t threads[MAX_PROCESSORS];
	int count = 0;
	struct dirent *entry;
	DIR *list = opendir(dir);

	if (!list)
		return 0;
	while ((entry = readdir(list)) && count < MAX_PROCESSORS) {
		if (is_processor(dir, entry->d_name))
			threads[count++] = atoi(entry->d_name);
	}
	closedir(list);
	return count ? threads[rand() % count] : 0;
}

int main(int argc, char **argv)
{
	char dir[64];
	pid_t thread;

	if (argc != 2)
		return 2;
	snprintf(dir, sizeof(dir), "/proc/%d/task", atoi(argv[1]));
	srand(time(NULL) ^ getpid());
	while ((thread = choose(dir))) {
		if (!ptrace(PTRACE_SEIZE, thread, NULL, NULL) &&
		    !ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) &&
		    waitpid(thread, NULL, __WALL) == thread) {
			usleep(rand() % PAUSE);
			ptrace(PTRACE_DETACH, thread, NULL, NULL);
		}
		usleep(rand() % BETWEEN);
	}
	return 0;
}
