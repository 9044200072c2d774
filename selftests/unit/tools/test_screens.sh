#!/bin/bash
# SPDX-License-Identifier: MIT
# Each verb that needs no module prints the same screen as in screens/, byte by
# byte, on a terminal of 80 columns. evnt_screens.sh has the verbs that need it.
#
#	EVNT_GOLDEN=1	write these files, to be looked at before a commit
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

golden=$repo/selftests/unit/tools/screens
export TZ=UTC LC_ALL=C.UTF-8 COLUMNS=80 EVNTPROV_MANIFESTS=$dir
unset NO_COLOR
cd "$dir" || exit 1

make_log() {
	"$build/unit/log_maker" server.etl <<- 'END'
	header events=3 buffers=1
	process pid=907 name=server
	event time=1000 pid=907 tid=907 level=4 op=1 act=0xa name=Request u32:Number=0 str:Path=/page/33
	event time=1500 pid=907 tid=907 level=5 act=0xa name=Lookup str:Path=/page/33 bool:Hit=0
	event time=2000 pid=907 tid=907 level=4 op=1 act=0xb rel=0xa name=Read str:Path=/page/33
	event time=3000 pid=907 tid=907 level=3 act=0xb name=Slow_disk str:Path=/page/33
	event time=204000 pid=907 tid=907 level=4 op=2 act=0xb name=Read u32:Size=29403
	event time=205000 pid=907 tid=907 level=4 op=2 act=0xa name=Request u32:Size=29403 i32:Status=200
	event time=206000 pid=908 tid=910 level=2 id=7 task=3 raw=0123456789
	event time=10038400 pid=907 tid=907 level=4 op=1 act=0xc name=Request u32:Number=1 str:Path=/page/7
	END
}

# Show a command with its output, its errors, and its exit status unless 0
show() {
	printf '$ evnt'
	printf ' %q' "$@"
	echo
	# A command reads no terminal
	"$evnt" "$@" < /dev/null 2>&1 || echo "exit status $?"
	echo
}

# Compare commands, one a line of standard input, with the file of that name
screen() {
	local words

	while read -r words; do
		eval "show $words"
	done > "$dir/$1.txt"
	[ -z "${EVNT_GOLDEN:-}" ] || cp "$dir/$1.txt" "$golden/$1.txt"
	check "$1: the screen is the same as in screens/$1.txt" \
		diff -u "$golden/$1.txt" "$dir/$1.txt"
}

# Lines of these screens fit; $2: columns
fits() {
	is "$(awk -v most="$2" 'length > most' "$golden/$1.txt")" "" \
		"$1: no line is longer than $2 columns"
}

check "a log is made" make_log
screen overview <<- 'END'
	--help
	help all
	dumb
	stat --no
END
fits overview 80
screen dump <<- 'END'
	dump server.etl
	dump --level Warning server.etl
	dump --since +0.5 --pid 907 server.etl
	dump --where 'Size > 1000' server.etl
	dump --where 'Sise > 1000' server.etl
	dump none.etl
END
fits dump 100
screen forms <<- 'END'
	dump --format full --limit 3 server.etl
	dump --format json --limit 2 server.etl
	dump --format csv --limit 2 server.etl
	dump --format xml --limit 1 server.etl
END
screen stat <<- 'END'
	stat server.etl
END
fits stat 100
screen activities <<- 'END'
	activities server.etl
	activities --top 1 --events server.etl
	activities --min-duration 1s server.etl
END
screen files <<- 'END'
	merge -o both.etl server.etl server.etl
	export --perfetto -o server.pftrace server.etl
	export --folded -o server.folded server.etl
	report -o server.html server.etl
END
fits files 80
mkdir autologger.d
cat > autologger.d/boot.conf <<- 'END'
	Guid = {4b1f6e0e-6f0c-4c7e-9d7e-6d1a5f0b2c11}
	Start = 1
	[*My-First-Provider]
	Enabeld = 1
END
screen autologger <<- 'END'
	autologger list --folder autologger.d
	autologger check --folder autologger.d
	autologger list --folder none
END
mkdir -p root/dev root/lib/modules
mkdir -p with/etc with/sys/module/evntprov/parameters
echo 0.1.0 > with/sys/module/evntprov/version
echo N > with/sys/module/evntprov/parameters/rings
screen doctor <<- 'END'
	doctor --root root --kernel 6.1.0
	doctor --root with --kernel 6.1.0
END

# Print the lines of helps that do not fit
wide_helps() {
	local verb

	for verb in $("$evnt" help all | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p'); do
		"$evnt" help "$verb" | awk -v verb="$verb" 'length > 80 {
			print verb ": " $0 }'
	done
}
is "$(wide_helps)" "" "the help of each verb fits in 80 columns"
done_testing
