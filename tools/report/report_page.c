// SPDX-License-Identifier: MIT
/* The page of evnt report without its data, taken from report.html */
#include "tools/report/report_page.h"

/* Path from the root of the tree, unless the build runs elsewhere */
#ifndef REPORT_HTML
#define REPORT_HTML "tools/report/report.html"
#endif

__asm__(".pushsection .rodata\n"
	".global report_page\n"
	"report_page:\n"
	".incbin \"" REPORT_HTML "\"\n"
	".byte 0\n"
	".popsection\n");
