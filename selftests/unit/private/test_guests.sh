#!/bin/bash
# SPDX-License-Identifier: MIT
# Unrelated programs with a preloaded provider: each has the same output and
# exit status alone, with the provider, and recorded in process; and each event
# that the provider wrote is in its logs, or counted there as lost.
#
# The programs are in packages of Debian: scripts/deps guests installs them.
# With FULL=1 there are more of them.
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

preload=$build/unit/guest_provider.so
provider=d4a2f7c1-6f0e-4a31-9b7a-6775657374a1
SLOT=24 SLOTS=4096

[ -x "$evnt" ] || skip_all "$evnt is not built"
[ -e "$preload" ] || skip_all "$preload is not built"
[ -e /dev/evntprov ] && skip_all "the module is loaded here"
cd "$dir" || exit 1
export LC_ALL=C HOME=$dir TMPDIR=$dir

# The guests.  Their output must not depend on time, or on process ids.

guest_sqlite() {
	sqlite3 :memory: <<- 'END'
	create table t(id integer primary key, a text, b real);
	with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000)
		insert into t select i, hex(i * 7919 % 10007), i / 3.0 from n;
	create index i on t(a);
	select count(*), sum(length(a)), round(avg(b), 3) from t;
	select a, count(*) from t group by a order by 2 desc, 1 limit 5;
	select nothing from t;
	END
}

guest_python() {
	python3 - <<- 'END'
	import hashlib, json, os, subprocess, sys, threading, zlib
	results = {}
	def work(n):
	    data = b"x" * 100000
	    for i in range(40):
	        data = zlib.compress(hashlib.sha256(data).digest() * 3000)
	    results[n] = len(data)
	threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
	for t in threads: t.start()
	for t in threads: t.join()
	print(json.dumps(results, sort_keys=True))
	print(subprocess.run(["sh", "-c", "echo child; exit 3"]).returncode, flush=True)
	pid = os.fork()
	if not pid:
	    work(9)
	    sys.exit(results[9] > 0)
	print(os.waitpid(pid, 0)[1])
	os.closerange(3, 1000)
	for n in range(20): work(n)
	print([fd for fd in range(64) if os.path.exists("/proc/self/fd/%d" % fd)])
	sys.exit(7)
	END
}

# shellcheck disable=SC2016 # it is the guest that expands
guest_dash() {
	dash -c '
	trap "echo over" EXIT
	i=0
	while [ $i -lt 3000 ]; do i=$((i + 1)); set -- "$@" $i; done
	echo $#
	for n in 1 2 3 4 5 6 7 8; do
		(echo $n | tr 1-8 a-h | sed s/a/z/) || exit 9
	done
	echo "$(kill -s TERM $$ & wait; sleep 0; echo sub)"' 2>&1
}

guest_gcc() {
	printf '%s\n' '#include <stdio.h>' '#include <stdlib.h>' \
		'static int by(const void *a, const void *b)' \
		'{ return *(const int *)a - *(const int *)b; }' \
		'int main(void) { int x[999]; for (int i = 0; i < 999; i++)' \
		'x[i] = i * 7919 % 1009; qsort(x, 999, sizeof(*x), by);' \
		'printf("%d %d\n", x[0], x[998]); return x[1]; }' > sort.c
	gcc -O2 -pipe -o sort sort.c
	echo "gcc: $?"
	./sort
	echo "sort: $?"
	gcc -c -o none.o none.c
}

# It denies itself most system calls
guest_file() {
	file --version | head -n 1
	file -b "$evnt" /bin/sh "$0" /etc/passwd /dev/null
}

guest_perl() {
	perl -e 'my %h; $h{$_ * 7919 % 100003} = $_ for 1 .. 60000;
		my $s = 0; $s += $_ for sort { $a <=> $b } keys %h; print "$s\n";
		my $pid = fork; exit 4 unless $pid; waitpid $pid, 0;
		print $? >> 8, "\n"; $SIG{ALRM} = sub { print "alarm\n" };
		kill "ALRM", $$; exec "sh", "-c", "echo exec; exit 5"'
}

guest_git() {
	git init -q repository && cd repository && git config user.name n &&
		git config user.email e && seq 5000 > file && git add file &&
		GIT_AUTHOR_DATE=@1 GIT_COMMITTER_DATE=@1 git commit -qm one &&
		git log --format=%H && git fsck 2>&1
	cd .. && rm -rf repository
}

guest_xz() { seq 60000 | xz -T2 -3 | xz -dc | sha256sum; }
guest_openssl() { seq 9999 | openssl dgst -sha512; openssl rand -hex 4 | wc -c; }
# shellcheck disable=SC2016 # these are Tcl's variables
guest_tcl() { echo 'set s 0; for {set i 0} {$i < 200000} {incr i} {incr s $i}; puts $s; exit 6' | tclsh; }
guest_bc() { echo 'scale=400; 4*a(1)' | bc -l; }
guest_awk() { seq 100000 | mawk '{ s += $1; h[$1 % 97]++ } END { print s, h[5] }'; }
guest_tar() { tar -C "$repo" -cf - doc | tar -tf - | sort | sha256sum; }
guest_jq() { seq 20000 | jq -s 'map(. * 3) | add'; }
guest_make() {
	printf 'all: a b c\na b c:\n\t@echo $@\nbad:\n\t@false\n' > Makefile
	make -rs -j1 all bad
}
guest_find() { find "$repo/doc" -type f -name '*.[1-9]' | sort | xargs -n 20 wc -l | tail -n 1; }
guest_sort() { seq 60000 | sort -R --random-source=/bin/sh | sort -n --parallel=2 -S 1M | sha256sum; }
guest_node() { node -e 'console.log([...Array(1e5).keys()].reduce((a, b) => a + b)); process.exit(8)'; }
guest_man() { man -l "$repo/doc/man/evnt.1" 2>&1; }
guest_xmllint() { xmllint --noout --version 2>&1 | head -n 1; echo '<a><b/></a>' | xmllint --format -; }

# All memory, including the library's, is from another allocator
guest_jemalloc() {
	LD_PRELOAD=libjemalloc.so.2${LD_PRELOAD:+:$LD_PRELOAD} guest_python
}

guests=(sqlite:sqlite3 python:python3 dash:dash gcc:gcc file:file)
[ -z "${FULL:-}" ] || guests+=(perl:perl git:git xz:xz openssl:openssl tcl:tclsh bc:bc
	awk:mawk tar:tar jq:jq make:make find:find sort:sort node:node man:man
	xmllint:xmllint jemalloc:so:libjemalloc.so.2)

# Add up the milliseconds of CPU of this shell's children: a pipe or a
# substitution would count in a subshell
cpu=0
cpu_ms() {
	local word seconds

	times > cpu
	cpu=0
	for word in $(tail -n 1 cpu); do
		seconds=${word#*m}
		seconds=${seconds%s}
		cpu=$((cpu + 60000 * ${word%m*} + 10#${seconds/./}))
	done
}

# Run a guest into NAME.out, with settings in the environment.  Processes in a
# sandbox, like those of man, may report that they cannot be recorded.
run() {
	local name=$1 guest=$2 set

	shift 2
	(
		for set; do
			export "${set?}"
		done
		"guest_$guest"
	) > printed 2>&1 < /dev/null
	echo "status $?" >> printed
	grep -av '^evntprov: .*: \(cannot be\|cannot start\|Function not\)' printed > "$name.out"
}

# For each process that called exit(): its pid, the number of events it wrote,
# and the number of further events that it may have written as another program,
# before exec()
ended() {
	python3 - counts << 'END'
import struct, sys
sums = {}
for pid, ended, written, refused in struct.iter_unpack("<iIQQ", open(sys.argv[1], "rb").read()):
    if pid:
        known, more = sums.get(pid, (0, 0))
        count = written + refused
        sums[pid] = (known + count, more) if ended else (known, more + count)
for pid, (known, more) in sums.items():
    print(pid, known, more)
END
}

# For each log: the process, the number of its events, and of lost ones
kept() {
	local log

	for log in log.etl*; do
		[ -e "$log" ] || continue
		"$evnt" dump -p "$provider" --json "$log" > one.json
		[ ! -s one.json ] || echo "$(head -n 1 one.json | jq .pid) $(
			wc -l < one.json) $("$evnt" stat --json "$log" | jq .lost.events)"
	done
}

# Each process that called exit() has all of its events in its logs, or counted
# there as lost.
all_are_counted() {
	local sum=0 missing=0 pid written more number events lost count

	kept > logs
	while read -r pid written more; do
		[ "$written" != 0 ] || continue
		count=0
		while read -r number events lost; do
			[ "$number" != "$pid" ] || count=$((count + events + lost))
		done < logs
		sum=$((sum + written))
		[ $count -le $((written + more)) ] ||
			{ echo "$pid: $count are more than $written"; return 1; }
		[ $count -ge "$written" ] || missing=$((missing + written - count))
	done < <(ended)
	echo "$sum events, of which $missing are missing"
	[ $sum -gt 0 ] && [ $missing -eq 0 ]
}

same() {
	diff -u "$1.out" "$2.out"
}

# $1: a command, or a library after so:
is_there() {
	case $1 in
	so:*) PATH=$PATH:/sbin ldconfig -p | grep -qF "${1#so:}" ;;
	*) type -P "$1" > /dev/null ;;
	esac
}

try() {
	local guest=$1 program=$2 at=()

	if ! is_there "$program"; then
		skip "$guest: $program is not installed: scripts/deps guests"
		return
	fi
	rm -f log.etl*
	cpu_ms; at+=("$cpu")
	run plain "$guest"
	cpu_ms; at+=("$cpu")
	truncate -s 0 counts
	truncate -s $((SLOT * SLOTS)) counts
	run loaded "$guest" LD_PRELOAD="$preload" GUEST_COUNTS="$dir/counts"
	cpu_ms; at+=("$cpu")
	check "$guest: a registered provider does not change the output" \
		same plain loaded
	cpu_ms; at+=("$cpu")
	run recorded "$guest" LD_PRELOAD="$preload" GUEST_COUNTS="$dir/counts" \
		EVNTPROV_LOG="$dir/log.etl" EVNTPROV_PROVIDERS="$provider" \
		EVNTPROV_LOG_OPTIONS=buffer-size=8
	cpu_ms; at+=("$cpu")
	check "$guest: recording does not change the output" same plain recorded
	check "$guest: each event is kept or counted as lost" all_are_counted
	echo "# $guest: $((at[1] - at[0])) ms, $((at[2] - at[1])) ms with a provider," \
		"$((at[4] - at[3])) ms recorded: $(tail -n 1 "$dir/.tap")"
}

for guest in "${guests[@]}"; do
	try "${guest%%:*}" "${guest#*:}"
done
done_testing
