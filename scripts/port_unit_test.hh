// SPDX-License-Identifier: MIT
/*
 * Microsoft's unit test framework for C++, as far as tests of programs for ETW use
 * it: each method of a class of tests runs in an object of its own.
 */
#ifndef PORT_UNIT_TEST_HH
#define PORT_UNIT_TEST_HH

#include <sys/wait.h>
#include <unistd.h>
#include <windows.h>

#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace port {

inline std::map<std::string, void (*)()> tests;

template <class Class>
struct test_class {
	using self = Class;

	static bool add(std::string file, const char *name, void (*call)())
	{
		return tests.emplace(file + ": " + name, call).second;
	}
};

/* Call a test in a process of its own, as it may end that; return whether it passes */
inline bool passes(const char *name, void (*call)())
{
	int status = 1;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child)
		return waitpid(child, &status, 0) == child && !status;
	try {
		call();
		_exit(0);
	} catch (const std::exception &e) {
		printf("# %s: %s\n", name, e.what());
	} catch (...) {
	}
	fflush(stdout);
	_exit(1);
}

/* Run the tests; return whether all pass */
inline bool run()
{
	unsigned int good = 0;

	for (const auto &[name, call] : tests) {
		bool pass = passes(name.c_str(), call);

		good += pass;
		printf("%s %s\n", pass ? "ok" : "not ok", name.c_str());
	}
	printf("%u of %u tests pass\n", good, (unsigned int)tests.size());
	return good == tests.size();
}

} // namespace port

/* Names of tests begin with the file */
#define EVNT_UNIT		(strrchr("/" __FILE__, '/') + 1)
#define TEST_CLASS(name)	class name : public port::test_class<name>
#define TEST_METHOD(name)						\
	struct name##_call {						\
		static void call() { self object; object.name(); }	\
	};								\
	static inline const bool name##_added = port::test_class<self>::add(	\
		EVNT_UNIT, #name, name##_call::call);			\
	void name()

/* Texts for messages, which tests define for their own types */
#define RETURN_WIDE_STRING(value)	return std::to_wstring(value)

namespace Microsoft::VisualStudio::CppUnitTestFramework {

template <class Value>
std::wstring ToString(const Value &value);

class Assert {
	static bool same(const wchar_t *a, const wchar_t *b)
	{
		return !wcscmp(a, b);
	}

	static bool same(const char *a, const char *b)
	{
		return !strcmp(a, b);
	}

	template <class A, class B>
	static bool same(const A &a, const B &b)
	{
		return a == b;
	}

	static void require(bool condition, const char *what)
	{
		if (!condition)
			throw std::logic_error(what);
	}

public:
	template <class A, class B>
	static void AreEqual(const A &a, const B &b, const wchar_t * = nullptr)
	{
		require(same(a, b), "two values differ");
	}

	template <class A, class B>
	static void AreNotEqual(const A &a, const B &b,
				const wchar_t * = nullptr)
	{
		require(!same(a, b), "two values are equal");
	}

	static void IsTrue(bool condition, const wchar_t * = nullptr)
	{
		require(condition, "a condition is false");
	}

	static void IsFalse(bool condition, const wchar_t * = nullptr)
	{
		require(!condition, "a condition is true");
	}

	template <class Pointer>
	static void IsNull(const Pointer &pointer, const wchar_t * = nullptr)
	{
		require(pointer == nullptr, "a pointer is not null");
	}

	template <class Pointer>
	static void IsNotNull(const Pointer &pointer, const wchar_t * = nullptr)
	{
		require(pointer != nullptr, "a pointer is null");
	}

	template <class Exception, class Function>
	static void ExpectException(Function function,
				    const wchar_t * = nullptr)
	{
		try {
			function();
		} catch (const Exception &) {
			return;
		}
		require(false, "an exception is missing");
	}
};

} // namespace Microsoft::VisualStudio::CppUnitTestFramework

#endif /* PORT_UNIT_TEST_HH */
