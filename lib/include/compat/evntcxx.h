/* SPDX-License-Identifier: MIT */
/*
 * What of the C++ library has to be read before names that it uses become macros:
 * __in and __out of sal1.h, and printf and the like of evntcrt.h.
 */
#ifndef EVNT_CXX_H
#define EVNT_CXX_H

#ifdef __cplusplus
/* A program may include all of this inside of extern "C" */
extern "C++" {
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cwchar>
#include <iomanip>
#include <iostream>
#include <locale>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
}
#endif

#endif /* EVNT_CXX_H */
