#!/bin/bash
# SPDX-License-Identifier: MIT
# The documents' contents are right: functions are declared as in the manual
# pages, code compiles, and all other literal text that is no command is
# checked, too. scripts/package runs the commands.
# shellcheck disable=SC2317,SC2046 # called by their names; words of pkg-config
set -u

# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

arch=$(gcc -print-multiarch)
root=$dir/root
pieces=$dir/pieces
strict=(-Wall -Wextra -Werror)

stage() {
	make --no-print-directory -C "$repo/$1" O="$build" prefix=/usr \
		libdir="/usr/lib/$arch" DESTDIR="$root" install
}

# Found by the documents' own commands, which use pkg-config
make_pkg_config() {
	mkdir "$dir/bin"
	cat > "$dir/bin/pkg-config" <<-END
	#!/bin/sh
	export PKG_CONFIG_PATH=$root/usr/lib/$arch/pkgconfig
	export PKG_CONFIG_SYSROOT_DIR=$root
	exec $(command -v pkg-config) "\$@"
	END
	chmod +x "$dir/bin/pkg-config"
	export PATH=$dir/bin:$PATH LD_LIBRARY_PATH=$root/usr/lib/$arch
}

# Print a page's SYNOPSIS as declarations.  Macros have no type, and templates
# are literal.
declarations() {
	awk '
	function argument(text) {
		arguments = arguments (arguments == "" ? "" : ", ") text
	}
	function declare() {
		if (type != "" && name ~ /^[A-Z][A-Za-z0-9]*$/)
			print type, "(" name ")(" \
				(arguments == "" ? "void" : arguments) ");"
		arguments = type = ""
	}
	/^\.Sh / { synopsis = /SYNOPSIS/ }
	!synopsis { next }
	/^\.In / { print "#include <" $2 ">" }
	/^\.Ft / { type = substr($0, 5) }
	/^\.Fo / { name = $2 }
	/^\.Fn / { name = $2 }
	/^\.F[an] .*"/ {
		n = split($0, quoted, "\"")
		for (i = 2; i <= n; i += 2)
			argument(quoted[i])
	}
	/^\.F[cn]/ { declare() }' "$1"
}

# A redeclaration of what the headers declare must match.  LPCTSTR depends on
# the source.
as_declared() {
	local functions

	declarations "$1" > "$dir/declared.c"
	functions=$(grep -c ');$' "$dir/declared.c")
	sed -n 's/^.* (\([A-Za-z0-9]*\))(.*/\tuse((void *)\1);/p' "$dir/declared.c" \
		> "$dir/uses"
	{
		cat "$dir/declared.c"
		echo 'static inline void use(void *function) { (void)function; }'
		echo 'void uses(void); void uses(void)'
		echo '{' ; cat "$dir/uses"; echo '}'
	} > "$dir/synopsis.c"
	echo "$functions functions"
	cc "${strict[@]}" -Wno-redundant-decls -DLPCTSTR=LPCSTR \
		-c "$dir/synopsis.c" -o "$dir/synopsis.o" $(pkg-config --cflags evnttdh evntprov)
}

# Write all literal text that is no command to a file each, PAGE:LINE
take_pieces() {
	local document number kind text out=

	mkdir "$pieces"
	for document in "$repo"/*.md "$repo"/doc/*.md "$man"/*.[1-9]; do
		while IFS=$'\t' read -r number kind text; do
			case $kind in
			piece) out=$pieces/${document##*/}:$number ;;
			code) printf '%s\n' "$text" >> "$out" ;;
			esac
		done < <("$repo/selftests/package/extract" "$document")
	done
}

compile() {
	local source=$1

	shift
	case $source in
	*.cc) c++ "${strict[@]}" "$source" -o "${source%.*}" "$@" $(flags) ;;
	*) cc "${strict[@]}" "$source" -o "${source%.*}" "$@" $(flags) ;;
	esac
}

flags() {
	pkg-config --cflags --libs evnttdh evntprov
}

# A complete program, in both languages, run without a session
is_program() {
	local language

	for language in c cc; do
		cp "$1" "$dir/program.$language"
		compile "$dir/program.$language" && "$dir/program" || return
	done
}

# Statements, with the declarations from the text before them.  $1: their kind;
# $2: existing declarations
is_function() {
	{
		echo "$2"
		echo 'void example(void); void example(void)'
		echo '{'
		cat "$1"
		echo '}'
		echo 'int main(void) { return 0; }'
	} > "$dir/function.c"
	compile "$dir/function.c"
}

# The documented functions of a class
are_members() {
	{
		cat <<-'END'
		#include <TraceLoggingProvider.h>
		#include <TraceLoggingActivity.h>
		TRACELOGGING_DECLARE_PROVIDER(g);
		typedef TraceLoggingActivity<g> Activity;
		END
		# type, name, arguments, qualifiers
		sed -nE 's/^([A-Za-z_ ]*[ *])([A-Z][A-Za-z]*)(\(.*\))( const)?;$/\1 (Activity::*m_\2_@)\3\4 = \&Activity::\2;/p' \
			"$1" | awk '{ sub(/@/, NR); print }'
	} > "$dir/members.cc"
	cat "$dir/members.cc"
	[ "$(grep -c '&Activity::' "$dir/members.cc")" = "$(grep -c ';$' "$1")" ] &&
	c++ "${strict[@]}" -c "$dir/members.cc" -o "$dir/members.o" $(flags)
}

# A template has the documented parameters
is_template() {
	{
		cat <<-'END'
		#include <TraceLoggingProvider.h>
		#include <TraceLoggingActivity.h>
		#include <type_traits>
		TRACELOGGING_DECLARE_PROVIDER(g);
		END
		sed '/^class TraceLoggingActivity;$/d' "$1"
		echo 'using Scope = TraceLoggingActivity<provider, keyword, level>;'
		echo 'static_assert(std::is_same<Scope<g>, TraceLoggingActivity<g>>::value, "");'
	} > "$dir/template.cc"
	cat "$dir/template.cc"
	grep -q '^class TraceLoggingActivity;$' "$1" &&
	c++ "${strict[@]}" -c "$dir/template.cc" -o "$dir/template.o" $(flags)
}

# LTTng's form on the left, its equivalent on the right
is_second_column() {
	local column

	column=$(awk 'NR == 1 { print index($0, "TraceLoggingWrite") }' "$1")
	cut -c"$column"- "$1" | sed '/^ *$/d;/"\/index"/d' > "$dir/column"
	is_function "$dir/column" '#include <TraceLoggingProvider.h>
		TRACELOGGING_DEFINE_PROVIDER(app, "app", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
		static const int number = 5; static const char path[] = "/index";'
}

is_cmake() {
	command -v cmake > /dev/null || { echo "there is no cmake"; return 77; }
	mkdir "$dir/cmake"
	printf '%s\n' '#include <evntprov.h>' 'int main(void) { return 0; }' \
		> "$dir/cmake/program.c"
	{
		echo 'cmake_minimum_required(VERSION 3.13)'
		echo 'project(test C)'
		echo 'add_executable(program program.c)'
		cat "$1"
	} > "$dir/cmake/CMakeLists.txt"
	cmake -S "$dir/cmake" -B "$dir/cmake/build" -DCMAKE_PREFIX_PATH="$root/usr" &&
	cmake --build "$dir/cmake/build"
}

is_autologger() {
	cp "$1" "$dir/boot.conf"
	"$evnt" autologger check "$dir/boot.conf"
}

# There is nothing to decode, but errors in the text are reported
are_classes() {
	cp "$1" "$dir/server.mof"
	echo "event 1 provider=1 name=Any" | "$build/unit/log_maker" "$dir/any.etl"
	"$evnt" dump --manifest "$dir/server.mof" "$dir/any.etl" > "$dir/out" 2> "$dir/err" &&
	[ ! -s "$dir/err" ]
}

# It is the same as in the sample
is_kbuild() {
	! grep -v -e ^obj-m -e ^ccflags-y -e ^KBUILD_EXTRA_SYMBOLS "$1" &&
	grep ccflags-y "$1" | grep -qxFf - "$repo/samples/kernel/Kbuild" &&
	grep KBUILD_EXTRA_SYMBOLS "$1" | grep -qxFf - "$repo/samples/kernel/Kbuild"
}

# Existing files and folders
are_paths() {
	local path

	sed -n 's/^ \{0,3\}\([A-Za-z][^ ]*\( [a-z.]*\)\{0,1\}\)  .*/\1/p' "$1" |
	tr ' ' '\n' | while read -r path; do
		[ -e "$repo/$path" ] || { echo "there is no $path"; exit 1; }
	done
}

# Each function of the module that a drawing names by file and function
are_files() {
	local file

	grep -oE '\b([a-z]+/)*[a-z_]+\.[ch]\b' "$1" | sort -u | while read -r file; do
		[ -n "$(git -C "$repo" ls-files "$file" "*/$file")" ] || {
			echo "there is no $file"
			exit 1
		}
	done
}

# A line that a tool prints, except for numbers and names
is_printed() {
	local line

	line=$(sed -E "s/'[^']*'/'%s'/g;s/[0-9]+/%N/g" "$1")
	sed -E 's/%(ll)?[ud]/%N/g' "$repo"/tools/*.c "$repo"/{tools,decode}/*/*.c | grep -qF "$line"
}

# Commands for a test machine are not run by a test, but exist: make has the
# target and the variables, a script the options
is_there() {
	local words word

	eval "words=(${1%%#*})"
	for word in "${words[@]:1}"; do
		case $word in
		--*) grep -qE "^	$word\)|= $word( |\$)" "$repo/${words[0]}" ;;
		*=*) grep -qw "${word%%=*}" "$repo/Makefile" "$repo/scripts/check" ;;
		esac || { echo "there is no $word"; return 1; }
	done
	case ${words[0]} in
	make) make --no-print-directory -C "$repo" -n "${words[@]:1}" ;;
	*) [ -x "$repo/${words[0]}" ] ;;
	esac
}

# Each relative link of a document names an existing file
are_links() {
	local link

	grep -oE '\]\([^):]+\)' "$1" | sed -E 's/^\]\(//;s/[#)].*//' |
	while read -r link; do
		[ -z "$link" ] || [ -e "$(dirname "$1")/$link" ] ||
			{ echo "there is no $link"; exit 1; }
	done
}

# Check a line of evnt dump, which its test expects
is_tested_line() {
	grep -qF -e "$(sed 's/\\\[u25B6]/▶/' "$1")" \
		"$repo/selftests/unit/tools/test_text.sh"
}

# Choose the check of a piece by its contents
look_at() {
	local controller='#include <evntlinux.h>
		#include <evntprov.h>
		#include <evntrace.h>
		#include <tdh.h>
		extern GUID provider; extern TRACEHANDLE session;
		GUID provider; TRACEHANDLE session;'
	local writer='#include <TraceLoggingProvider.h>
		TRACELOGGING_DEFINE_PROVIDER(g_provider, "P",
			(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));'
	local lister='#include <evntlinux.h>
		#include <evntprov.h>
		#include <evntcons.h>
		#include <sddl.h>
		extern GUID id; GUID id;'

	case ${1##*/} in
	README.md:*)
		case $(head -n 1 "$1") in
		"#include "*) is_program "$1" ;;
		*) false ;;
		esac ;;
	CONTRIBUTING.md:*) are_paths "$1" ;;
	design.md:*) are_files "$1" ;;
	linux.md:*) is_second_column "$1" ;;
	porting.md:*) is_cmake "$1" ;;
	tuning.md:*) echo "a formula, which is computed in the text"; return 77 ;;
	TraceLoggingRegister.3:*) is_program "$1" ;;
	EventAccessControl.3:*) is_function "$1" "$lister" ;;
	TdhCreatePayloadFilter.3:*) is_function "$1" "$controller" ;;
	TraceLoggingWrite.3:*) is_function "$1" "$writer" ;;
	EventRegister.3:* | RegisterTraceGuids.3:*) is_callback "$1" ;;
	TraceLoggingActivity.3:*)
		if grep -q '^template' "$1"; then
			is_template "$1"
		else
			are_members "$1"
		fi ;;
	ITraceRelogger.3:*) are_methods "$1" ;;
	evnt-autologger.5:*) is_autologger "$1" ;;
	evntprov-kernel.7:*) is_kbuild "$1" ;;
	evntprov-mof.5:*) are_classes "$1" ;;
	evnt-dump.1:*) is_tested_line "$1" ;;
	evnt-tail.1:*) is_printed "$1" ;;
	*) echo "nothing is known of it"; return 1 ;;
	esac
}

# A function of this type is accepted as the argument
is_callback() {
	local name type

	name=$(sed -n '1s/.* \([A-Za-z]*\)(.*/\1/p' "$1")
	case $name in
	EnableCallback) type=PENABLECALLBACK ;;
	RequestAddress) type=WMIDPREQUEST ;;
	esac
	{
		printf '#include <%s>\n' evntprov.h evntrace.h
		cat "$1"
		echo "extern $type callback; $type callback = $name;"
	} > "$dir/callback.c"
	cc "${strict[@]}" -c "$dir/callback.c" -o "$dir/callback.o" $(flags)
}

# The methods of interfaces, or one that a program defines
are_methods() {
	{
		echo '#include <relogger.h>'
		if grep -q '::' "$1"; then
			sed -E ':a; N; $!ba; s/\n +/ /g' "$1" |
				sed -nE 's/^HRESULT (I[A-Za-z]*)::([A-Za-z]*)(\(.*\))$/HRESULT (\1::*m_@)\3 = \&\1::\2;/p' |
				awk '{ sub(/@/, NR); print }'
		else
			echo 'struct Example : ITraceEventCallback {'
			cat "$1"
			echo '};'
		fi
	} > "$dir/methods.cc"
	cat "$dir/methods.cc"
	[ "$(grep -c '= &' "$dir/methods.cc")" = "$(grep -c '::' "$1")" ] &&
	c++ "${strict[@]}" -c "$dir/methods.cc" -o "$dir/methods.o" $(flags)
}

man=$repo/doc/man
if ! { stage lib && stage tdh; } > "$dir/.tap" 2>&1; then
	cat "$dir/.tap" >&2
	exit 1
fi
make_pkg_config
take_pieces
for page in "$man"/*.3; do
	check "${page##*/}: functions are declared as in the page" \
		as_declared "$page"
done
for piece in "$pieces"/*; do
	check "${piece##*/}: $(head -n 1 "$piece" | cut -c1-50) ..." look_at "$piece"
done
for document in "$repo"/*.md "$repo"/doc/*.md; do
	check "${document##*/}: links lead to files" are_links "$document"
	while IFS= read -r command; do
		check "${document##*/}: there is such a thing: ${command%% *#*}" \
			is_there "$command"
	done < <("$repo/selftests/package/extract" "$document" |
		sed -nE 's/^[0-9]+\tline\t((make [a-z]|scripts\/).*)/\1/p' |
		grep -vE '&&|^make (modules|server)( |$)')
done
done_testing
