# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Unrelated programs with a preloaded provider, which guest_provider.c contains:
# each has the same output and exit status alone, with the provider, recorded in
# process, and recorded by the module if that is loaded.  Each event that the
# provider wrote is in a log, or counted there as lost.
#
# The programs are in packages of Debian: scripts/deps guests installs them.
# There are five; with FULL=1, twenty.  After tap.bash:
#
#	try_guests guest_provider.so
FULL=${FULL:-0}
provider=d4a2f7c1-6f0e-4a31-9b7a-6775657374a1
SLOT=40 SLOTS=4096
# The compiler itself, and not the cache that the gate has in front of it
PATH=${PATH#/usr/lib/ccache:}
# Work of the guests that the gate also runs, which has emulated processors
rows=$((FULL ? 40000 : 4000)) rounds=$((FULL ? 16 : 2))

# The guests.  Their output must not depend on time, or on process ids.

# A database, which checks itself
guest_sqlite() {
	sqlite3 :memory: <<- END
	create table t(id integer primary key, a text, b real);
	with recursive n(i) as (select 1 union all select i + 1 from n where i < $rows)
		insert into t select i, hex(i * 7919 % 10007), i / 3.0 from n;
	create index i on t(a);
	select count(*), sum(length(a)), round(avg(b), 3) from t;
	select a, count(*) from t group by a order by 2 desc, 1 limit 5;
	pragma integrity_check;
	.selftest --init
	.selftest
	select nothing from t;
	END
}

# Threads, children, and descriptors that the program did not open
guest_python() {
	/usr/bin/python3 - "$rounds" <<- 'END'
	import hashlib, json, os, subprocess, sys, threading, zlib
	results = {}
	def work(n):
	    data = b"x" * 100000
	    for i in range(int(sys.argv[1])):
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
	for n in range(5): work(n)
	print([fd for fd in range(64) if os.path.exists("/proc/self/fd/%d" % fd)])
	sys.exit(7)
	END
}

# shellcheck disable=SC2016 # it is the guest that expands
guest_dash() {
	dash -c '
	trap "echo over" EXIT
	i=0
	while [ $i -lt 800 ]; do i=$((i + 1)); set -- "$@" $i; done
	echo $#
	for n in 1 2 3 4; do
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

# Its processes deny themselves most system calls
guest_man() {
	printf '%s\n' '.TH guest 1' '.SH NAME' 'guest \- page' > guest.1
	man -l guest.1 2>&1
}

# A sandbox whose program must not call ioctl(): by three instructions of seccomp
guest_bwrap() {
	printf '\40\0\0\0\0\0\0\0\25\0\0\1\20\0\0\0\6\0\0\0\1\0\5\0\6\0\0\0\0\0\377\177' > filter
	bwrap --dev-bind / / --unshare-ipc --seccomp 10 10< filter \
		sh -c 'seq 30000 | sort -r | tail -n 1; stty size; exit 3'
}

# Another user calls programs that run with the rights of root
guest_setuid() {
	runuser -u nobody -- sh -c '
		id -u; chage -l nobody; passwd -S nobody; umount /nowhere
		newgrp root < /dev/null; exit 5'
}

# Forks for each connection
guest_socat() {
	local pid n

	rm -f socket
	socat UNIX-LISTEN:socket,fork PIPE &
	pid=$!
	until [ -S socket ]; do sleep 0.1; done
	for n in {1..20}; do
		echo "connection $n" | socat -t 60 - UNIX-CONNECT:socket
	done
	kill $pid
	wait $pid
}

# A web server under load
guest_nginx() {
	local pid port=$((20000 + $$ % 20000))

	mkdir -p nginx/logs nginx/html
	seq 5000 > nginx/html/file
	cat > nginx/conf <<- END
	daemon off; worker_processes 2; pid nginx.pid; error_log stderr crit;
	events { worker_connections 64; }
	http {
		access_log logs/access;
		client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp;
		uwsgi_temp_path tmp; scgi_temp_path tmp;
		server { listen 127.0.0.1:$port; root html; gzip on; gzip_types *; }
	}
	END
	nginx -p "$PWD/nginx" -e stderr -c "$PWD/nginx/conf" &
	pid=$!
	until ab -q -n 1 "http://127.0.0.1:$port/file" > /dev/null 2>&1; do
		sleep 0.1
	done
	ab -q -n 600 -c 8 -H 'Accept-Encoding: gzip' "http://127.0.0.1:$port/file" |
		grep -E '^(Document Length|Complete|Failed|Non-2xx|HTML)'
	kill -QUIT $pid
	wait $pid
	echo "nginx: $?"
	wc -l < nginx/logs/access
	rm -r nginx
}

# Another database under load, whose memory is from jemalloc
guest_redis() {
	local pid server=(redis-cli -s redis.socket)

	redis-server --port 0 --unixsocket "$PWD/redis.socket" --save '' \
		--io-threads 2 > redis.log 2>&1 &
	pid=$!
	until "${server[@]}" ping 2> /dev/null | grep -q PONG; do sleep 0.1; done
	redis-benchmark -s redis.socket -n 1000 -c 8 -q -t set,incr,lpush > /dev/null
	echo "benchmark: $?"
	"${server[@]}" dbsize
	"${server[@]}" llen mylist
	"${server[@]}" bgsave
	until "${server[@]}" info persistence | grep -q bgsave_in_progress:0; do
		sleep 0.1
	done
	"${server[@]}" shutdown nosave
	wait $pid
	echo "redis: $?"
	redis-check-rdb dump.rdb | grep -o 'RDB looks OK'
	rm dump.rdb
}

# An interpreter's test suite
guest_python_tests() {
	/usr/bin/python3 -m test test_json test_zlib test_thread test_fork1 \
		test_queue test_threadsignals 2>&1 |
		grep -E '^(All|Tests result|test_.* (failed|crashed))'
}

# Suites of shell scripts
guest_shunit2() {
	local script

	mkdir -p suites
	cp -r /usr/share/doc/shunit2/examples suites/
	ln -sf /usr/share/shunit2/shunit2 suites/shunit2
	cd suites/examples || return
	for script in *_test.sh; do
		dash "./$script" 2>&1 < /dev/null
		echo "$script: $?"
	done
}

# A script of thousands of lines, which compiles programs
guest_configure() {
	printf '%s\n' 'AC_INIT([guest],[1])' AC_PROG_CC \
		'AC_CHECK_HEADERS([pthread.h nothing.h])' \
		'AC_CHECK_FUNCS([fork nothing])' AC_OUTPUT > configure.ac
	autoconf && ./configure 2>&1
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
# shellcheck disable=SC2016 # these are Tcl's variables
guest_tcl() { echo 'set s 0; for {set i 0} {$i < 200000} {incr i} {incr s $i}; puts $s; exit 6' | tclsh; }
guest_sort() { seq 60000 | sort -R --random-source=/bin/sh | sort -n --parallel=2 -S 1M | sha256sum; }
guest_node() { node -e 'console.log([...Array(1e5).keys()].reduce((a, b) => a + b)); process.exit(8)'; }

# All memory, including the library's, is from another allocator
guest_jemalloc() {
	LD_PRELOAD=libjemalloc.so.2${LD_PRELOAD:+:$LD_PRELOAD} guest_python
}

# Names of guests, and a command, a library after so: or a file after f: that
# they need
guests=(sqlite:sqlite3 python:/usr/bin/python3 dash:dash gcc:gcc man:man)
[ "$FULL" = 0 ] || guests+=(redis:redis-server nginx:ab bwrap:bwrap
	setuid:runuser socat:socat jemalloc:so:libjemalloc.so.2
	"python_tests:f:/usr/lib/$(readlink /usr/bin/python3)/test/test_thread.py"
	shunit2:f:/usr/share/doc/shunit2/examples configure:autoconf
	perl:perl git:git xz:xz tcl:tclsh sort:sort node:node)

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
run_guest() {
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

# Each event is in a log, or counted there as lost.  In process, that holds for
# processes that called exit().  A sandbox can refuse to write to the module: the
# writer has an error then.
all_are_counted() {
	local lost

	lost=$("$evnt" stat --json log.etl* | jq -s 'map(.lost.events) | add')
	"$evnt" dump -p "$provider" --json log.etl* |
		sed 's/.*"pid": *\([0-9]*\).*/\1/' > kept
	od -An -v -w$SLOT -td8 counts | awk -v lost="$lost" -v way="$1" \
			-v is_sandboxed="$2" '
		FILENAME == "-" && $1 {
			begun[$1] += $3
			all_begun += $3
			if ($2 || way == "module")
				written[$1] += $4
			refused += $5
		}
		FILENAME != "-" { kept[$1]++; all++ }
		END {
			for (pid in kept)
				if (kept[pid] > begun[pid])
					print pid ": more than " begun[pid], bad++
			for (pid in written)
				if (written[pid] > kept[pid])
					missing += written[pid] - kept[pid]
			printf "%d of %d events, %d lost, %d refused\n",
				all, all_begun, lost, refused
			exit !(all && !bad && missing <= lost &&
				all + lost <= all_begun && (refused <= lost ||
				way == "module" && is_sandboxed))
		}' - kept
}

same() {
	diff -u "$1.out" "$2.out"
}

is_there() {
	case $1 in
	so:*) PATH=$PATH:/sbin ldconfig -p | grep -qF "${1#so:}" ;;
	f:*) [ -e "${1#f:}" ] ;;
	*) type -P "$1" > /dev/null ;;
	esac
}

# Run a guest with the provider, by $1 as registered, in_process or module
run_with_provider() {
	local way=$1 guest=$2 settings=(GUEST_COUNTS="$dir/counts"
		LD_PRELOAD="$dir/libevntprov.so.1:$dir/guest_provider.so")

	rm -f log.etl* counts
	truncate -s $((SLOT * SLOTS)) counts
	chmod 666 counts
	if [ "$way" = in_process ]; then
		settings+=(EVNTPROV_LOG="$dir/log.etl" EVNTPROV_PROVIDERS="$provider"
			EVNTPROV_LOG_OPTIONS=buffer-size=8)
	elif [ "$way" = module ]; then
		"$evnt" start guests -o log.etl -p "$provider" > printed 2>&1 || return
	fi
	cpu_ms; at=$cpu
	run_guest "$way" "$guest" "${settings[@]}"
	cpu_ms
	[ "$way" != module ] || "$evnt" stop guests > printed 2>&1
}

try_guest() {
	local guest=$1 program=$2 at way text sandboxed=0

	case $guest in
	man | bwrap) sandboxed=1 ;;
	esac
	if ! is_there "$program"; then
		skip "$guest: $program is not installed: scripts/deps guests"
		return
	fi
	cpu_ms; at=$cpu
	run_guest alone "$guest"
	cpu_ms
	text="$(tail -n 1 alone.out), $((cpu - at)) ms of CPU"
	for way in registered in_process ${module:+module}; do
		run_with_provider "$way" "$guest"
		text+=", $((cpu - at)) $way"
		check "$guest: the output is the same alone and $way" same alone "$way"
		[ "$way" != registered ] || continue
		check "$guest: each event is kept or counted as lost, $way" \
			all_are_counted "$way" "$sandboxed"
		text+=" ($(tail -n 1 "$dir/.tap"))"
	done
	echo "# $guest: $text"
}

try_guests() {
	local guest

	cp "$build/lib/libevntprov.so.1" "$1" "$dir/"
	# The files are also another user's
	chmod 1777 "$dir"
	cd "$dir" || exit 1
	umask 0
	export LC_ALL=C HOME=$dir TMPDIR=$dir
	for guest in "${guests[@]}"; do
		try_guest "${guest%%:*}" "${guest#*:}"
	done
}
