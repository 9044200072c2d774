// SPDX-License-Identifier: MIT
/* Wide streams with a wchar_t of 16 bits; the caller compares the output. */
#include <windows.h>

#include <iomanip>
#include <iostream>
#include <sstream>

struct point {
	int x, y;
};

static std::wostream &operator<<(std::wostream &out, const point &p)
{
	return out << L"(" << p.x << L"," << p.y << L")";
}

static std::wostream &line(std::wostream &out)
{
	return out << L"--";
}

int main()
{
	using namespace std;
	const std::wstring text(L"b\x20ac");
	std::wstringstream in(L"17 word");
	std::wostringstream made;
	std::wstring word;
	ULONGLONG n = 0;

	std::wcout << L"a" << text << L'c' << "narrow" << -5 << std::endl;
	wcout << std::hex << std::setw(6) << std::setfill(L'0') << 0xabcd <<
		std::dec << L' ' << 1.5 << L' ' << true << line << L"\n";
	wcout << point { 1, -2 } << endl;
	made << L"x" << 7 << point { 3, 4 };
	in >> n >> word;
	if (made.str() != L"x7(3,4)" || n != 17 || word != L"word")
		return 1;
	std::wcout.width(4);
	std::wcout << std::left << std::setfill(L'.') << 7 << L"|";
	printf("%S|\n", L"printed");
	return !std::wcout || !std::wcout.good();
}
