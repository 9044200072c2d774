// SPDX-License-Identifier: MIT
/*
 * main() for programs that define wmain(), in C or in C++, where the mangled
 * name depends on its arguments.
 */
#include "compat.h"

int wmain_c(int argc, WCHAR **argv) __asm__("wmain") __attribute__((weak));
/* int or void wmain(int, wchar_t **), (int, const wchar_t **) or (void) */
int wmain_cplusplus(int argc, WCHAR **argv)
	__asm__("_Z5wmainiPPw") __attribute__((weak));
int wmain_const(int argc, WCHAR **argv)
	__asm__("_Z5wmainiPPKw") __attribute__((weak));
int wmain_void(void) __asm__("_Z5wmainv") __attribute__((weak));

static int call(int argc, WCHAR **argv)
{
	if (wmain_c)
		return wmain_c(argc, argv);
	if (wmain_cplusplus)
		return wmain_cplusplus(argc, argv);
	if (wmain_const)
		return wmain_const(argc, argv);
	if (wmain_void)
		return wmain_void();
	fputs("there is no wmain() that could be called\n", stderr);
	return 1;
}

/* The arguments live as long as the program */
static WCHAR **arguments;

int main(int argc, char **argv)
{
	int i;

	arguments = calloc(argc + 1, sizeof(*arguments));
	for (i = 0; arguments && i < argc; i++) {
		arguments[i] = evnt16_from_utf8_new(argv[i]);
		if (!arguments[i])
			return 1;
	}
	return arguments ? call(argc, arguments) : 1;
}
