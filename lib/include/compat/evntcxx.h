/* SPDX-License-Identifier: MIT */
/*
 * Headers of the C++ library that must be included before names they use become
 * macros: __in and __out in sal1.h, printf and similar names in evntcrt.h, and
 * wostream in evntwio.h.
 * Microsoft's library has a copy() with the size of the buffer in its strings.
 */
#ifndef EVNT_CXX_H
#define EVNT_CXX_H

#ifdef __cplusplus
/* A program may include these headers inside of extern "C" */
extern "C++" {
#include <algorithm>
#include <chrono>
#include <climits>
#include <complex>
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
#if __has_include(<print>)
#include <print>
#endif
}

#define _Copy_s(to, size, ...)	copy((to), __VA_ARGS__)
#endif

#endif /* EVNT_CXX_H */
