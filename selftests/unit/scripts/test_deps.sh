#!/bin/bash
# SPDX-License-Identifier: MIT
# make names missing programs and libraries, and installs nothing; "make deps"
# installs them where there is a package manager.
# shellcheck disable=SC2317 # called by their names
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

# Without jobs, targets and folders of the make that runs this test
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CC PKG_CONFIG PARTS
tree=$dir/tree
calls=$dir/calls
mkdir "$tree"
for part in Makefile scripts lib tdh tools babeltrace system module uapi; do
	cp -r "$repo/$part" "$tree"
done

# Make a folder of commands, for PATH: all except the named ones
commands_without() {
	local to=$dir/$1 name folder

	shift
	mkdir -p "$to"
	while read -r -d : folder; do
		[ -d "$folder" ] || continue
		ln -sn -t "$to" "$folder"/* 2> /dev/null
	done <<< "$PATH:"
	for name; do
		# shellcheck disable=SC2086 # a pattern
		rm -f "$to"/$name
	done
}

# Put a command into the folder that records its call, then runs standard input
stub() {
	rm -f "$dir/$1/$2"
	{
		echo "#!/bin/bash"
		echo "echo \"$2 \$*\" >> '$calls'"
		cat
	} > "$dir/$1/$2"
	chmod +x "$dir/$1/$2"
}

# The real pkg-config, except for one library
hide_module() {
	local real

	real=$(command -v pkg-config)
	rm -f "$dir/$1/pkg-config"
	cat > "$dir/$1/pkg-config" <<-END
	#!/bin/bash
	case "\$*" in *$2*) exit 1 ;; esac
	exec $real "\$@"
	END
	chmod +x "$dir/$1/pkg-config"
}

# Run make, which must fail; its errors are in $dir/err
make_fails() {
	local commands=$1

	shift
	rm -f "$calls"
	! PATH=$dir/$commands make -C "$tree" O="$dir/build" "$@" \
		> "$dir/out" 2> "$dir/err"
}

# The only line that names a missing thing and its package
names() {
	[ "$(grep -cxF "deps: missing: $1 (Debian: $2)" "$dir/err")" = 1 ]
}

number_named() {
	[ "$(grep -c "deps: missing:" "$dir/err")" = "$1" ]
}

commands_without bare 'apt*' 'dpkg*' sudo
hide_module bare json-c

without_json() {
	make_fails "$@" && number_named 1 &&
		names "pkg-config's module json-c" libjson-c-dev
}

nothing_is_built() {
	[ ! -e "$dir/build" ]
}

check "make names the missing module of pkg-config, without apt and dpkg" without_json bare
check "make install names the missing module, too" without_json bare install
check "make names the command that installs it" \
	grep -qF 'on Debian, make deps installs libjson-c-dev' "$dir/err"
check "make builds nothing when something is missing" nothing_is_built

deps_lists_and_fails() {
	make_fails bare deps && names "pkg-config's module json-c" libjson-c-dev &&
		grep -q 'nothing is installed' "$dir/err"
}
check "make deps lists missing packages and fails without apt" deps_lists_and_fails

# It exits after the first file
# shellcheck disable=SC2016 # an argument of the command
stub bare cc <<< '[ "$1" = -fsyntax-only ]'
library_alone() {
	make_fails bare lib && number_named 0 && grep -q -- '^cc .*-c ' "$calls"
}
check "make lib builds without the dependencies of the tools" library_alone

# A cross compiler
compiles_for() {
	stub bare cc <<-END
	[ "\$1" != -dumpmachine ] || echo $1-linux-gnu
	[ "\$1" = -fsyntax-only ] || [ "\$1" = -dumpmachine ]
	END
	make_fails bare lib && grep -q -- '^cc .*-c ' "$calls"
}
flags_of_the_target() {
	compiles_for x86_64 && grep -q -- -mtls-dialect=gnu2 "$calls" &&
		compiles_for aarch64 && ! grep -q -- -mtls-dialect "$calls"
}
check "make lib passes the target's flags to the compiler" flags_of_the_target

stub bare cc <<< 'exit 1'
without_header() {
	make_fails bare lib && number_named 1 &&
		names "the header stdlib.h" libc6-dev
}
check "make names a missing header" without_header

rm "$dir/bare/cc" "$dir/bare/protoc-c"
without_commands() {
	make_fails bare && number_named 3 && names "the command cc" gcc &&
		names "the command protoc-c" protobuf-c-compiler
}
check "make names missing commands" without_commands

without_kernel_headers() {
	make_fails bare modules KDIR="$dir/nowhere" CC=true &&
		names "the file $dir/nowhere/Makefile" "linux-headers-$(uname -r)"
}
check "make modules names the missing headers of the kernel" without_kernel_headers

# A Debian system with nothing installed
commands_without debian
hide_module debian json-c
stub debian dpkg-query <<< 'exit 1'
stub debian apt-get <<< 'exit 0'
stub debian sudo <<< '"$@"'

nothing_is_called() {
	without_json debian && [ ! -e "$calls" ] &&
		without_json debian install && [ ! -e "$calls" ]
}
check "make calls no package manager where there is one" nothing_is_called

deps_installs() {
	PATH=$dir/debian make -C "$tree" deps > "$dir/out" 2> "$dir/err" &&
		grep -q '^apt-get .*install.* libjson-c-dev' "$calls" &&
		! grep -q qemu "$calls" &&
		PATH=$dir/debian make -C "$tree" deps PARTS=machine \
			> "$dir/out" 2> "$dir/err" &&
		grep -q '^apt-get .*install.* qemu-system-x86' "$calls"
}
check "make deps installs the packages of the parts, where there is apt" deps_installs
done_testing
