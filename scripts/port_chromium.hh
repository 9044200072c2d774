// SPDX-License-Identifier: MIT
/*
 * The names of chromium's base library that its code for events, and the tests of
 * that code, take from other headers: that library can be built only for the
 * system for which chromium itself is built.
 */
#ifndef PORT_CHROMIUM_HH
#define PORT_CHROMIUM_HH

#include <windows.h>
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>
#include <string>

#define BASE_EXPORT
#define LIFETIME_BOUND
#define DISALLOW_COPY_AND_ASSIGN(name)		\
	name(const name &) = delete;		\
	name &operator=(const name &) = delete
#define DCHECK(condition)	EXPECT_TRUE(condition)
#define VLOG(level)		std::clog
#define FROM_HERE		0
#define FILE_PATH_LITERAL(text)	EVNT_WIDE(text)
/* The test framework has these on Windows only */
#define EXPECT_HRESULT_SUCCEEDED(call)	EXPECT_GE((HRESULT)(call), 0)
#define EXPECT_HRESULT_FAILED(call)	EXPECT_LT((HRESULT)(call), 0)
#define ASSERT_HRESULT_SUCCEEDED(call)	ASSERT_GE((HRESULT)(call), 0)
#define ASSERT_HRESULT_FAILED(call)	ASSERT_LT((HRESULT)(call), 0)

namespace base {

using std::size;

enum class BlockingType { MAY_BLOCK };

struct ScopedBlockingCall {
	ScopedBlockingCall(int, BlockingType) {}
};

template <class To, class From>
To checked_cast(From value)
{
	return static_cast<To>(value);
}

inline DWORD GetCurrentProcId()
{
	return GetCurrentProcessId();
}

inline std::wstring NumberToWString(DWORD number)
{
	return std::to_wstring(number);
}

/* The one format that the tests have is "name-%d" */
inline std::wstring StringPrintf(const wchar_t *format, DWORD number)
{
	std::wstring text(format);

	return text.replace(text.find(L"%d"), 2, std::to_wstring(number));
}

class FilePath {
	std::wstring path;

public:
	FilePath() = default;
	explicit FilePath(std::wstring path) : path(path) {}
	const std::wstring &value() const { return path; }
	FilePath Append(const std::wstring &name) const
	{
		return FilePath(path + L"/" + name);
	}
	std::string narrow() const
	{
		char text[MAX_PATH];

		WideCharToMultiByte(CP_UTF8, 0, path.c_str(), -1, text,
				    sizeof(text), NULL, NULL);
		return text;
	}
};

/* True if there is no such file, too */
inline bool DeleteFile(const FilePath &file)
{
	return !unlink(file.narrow().c_str()) || errno == ENOENT;
}

inline bool CreateTemporaryFileInDir(const FilePath &folder, FilePath *file)
{
	FILE *created;

	*file = folder.Append(L"temporary");
	created = fopen(file->narrow().c_str(), "w");
	return created && !fclose(created);
}

class ScopedTempDir {
	FilePath path;

public:
	~ScopedTempDir() { rmdir(path.narrow().c_str()); }
	bool CreateUniqueTempDir()
	{
		char name[] = "/tmp/chromium.XXXXXX";
		char *made = mkdtemp(name);

		if (made)
			path = FilePath(std::wstring(made, made + strlen(made)));
		return made;
	}
	const FilePath &GetPath() const { return path; }
};

namespace win {

enum class Version { WIN8 = 8, WIN10 = 10 };

inline Version GetVersion()
{
	return Version::WIN10;
}

/* Its functions have had other names, too */
class ScopedHandle {
	HANDLE handle = NULL;

public:
	~ScopedHandle() { Close(); }
	HANDLE get() const { return handle; }
	HANDLE Get() const { return handle; }
	bool is_valid() const { return handle; }
	bool IsValid() const { return handle; }
	void Set(HANDLE value)
	{
		Close();
		handle = value;
	}
	void Close()
	{
		if (handle)
			CloseHandle(handle);
		handle = NULL;
	}
};

} // namespace win
} // namespace base

#endif /* PORT_CHROMIUM_HH */
