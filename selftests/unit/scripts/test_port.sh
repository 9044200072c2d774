#!/bin/bash
# SPDX-License-Identifier: MIT
# scripts/port compiles programs from a folder of sources and prints a row for
# each.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

[ -x "$build/tools/evntmc" ] || skip_all "evntmc is not built"

port() {
	EVNT_BUILD=$build EVNT_SOURCES=$dir/sources "$repo/scripts/port" "$@" \
		2> "$dir/err"
}

is "$(port EtwSamples; echo $?)" 2 "a folder with sources is needed"
program=$dir/sources/EtwSamples
mkdir -p "$program/Provider0" "$program/Consumer1"
cat > "$program/Provider0/ProviderManifest0.man" << 'END'
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
<instrumentation><events><provider name="Provider0" symbol="PROVIDER0"
 guid="{00001234-0000-0000-0000-000000000000}" resourceFileName="a"
 messageFileName="a"><events><event value="1" symbol="Started"/></events></provider>
</events></instrumentation></instrumentationManifest>
END
cat > "$program/Provider0/Provider0.cpp" << 'END'
#include <windows.h>
#include "ProviderManifest0.h"
int wmain() { EventRegisterProvider0(); return EventWriteStarted(); }
END
is "$(port; echo $?)" "| EtwSamples | g++ | 1 of 1 |  |
0" "a program with a generated header compiles; others have no sources"
echo 'int main() { return undeclared; }' > "$program/Consumer1/Consumer1.cpp"
is "$(port EtwSamples; echo $?)" \
	"| EtwSamples | g++ | 1 of 2 | 'undeclared' was not declared in this scope |
1" "a file that does not compile fails, with its error"
mkdir -p "$dir/sources/c-logging/v2/src" "$dir/sources/macro-utils-c/inc"
mkdir -p "$dir/sources/PresentMon/Provider"
echo '#define NUMBER 5' > "$dir/sources/macro-utils-c/inc/number.h"
cat > "$dir/sources/c-logging/v2/src/sink.c" << 'END'
#include "number.h"
#include <windows.h>
#include <TraceLoggingProvider.h>
TRACELOGGING_DEFINE_PROVIDER(sink, "Sink", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, NUMBER));
void log_number(int number)
{
	TraceLoggingWrite(sink, "Number", TraceLoggingInt32(number));
}
END
echo 'DWORD missing;' > "$dir/sources/PresentMon/Provider/provider.cpp"
is "$(port c-logging PresentMon-Provider; echo $?)" \
	"| c-logging | gcc | 1 of 1 |  |
| PresentMon, Provider | g++ | 0 of 1 | 'DWORD' does not name a type |
1" "a program in C, with headers of another one, and a part of a program have rows"
mkdir -p "$dir/sources/krabsetw/tests/krabstests"
cat > "$dir/sources/krabsetw/tests/krabstests/test.cpp" << 'END'
#include "CppUnitTest.h"
using namespace Microsoft::VisualStudio::CppUnitTestFramework;
TEST_CLASS(tests) {
public:
	TEST_METHOD(good)
	{
		Assert::AreEqual(L"a", std::wstring(L"a").c_str());
		Assert::ExpectException<int>([] { throw 1; });
	}
	TEST_METHOD(bad) { Assert::IsTrue(false); }
	TEST_METHOD(ends) { std::terminate(); }
};
END
is "$(port --link "$dir/linked" krabsetw; echo $?)" \
	"| krabsetw, tests | clang++ | 1 of 1 |  |
0" "tests have a row"
is "$("$dir/linked/krabsetw" 2> /dev/null; echo $?)" \
	"# test.cpp: bad: a condition is false
not ok test.cpp: bad
not ok test.cpp: ends
ok test.cpp: good
1 of 3 tests pass
1" "and are linked as a program, which runs them"
coreclr=$dir/sources/coreclr/src
mkdir -p "$coreclr/scripts" "$coreclr/vm"
sed 's/00001234/00004321/' "$program/Provider0/ProviderManifest0.man" \
	> "$coreclr/vm/ClrEtwAll.man"
cat > "$coreclr/scripts/genEtwProvider.py" << 'END'
import os, subprocess, sys
to = sys.argv[6]
os.makedirs(to)
subprocess.check_call(['mc.exe', '-h', to, '-r', to, '-b', '-co', '-um', '-p',
                       'FireEtXplat', sys.argv[2]])
with open(to + '/ClrEtwAll.h') as file:
    text = file.read()
assert text.count('_Arg0 * _Arg2_Len_') == 1
with open(to + '/ClrEtwAll.h', 'w') as file:
    file.write(text.replace('EventEnabled', 'EventXplatEnabled'))
END
cat > "$coreclr/scripts/genEventing.py" << 'END'
import os, sys
assert os.name == 'nt' and sys.argv[1] == '--man'
with open(sys.argv[-1] + '/clretwallmain.h', 'w') as file:
    file.write('#include "ClrEtwAll.h"\n'
               'const WCHAR *const name = W("events");\n'
               'ULONG fire() { return FireEtXplatStarted(); }\n')
END
is "$(port coreclr; echo $?)" \
	"| coreclr, events | g++ | 1 of 1 |  |
0" "scripts of a program's build use evntmc"
mkdir -p "$dir/sources/wil/include" "$dir/sources/wil/tests"
cat > "$dir/sources/wil/tests/TraceLoggingTests.cpp" << 'END'
namespace wistd {
template <class, class> struct is_same { static constexpr bool value = false; };
template <class T> struct is_same<T, T> { static constexpr bool value = true; };
}
#include <windows.h>
#include <TraceLoggingActivity.h>
#ifdef _WINBASE_
static_assert(wistd::is_same<HRESULT, long>::value, "Wrong Type: HRESULT expected");
static_assert(!wistd::is_same<char, long>::value, "");
#endif
END
is "$(port wil; echo $?)" \
	"| wil | clang++ | 1 of 1 |  |
0" "an HRESULT is accepted for a long"
if [ -e /usr/include/gtest/gtest.h ]; then
	mkdir -p "$dir/sources/chromium/base/win"
	cat > "$dir/sources/chromium/base/win/event_trace_unittest.cc" <<- 'END'
		#include "base/files/scoped_temp_dir.h"
		#include "base/win/scoped_handle.h"
		#include "testing/gtest/include/gtest/gtest.h"
		TEST(Port, Names)
		{
			base::ScopedTempDir folder;
			base::FilePath file;
			base::win::ScopedHandle handle;
			ASSERT_TRUE(folder.CreateUniqueTempDir());
			ASSERT_TRUE(CreateTemporaryFileInDir(folder.GetPath(), &file));
			ASSERT_TRUE(DeleteFile(file));
			ASSERT_FALSE(handle.is_valid());
			ASSERT_HRESULT_FAILED(E_FAIL);
		}
	END
	is "$(port chromium; echo $?)" "| chromium, base | g++ | 1 of 1 |  |
0" "the rest of a program's library is replaced"
else
	skip "the test framework of C++ is not installed"
fi
is "$(port --link)" "" "--link needs a folder"
is "$(port Unknown; echo $?)" 2 "an unknown program is refused"
done_testing
