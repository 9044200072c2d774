/* SPDX-License-Identifier: MIT */
/*
 * Check for wide literals without -fshort-wchar, in C++: in headers generated
 * by mc.exe, L"..." then has the wrong width where it stands for NULL strings.
 * Compilation fails with a hint.
 */
#ifndef EVNT_HINT_H
#define EVNT_HINT_H

#if __cplusplus >= 201402L && __SIZEOF_WCHAR_T__ != 2
extern "C++" {

constexpr bool evnt_is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* Test whether source text contains a wide string literal */
constexpr bool evnt_has_wide(const char *text)
{
	bool quoted = false;

	for (int i = 0; text[i]; i++) {
		if (quoted && text[i] == '\\')
			i++;
		else if (text[i] == '"' && !quoted && i && text[i - 1] == 'L' &&
			 (i < 2 || !evnt_is_name(text[i - 2])))
			return true;
		else if (text[i] == '"')
			quoted = !quoted;
	}
	return false;
}

template <bool has_wide>
struct evnt_text_is {
	static_assert(!has_wide, "L\"...\" has 32-bit characters here: "
		      "-fshort-wchar is missing, see evntprov-compat(7)");
	static constexpr unsigned int more = 0;
};

}

#define EventDataDescCreate(descriptor, ptr, size) \
	EventDataDescCreate(descriptor, ptr, \
			    (size) + evnt_text_is<evnt_has_wide(#ptr)>::more)
#endif

#endif /* EVNT_HINT_H */
