/* SPDX-License-Identifier: MIT */
#ifndef EVNT_REPORT_PAGE_H
#define EVNT_REPORT_PAGE_H

/* Place of the data in the page */
#define REPORT_MARK	"@DATA@"

/* The page, terminated by nul */
extern const char report_page[];

#endif /* EVNT_REPORT_PAGE_H */
