/* SPDX-License-Identifier: MIT */
/* Application family: desktop. */
#ifndef EVNT_WINAPIFAMILY_H
#define EVNT_WINAPIFAMILY_H

#define WINAPI_PARTITION_DESKTOP	1
#define WINAPI_PARTITION_APP		1
#define WINAPI_PARTITION_SYSTEM		1
#define WINAPI_FAMILY_PARTITION(part)	(part)

#endif /* EVNT_WINAPIFAMILY_H */
