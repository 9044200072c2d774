// SPDX-License-Identifier: MIT
/*
 * Keys of a terminal.
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

/* A key, without a line's end and without being seen */
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

/* The same, seen */
int _getche(void)
{
	int c = _getch();

	if (c != EOF)
		putchar(c);
	return c;
}

/* Whether _getch() would not wait */
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
