#!/bin/bash
# SPDX-License-Identifier: MIT
# evnt doctor without the module: the reason, and what to do.  Folders simulate
# the systems.
set -u

# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"
root=$dir/root
kernel=6.1.0-99-test
modules=$root/lib/modules/$kernel

[ -x "$evnt" ] || skip_all "$evnt is not built"

doctor() {
	"$evnt" doctor --root "$root" --kernel "$kernel" "$@" \
		>"$dir/out" 2>"$dir/err"
	status=$?
}

# Check that the doctor exits with $2 and prints $3: the state, the subject, and
# words
says() {
	doctor
	check "$1: the state is reported" grep -qE "^$3" "$dir/out"
	check "$1: the exit status is $2" [ "$status" = "$2" ]
}

advises() {
	check "$1: the remedy is printed" grep -qE -- "-> .*$2" "$dir/out"
}

# Make a file like a module; $1: the kernel that it was built for
make_module() {
	printf '\177ELF...\0version=0.1.0\0srcversion=%s\0vermagic=%s SMP\0%s' \
		A1B2 "$1" "${2:-}" >"$modules/updates/dkms/evntprov.ko"
}

mkdir -p "$root/sys/module"
says "a module that is not installed" 1 \
	"PROBLEM +module +not loaded, and not installed for this kernel, $kernel"
advises "a module that is not installed" "install the package evntprov-dkms"

mkdir -p "$root/lib/modules/5.0/extra"
touch "$root/lib/modules/5.0/extra/evntprov.ko.xz"
says "a module for another kernel" 1 \
	"PROBLEM +module +not loaded; it is installed for kernel 5.0, but not"

mkdir -p "$root/var/lib/dkms/evntprov/0.1.0/source" \
	"$root/var/lib/dkms/evntprov/kernel-5.0-x86_64"
says "a module in DKMS without headers of the kernel" \
	1 "PROBLEM +module .* has version 0.1.0, but"
advises "a module in DKMS without headers of the kernel" \
	"apt install linux-headers-$kernel"
mkdir -p "$modules/build"
touch "$modules/build/Makefile"
says "a module that DKMS has not built" 1 "PROBLEM +module .* has not built it"
advises "a module that DKMS has not built" \
	"run 'dkms install evntprov/0.1.0 -k $kernel'"
mkdir -p "$root/var/lib/dkms/evntprov/0.1.0/build"
touch "$root/var/lib/dkms/evntprov/0.1.0/build/make.log"
says "a module that DKMS failed to build" \
	1 "PROBLEM +module .* has not built it"
advises "a module that DKMS failed to build" "0.1.0/build/make.log says why"

mkdir -p "$modules/updates/dkms"
make_module "$kernel"
says "an installed module unknown to depmod" 1 \
	"PROBLEM +module +not loaded, though installed: '.*evntprov.ko'"
advises "an installed module unknown to depmod" \
	"run 'depmod' and then 'modprobe evntprov' as root"
echo "updates/dkms/evntprov.ko:" >"$modules/modules.dep"
says "an installed module that is not loaded" \
	1 "PROBLEM +module +not loaded, though"
advises "an installed module that is not loaded" \
	"run 'modprobe evntprov' as root"
make_module 5.0
says "an installed module for another kernel" 1 \
	"PROBLEM +module .* was built for kernel 5.0, and this is $kernel"
advises "an installed module for another kernel" "dkms install --force"
make_module "$kernel"

mkdir -p "$root/sys/module/module/parameters"
echo Y >"$root/sys/module/module/parameters/sig_enforce"
says "a kernel that requires signatures" 1 \
	"PROBLEM +signature +this kernel takes signed modules only; .* no signature"
advises "a kernel that requires signatures" "mokutil --import"
make_module "$kernel" $'~Module signature appended~\n'
says "a kernel that requires signatures, and a signed module" \
	1 "note +signature +this kernel takes"
echo N >"$root/sys/module/module/parameters/sig_enforce"
doctor
check "signatures are not mentioned if the kernel does not require them" \
	test 0 = "$(grep -c signature "$dir/out")"
mkdir -p "$root/sys/firmware/efi/efivars"
printf '\6\0\0\0\1' >"$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
says "Secure Boot" 1 "note +signature +Secure Boot is on"

rm -r "$root/sys"
says "a module in an image" 0 "ok +module +installed: "
mkdir "$root/sys" "$root/sys/module" "$root/sys/module/evntprov"
echo 0.1.0 >"$root/sys/module/evntprov/version"
echo A1B2 >"$root/sys/module/evntprov/srcversion"
says "a loaded module" 0 "ok +module +loaded: version 0.1.0"
check "a loaded module is reported as installed" \
	grep -qE "^ok +module +installed for this" "$dir/out"
echo C3D4 >"$root/sys/module/evntprov/srcversion"
says "another version than the loaded one" \
	0 "note +module +another version is installed"

parameters=$root/sys/module/evntprov/parameters
clock=$root/sys/devices/system/clocksource/clocksource0
doctor
check "a module without rings is not mentioned" test 0 = "$(grep -c rings "$dir/out")"
mkdir -p "$parameters" "$clock" "$root/sys/kernel/debug/evntprov"
echo N >"$parameters/rings"
echo Y >"$parameters/rings_counter"
says "rings that are off" 0 "note +rings +off: threads write each event"
advises "rings that are off" "'echo Y > /sys/module/evntprov/parameters/rings'"
check "the clock of rings that are off is not mentioned" \
	test 1 = "$(grep -c "rings  " "$dir/out")"
echo Y >"$parameters/rings"
echo tsc >"$clock/current_clocksource"
printf 'files 2\nrings 3\n' >"$root/sys/kernel/debug/evntprov/counts"
says "rings that are on" 0 \
	"ok +rings +on: 3 of [0-9]+ are in use, with 168 KiB; a process may"
check "the counter of the processor is reported" \
	grep -qE "^ok +rings +threads read the time from the processor's" "$dir/out"
echo arch_sys_counter >"$clock/current_clocksource"
echo arch_sys_counter >"$clock/available_clocksource"
says "the counter of arm64" 0 \
	"ok +rings +threads read the time from .* \(arch_sys_counter\), as"
doctor --json
check "--json names the counter" grep -q '"clock":"arch_sys_counter"' "$dir/out"
echo kvm-clock >"$clock/current_clocksource"
echo "tsc-early kvm-clock acpi_pm" >"$clock/available_clocksource"
says "another clock source" 0 \
	"note +rings +.* by clock_gettime\(\), as the .* is kvm-clock, not"
check "a counter that the kernel does not have is not suggested" \
	test 0 = "$(grep -c "echo tsc" "$dir/out")"
echo "kvm-clock tsc acpi_pm" >"$clock/available_clocksource"
says "another clock source than the counter" 0 "note +rings +.* is kvm-clock"
advises "another clock source than the counter" \
	"'echo tsc > /sys/devices/.*/current_clocksource'"
echo N >"$parameters/rings_counter"
says "rings_counter that is off" 0 "note +rings +.*: rings_counter is off"
advises "rings_counter that is off" "'echo Y > .*/rings_counter'"
printf 'rings 64\n' >"$root/sys/kernel/debug/evntprov/counts"
EVNTPROV_RINGS=off says "all rings in use" 0 \
	"note +rings +on: all [0-9]+ are in use, with 3584 KiB"
check "EVNTPROV_RINGS=off is reported" \
	grep -qE "^note +rings +EVNTPROV_RINGS is off: programs" "$dir/out"
advises "EVNTPROV_RINGS=off" "'unset EVNTPROV_RINGS'"
EVNTPROV_RINGS=force doctor --json
check "EVNTPROV_RINGS=force is reported" \
	grep -qE '"state":"ok","text":"EVNTPROV_RINGS is force' "$dir/out"
check "--json contains the number of rings" \
	grep -qE '"rings":64,"max_rings":[0-9]+,"kb":3584' "$dir/out"
check "--json contains their clock" grep -q '"clock":"clock_gettime"' "$dir/out"
EVNTPROV_RINGS=no says "an unknown value of EVNTPROV_RINGS" 0 \
	"note +rings +EVNTPROV_RINGS is 'no', which has no effect"
rm -r "$parameters"
rm "$modules/updates/dkms/evntprov.ko"
says "a loaded module that is not installed" \
	0 "note +module +not installed for this kernel"

mkdir -p "$root/etc/evntprov/autologger.d"
printf 'Guid = {4b1f6e0e-6f0c-4c7e-9d7e-6d1a5f0b2c11}\nStart = 1\n' \
	>"$root/etc/evntprov/autologger.d/boot.conf"
says "descriptions of sessions without a helper" \
	1 "PROBLEM +autologger .* but no /usr/sbin"
mkdir -p "$root/usr/sbin"
touch "$root/usr/sbin/evnt-autologger"
says "descriptions of sessions" \
	0 "ok +autologger +1 of 1 described sessions start"
echo 'Start = perhaps' >"$root/etc/evntprov/autologger.d/wrong.conf"
says "a wrong description of a session" 1 "PROBLEM +autologger .* are wrong"
advises "a wrong description of a session" "evnt autologger check"

doctor --json
check "--json has the same exit status" [ "$status" = 1 ]
check "--json prints an object for each check" grep -qE \
	'^\{"check":"autologger","state":"problem","text":".*","advice":".*"\}$' \
	"$dir/out"
"$evnt" doctor '*A' session more >"$dir/out" 2>"$dir/err"
check "too many arguments are misuse" [ $? = 2 ]
"$evnt" doctor --level 3 >"$dir/out" 2>"$dir/err"
check "an event without a provider is misuse" [ $? = 2 ]
check "an event without a provider is reported" \
	grep -q "of which provider is the event" "$dir/err"
"$evnt" doctor --level quiet '*A' >"$dir/out" 2>"$dir/err"
check "an unknown level is misuse" [ $? = 2 ]
"$evnt" doctor --keyword all '*A' >"$dir/out" 2>"$dir/err"
check "wrong keywords are misuse" [ $? = 2 ]
doctor '*A'
check "a provider of another root is misuse" [ "$status" = 2 ]

done_testing
