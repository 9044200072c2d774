// SPDX-License-Identifier: MIT
/*
 * The C++ library's strings with a wchar_t of 16 bits; windows.h must not
 * define any of its names.
 */
#include <windows.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

int wmain(int argc, wchar_t **argv)
{
	std::wstring a(L"abc"), b = a + L"-" + std::wstring(40, L'x');
	std::vector<std::wstring> all = { b, a, argv[0] };
	std::string narrow(argv[0] ? "x" : "");

	std::sort(all.begin(), all.end());
	all.push_back(std::move(b));
	if (a.size() != 3 || all.back().size() != 44 || argc != 2 ||
	    a.find(L"c") != 2 || a != L"abc" || std::wstring(argv[1]) != L"\x20ac")
		return 1;
	wchar_t copied[3] = {};

	if (a._Copy_s(copied, 3, 2) != 2 || copied[1] != L'b' ||
	    a._Copy_s(copied, 3, 1, 2) != 1 || copied[0] != L'c')
		return 1;
	static_assert(sizeof(__FUNCSIG__) > sizeof("wide_strings.cc:"),
		      __FUNCSIG__ " is a literal");
	a.append(all.back()).replace(0, 1, L"zz");
	return a.substr(0, 4) != L"zzbc" || wcslen(a.c_str()) != 48;
}
