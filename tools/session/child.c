// SPDX-License-Identifier: MIT
/* Runs the recorded command, and waits for signals */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/session/child.h"
#include "tools/evnt.h"

static sigset_t waited, before;

void child_block_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };

	sigemptyset(&waited);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&waited, signals[i]);
	/* An ignored SIGCHLD would hide the end of the command */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &waited, &before);
}

void child_unblock_signals(void)
{
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Execute the command in the child, and report a failure through the pipe */
static void run_command(char *const *command, int reported)
{
	int error;

	sigprocmask(SIG_SETMASK, &before, NULL);
	/* The verb may ignore it */
	signal(SIGPIPE, SIG_DFL);
	execvp(command[0], command);
	error = errno;
	if (write(reported, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(error == ENOENT ? 127 : 126);
}

/* Return the errno of a failed execvp(), or 0 */
static int exec_error(int reported)
{
	int error = 0;
	ssize_t got;

	do
		got = read(reported, &error, sizeof(error));
	while (got < 0 && errno == EINTR);
	return got == sizeof(error) ? error : 0;
}

bool child_start(struct child *child, char *const *command)
{
	int reported[2], error;

	if (pipe2(reported, O_CLOEXEC)) {
		failed("cannot make a pipe: %s", strerror(errno));
		return false;
	}
	child->pid = fork();
	if (!child->pid)
		run_command(command, reported[1]);
	error = child->pid < 0 ? errno : 0;
	close(reported[1]);
	if (!error)
		error = exec_error(reported[0]);
	close(reported[0]);
	if (!error)
		return true;
	failed("cannot run '%s': %s", command[0], strerror(error));
	if (child->pid > 0)
		waitpid(child->pid, NULL, 0);
	child->pid = 0;
	child->status = error == ENOENT ? 127 : 126;
	return false;
}

static void wait_for_signal(struct child *child, int ms)
{
	struct timespec timeout = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000,
	};
	siginfo_t info;
	int signo = sigtimedwait(&waited, &info, &timeout), status;

	if (signo == SIGCHLD) {
		if (!child->pid || waitpid(child->pid, &status, WNOHANG) <= 0)
			return;
		child->pid = 0;
		child->status = WIFEXITED(status) ? WEXITSTATUS(status) :
						    128 + WTERMSIG(status);
	} else if (signo > 0) {
		child->interrupted++;
		/* Forward it, unless the terminal sent it to both */
		if (child->pid && info.si_code != SI_KERNEL)
			kill(child->pid, info.si_signo);
	}
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

void child_limit(struct child *child, unsigned int seconds)
{
	if (seconds)
		child->deadline = now_ms() + seconds * INT64_C(1000);
}

void child_end(struct child *child)
{
	child->deadline = 0;
	if (!child->pid) {
		child->interrupted++;
		return;
	}
	child->is_ended = true;
	kill(child->pid, SIGTERM);
}

void child_finish(struct child *child)
{
	if (child->pid > 0)
		waitpid(child->pid, NULL, 0);
	child->pid = 0;
}

void child_wait(struct child *child, int ms)
{
	int64_t left = child->deadline ? child->deadline - now_ms() : ms;

	if (left > 0)
		wait_for_signal(child, left < ms ? left : ms);
	else
		child_end(child);
	if (child->is_ended && !child->pid && child->status == 128 + SIGTERM)
		child->status = 0;
}
