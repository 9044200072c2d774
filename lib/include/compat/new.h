/* SPDX-License-Identifier: MIT */
/* Operators new, std::nothrow and std::bad_alloc, by the name of Windows */
#ifndef EVNT_COMPAT_NEW_H
#define EVNT_COMPAT_NEW_H

#ifdef __cplusplus
#include <new>
#endif

#endif /* EVNT_COMPAT_NEW_H */
