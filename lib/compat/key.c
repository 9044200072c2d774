// SPDX-License-Identifier: MIT
/*
 * Key input from a terminal.
 */
#include <poll.h>
#include <termios.h>

#include "compat.h"

static bool each_key(struct termios *before)
{
	struct termios now;

	if (tcgetattr(0, before))
		return false;
	now = *before;
	now.c_lflag &= ~(ICANON | ECHO);
	tcsetattr(0, TCSANOW, &now);
	return true;
}

/* Read a key without waiting for the end of the line, and without echo */
int _getch(void)
{
	struct termios before;
	bool is_terminal = each_key(&before);
	int c;

	fflush(stdout);
	c = getchar();
	if (is_terminal)
		tcsetattr(0, TCSANOW, &before);
	return c;
}

/* Read a key with echo */
int _getche(void)
{
	int c = _getch();

	if (c != EOF)
		putchar(c);
	return c;
}

/* Test whether _getch() would return at once */
int _kbhit(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	struct termios before;
	bool is_terminal = each_key(&before);
	int n = poll(&input, 1, 0);

	if (is_terminal)
		tcsetattr(0, TCSANOW, &before);
	return n > 0;
}
