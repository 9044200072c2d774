/* SPDX-License-Identifier: MIT */
/* A literal of WCHARs, of either size. */
#ifndef EVNT_TEST_WIDE_H
#define EVNT_TEST_WIDE_H

#if __SIZEOF_WCHAR_T__ == 2
#define W(text)	L##text
#else
#define W(text)	u##text
#endif

#endif /* EVNT_TEST_WIDE_H */
