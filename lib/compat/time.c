// SPDX-License-Identifier: MIT
/*
 * Time in Windows' units and formats.
 */
#include <time.h>

#include "compat.h"

#define TICKS_PER_SECOND	10000000ll
#define TICKS_PER_MS		10000ll
/* Seconds from 1601 to 1970 */
#define EPOCH_SECONDS		11644473600ll

static FILETIME filetime_of(ULONGLONG ticks)
{
	return (FILETIME) { (DWORD)ticks, (DWORD)(ticks >> 32) };
}

static ULONGLONG ticks_of(const FILETIME *from)
{
	return (ULONGLONG)from->dwHighDateTime << 32 | from->dwLowDateTime;
}

/* https://learn.microsoft.com/windows/win32/api/sysinfoapi/nf-sysinfoapi-getsystemtimeasfiletime */
void GetSystemTimeAsFileTime(LPFILETIME to)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*to = filetime_of((now.tv_sec + EPOCH_SECONDS) * TICKS_PER_SECOND +
			  now.tv_nsec / 100);
}

void GetSystemTime(LPSYSTEMTIME to)
{
	FILETIME now;

	GetSystemTimeAsFileTime(&now);
	FileTimeToSystemTime(&now, to);
}

static void to_systemtime(const struct tm *from, ULONGLONG ticks,
			  LPSYSTEMTIME to)
{
	*to = (SYSTEMTIME) {
		.wYear = from->tm_year + 1900, .wMonth = from->tm_mon + 1,
		.wDayOfWeek = from->tm_wday, .wDay = from->tm_mday,
		.wHour = from->tm_hour, .wMinute = from->tm_min,
		.wSecond = from->tm_sec,
		.wMilliseconds = ticks / TICKS_PER_MS % 1000,
	};
}

void GetLocalTime(LPSYSTEMTIME to)
{
	SYSTEMTIME now;

	GetSystemTime(&now);
	SystemTimeToTzSpecificLocalTime(NULL, &now, to);
}

/* https://learn.microsoft.com/windows/win32/api/timezoneapi/nf-timezoneapi-filetimetosystemtime */
BOOL FileTimeToSystemTime(const FILETIME *from, LPSYSTEMTIME to)
{
	ULONGLONG ticks = ticks_of(from);
	time_t seconds = ticks / TICKS_PER_SECOND - EPOCH_SECONDS;
	struct tm tm;

	if (ticks >> 63 || !gmtime_r(&seconds, &tm))
		return fail_with(ERROR_INVALID_PARAMETER);
	to_systemtime(&tm, ticks, to);
	return TRUE;
}

static bool is_date(const SYSTEMTIME *t)
{
	static const BYTE days[] = { 31, 29, 31, 30, 31, 30, 31, 31, 30, 31,
				     30, 31 };
	bool leap = t->wYear % 4 == 0 &&
		    (t->wYear % 100 || t->wYear % 400 == 0);

	return t->wYear >= 1601 && t->wYear <= 30827 && t->wMonth >= 1 &&
	       t->wMonth <= 12 && t->wDay >= 1 &&
	       t->wDay <= days[t->wMonth - 1] - (t->wMonth == 2 && !leap) &&
	       t->wHour < 24 && t->wMinute < 60 && t->wSecond < 60 &&
	       t->wMilliseconds < 1000;
}

/* https://learn.microsoft.com/windows/win32/api/timezoneapi/nf-timezoneapi-systemtimetofiletime */
BOOL SystemTimeToFileTime(const SYSTEMTIME *from, LPFILETIME to)
{
	struct tm tm = {
		.tm_year = from->wYear - 1900, .tm_mon = from->wMonth - 1,
		.tm_mday = from->wDay, .tm_hour = from->wHour,
		.tm_min = from->wMinute, .tm_sec = from->wSecond,
	};

	if (!is_date(from))
		return fail_with(ERROR_INVALID_PARAMETER);
	*to = filetime_of((timegm(&tm) + EPOCH_SECONDS) * TICKS_PER_SECOND +
			  from->wMilliseconds * TICKS_PER_MS);
	return TRUE;
}

/* https://learn.microsoft.com/windows/win32/api/timezoneapi/nf-timezoneapi-systemtimetotzspecificlocaltime */
BOOL SystemTimeToTzSpecificLocalTime(const TIME_ZONE_INFORMATION *zone,
				     const SYSTEMTIME *from, LPSYSTEMTIME to)
{
	FILETIME time;
	time_t seconds;
	struct tm tm;

	if (zone)
		return fail_with(ERROR_NOT_SUPPORTED);
	if (!SystemTimeToFileTime(from, &time))
		return FALSE;
	seconds = ticks_of(&time) / TICKS_PER_SECOND - EPOCH_SECONDS;
	if (!localtime_r(&seconds, &tm))
		return fail_with(ERROR_INVALID_PARAMETER);
	to_systemtime(&tm, ticks_of(&time), to);
	return TRUE;
}

/*
 * Add the current offset of local time, as documented, not the offset at that
 * time.
 *
 * https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-filetimetolocalfiletime
 */
BOOL FileTimeToLocalFileTime(const FILETIME *from, LPFILETIME to)
{
	time_t now = time(NULL);
	struct tm tm;

	if (ticks_of(from) >> 63 || !localtime_r(&now, &tm))
		return fail_with(ERROR_INVALID_PARAMETER);
	*to = filetime_of(ticks_of(from) + tm.tm_gmtoff * TICKS_PER_SECOND);
	return TRUE;
}

/* Return the time since boot; like on Windows it includes suspend */
static ULONGLONG since_boot(ULONGLONG per_second)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * per_second +
	       now.tv_nsec / (1000000000ull / per_second);
}

ULONGLONG GetTickCount64(void)
{
	return since_boot(1000);
}

DWORD GetTickCount(void)
{
	return (DWORD)GetTickCount64();
}

BOOL QueryPerformanceCounter(LARGE_INTEGER *to)
{
	to->QuadPart = since_boot(TICKS_PER_SECOND);
	return TRUE;
}

BOOL QueryPerformanceFrequency(LARGE_INTEGER *to)
{
	to->QuadPart = TICKS_PER_SECOND;
	return TRUE;
}

void Sleep(DWORD ms)
{
	struct timespec left = { ms / 1000, ms % 1000 * 1000000l };

	if (ms == INFINITE) {
		for (;;)
			pause();
	}
	while (nanosleep(&left, &left) && errno == EINTR)
		;
}
