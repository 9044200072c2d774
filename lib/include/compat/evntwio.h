/* SPDX-License-Identifier: MIT */
/*
 * Wide streams of the C++ library for wide characters of 16 bits.  The
 * library's own are compiled for characters of four bytes.
 *
 * The names of the wide streams are mapped to these classes, which use the
 * library's narrow streams and write UTF-8.  A program's own
 * operator<<(std::wostream &, ...) is called, as on Windows.
 */
#ifndef EVNT_WIO_H
#define EVNT_WIO_H

#if defined(__cplusplus) && __SIZEOF_WCHAR_T__ == 2
#include "evntcxx.h"
#include "evntfunc.h"

extern "C++" {
namespace std {

inline string evnt_narrow(const wchar_t *text, size_t size)
{
	int n = WideCharToMultiByte(CP_UTF8, 0, text, (int)size, nullptr, 0,
				    nullptr, nullptr);
	string to(n > 0 ? n : 0, 0);

	if (n > 0)
		WideCharToMultiByte(CP_UTF8, 0, text, (int)size, &to[0], n,
				    nullptr, nullptr);
	return to;
}

inline wstring evnt_wide(const string &text)
{
	int size = (int)text.size();
	int n = size ? MultiByteToWideChar(CP_UTF8, 0, text.data(), size,
					   nullptr, 0) : 0;
	wstring to(n > 0 ? n : 0, 0);

	if (n > 0)
		MultiByteToWideChar(CP_UTF8, 0, text.data(), size, &to[0], n);
	return to;
}

class evnt_wostream {
public:
	typedef wchar_t char_type;
	typedef evnt_wostream &(*manipulator)(evnt_wostream &);

	constexpr explicit evnt_wostream(ostream &stream) : out(stream) {}
	evnt_wostream(const evnt_wostream &) = delete;
	evnt_wostream &operator=(const evnt_wostream &) = delete;

	evnt_wostream &operator<<(const wchar_t *text)
	{
		if (text)
			out << evnt_narrow(text, evnt16_wcslen(text));
		else
			out.setstate(ios_base::badbit);
		return *this;
	}

	evnt_wostream &operator<<(wchar_t *text)
	{
		return *this << (const wchar_t *)text;
	}

	evnt_wostream &operator<<(const wstring &text)
	{
		out << evnt_narrow(text.data(), text.size());
		return *this;
	}

	evnt_wostream &operator<<(wchar_t c)
	{
		out << evnt_narrow(&c, 1);
		return *this;
	}

	evnt_wostream &operator<<(ostream &(*f)(ostream &))
	{
		f(out);
		return *this;
	}

	evnt_wostream &operator<<(ios_base &(*f)(ios_base &))
	{
		f(out);
		return *this;
	}

	evnt_wostream &operator<<(manipulator f)
	{
		return f(*this);
	}

	/* In other libraries, the character of wide streams is private */
#ifdef __GLIBCXX__
	evnt_wostream &operator<<(decltype(setfill(L' ')) f)
	{
		out.fill((char)f._M_c);
		return *this;
	}
#endif

	/* Numbers, narrow text and other values of narrow streams */
	template <class Value>
	auto operator<<(const Value &value)
		-> decltype(declval<ostream &>() << value, *this)
	{
		out << value;
		return *this;
	}

	evnt_wostream &put(wchar_t c)
	{
		const string bytes = evnt_narrow(&c, 1);

		out.write(bytes.data(), bytes.size());
		return *this;
	}

	evnt_wostream &write(const wchar_t *text, streamsize n)
	{
		const string bytes = evnt_narrow(text, n);

		out.write(bytes.data(), bytes.size());
		return *this;
	}

	evnt_wostream &flush()
	{
		out.flush();
		return *this;
	}

	wchar_t fill(wchar_t c)
	{
		return (unsigned char)out.fill((char)c);
	}

	streamsize width() const { return out.width(); }
	streamsize width(streamsize n) { return out.width(n); }
	streamsize precision() const { return out.precision(); }
	streamsize precision(streamsize n) { return out.precision(n); }
	ios_base::fmtflags flags() const { return out.flags(); }
	ios_base::fmtflags flags(ios_base::fmtflags f) { return out.flags(f); }
	ios_base::fmtflags setf(ios_base::fmtflags f) { return out.setf(f); }
	ios_base::fmtflags setf(ios_base::fmtflags f, ios_base::fmtflags mask)
	{
		return out.setf(f, mask);
	}
	void unsetf(ios_base::fmtflags f) { out.unsetf(f); }
	locale imbue(const locale &) { return locale(); }
	void clear() { out.clear(); }
	bool good() const { return out.good(); }
	bool fail() const { return out.fail(); }
	bool bad() const { return out.bad(); }
	bool eof() const { return out.eof(); }
	explicit operator bool() const { return !out.fail(); }
	bool operator!() const { return out.fail(); }

private:
	ostream &out;
};

/* Stream into and out of a string */
class evnt_wstringstream : public evnt_wostream {
public:
	evnt_wstringstream() : evnt_wostream(text) {}
	explicit evnt_wstringstream(const wstring &from)
		: evnt_wostream(text)
	{
		str(from);
	}

	wstring str() const { return evnt_wide(text.str()); }
	void str(const wstring &from)
	{
		text.str(evnt_narrow(from.data(), from.size()));
	}

	evnt_wstringstream &operator>>(wstring &to)
	{
		string word;

		if (text >> word)
			to = evnt_wide(word);
		return *this;
	}

	template <class Value>
	evnt_wstringstream &operator>>(Value &to)
	{
		text >> to;
		return *this;
	}

	evnt_wstringstream &operator>>(ios_base &(*f)(ios_base &))
	{
		f(text);
		return *this;
	}

	friend evnt_wstringstream &getline(evnt_wstringstream &from, wstring &to,
					   wchar_t end = L'\n')
	{
		string line;

		if (getline(from.text, line, (char)end))
			to = evnt_wide(line);
		return from;
	}

private:
	stringstream text;
};

static evnt_wostream evnt_wcout __attribute__((__unused__)) (cout);
static evnt_wostream evnt_wcerr __attribute__((__unused__)) (cerr);

}
}

#define wostream		evnt_wostream
#define wstringstream		evnt_wstringstream
#define wostringstream		evnt_wstringstream
#define wistringstream		evnt_wstringstream
#define wcout			evnt_wcout
#define wcerr			evnt_wcerr
#define wclog			evnt_wcerr
#endif

#endif /* EVNT_WIO_H */
