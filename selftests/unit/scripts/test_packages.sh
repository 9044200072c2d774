#!/bin/bash
# SPDX-License-Identifier: MIT
# packages/ builds packages for other distributions through "make install", with
# no package manager of Debian in PATH.
# shellcheck disable=SC2034,SC2154,SC2317 # makepkg's variables; called by names
set -u
# shellcheck source=selftests/unit/common/tap.bash
. "$(dirname "$0")/../common/tap.bash"

# Without jobs, targets and folders of the make that runs this test
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES O
export CFLAGS=-O0
# Both packages are built from the same sources, in folders below this one
export CCACHE_BASEDIR=$dir
tree=evntprov-0.1.0
archive=$dir/$tree.tar.gz

# PATH without apt and dpkg
hide_debian() {
	local folder

	mkdir "$dir/bin"
	while read -r -d : folder; do
		[ -d "$folder" ] || continue
		ln -sn -t "$dir/bin" "$folder"/* 2> /dev/null
	done <<< "$PATH:"
	rm -f "$dir"/bin/apt* "$dir"/bin/dpkg*
	PATH=$dir/bin
	! type -P dpkg apt-get
}

make_archive() {
	git -C "$repo" ls-files -z |
		tar -C "$repo" --null -T - --transform "s,^,$tree/," -czf "$archive"
}

# What makepkg does, without its root and its database
build_arch() {
	(
		# shellcheck source=packages/PKGBUILD
		. "$repo/packages/PKGBUILD"
		set -e
		pkgdir=$dir/arch
		cd "$dir"
		tar -xf "$archive"
		build
		package_evntprov
		pkgdir=$dir/arch-dkms
		package_evntprov-dkms
	)
}

# An executable file of the package runs where it is
runs() {
	LD_LIBRARY_PATH=$dir/arch/usr/lib "$dir/arch/usr/bin/evnt" --version
}

has() {
	local file

	for file in "${@:2}"; do
		[ -e "$1/$file" ] || [ -L "$1/$file" ] || { echo "$file is missing"; return 1; }
	done
}

build_rpm() {
	type -P rpmbuild > /dev/null || { echo "no rpmbuild"; return 77; }
	rpmbuild --nodeps --define "_topdir $dir/rpm" --define "_tmppath $dir" \
		--define "optflags $CFLAGS" -tb "$archive"
}

# The named package has the file, and no other has it
only_in() {
	local rpm found=

	for rpm in "$dir"/rpm/RPMS/*/*.rpm; do
		! rpm -qlp "$rpm" | grep -q "$2" ||
			found+=$(rpm -qp --queryformat '%{NAME} ' "$rpm")
	done
	[ "$found" = "$1 " ] || { echo "$2 is in '$found'"; return 1; }
}

no_xml() {
	local rpm

	for rpm in "$dir"/rpm/RPMS/*/libevntprov1-*.rpm; do
		rpm -qRp "$rpm" | grep -c xml | grep -qx 0 || return
	done
}

check "apt and dpkg are hidden from PATH" hide_debian
check "the files that git tracks are archived" make_archive
check "make and make install build the package of PKGBUILD" build_arch
check "its evnt runs" runs
check "it has libraries, tools, pages, guides and the unit" has "$dir/arch" \
	usr/lib/libevntprov.so.1 usr/lib/libevnttdh.so.1 usr/bin/{evnt,logman,evntmc} \
	usr/bin/evnt-autologger usr/lib/evntprov/evnt-core usr/share/man/man1/evnt-record.1 \
	usr/share/doc/evntprov/{README.md,doc/cookbook.md} \
	usr/lib/systemd/system/evntprov.service etc/evntprov/autologger.d
check "that of the module has its source, the group and the nodes" has "$dir/arch-dkms" \
	usr/src/evntprov-0.1.0/{dkms.conf,Kbuild,module/main.c,core/buffer.c} \
	usr/src/evntprov-0.1.0/{uapi/linux/evntprov.h,uapi/linux/evntrace.h,lib/include/evntprov.h} \
	usr/lib/sysusers.d/evntprov.conf usr/lib/udev/rules.d/60-evntprov.rules
check "rpmbuild builds the packages of the spec" build_rpm
if compgen -G "$dir/rpm/RPMS/*/*.rpm" > /dev/null; then
	check "writers of events have a package" only_in libevntprov1 '/libevntprov\.so\.1$'
	check "decoding has a package" only_in libevnttdh1 '/libevnttdh\.so\.1$'
	check "writers of events need no libxml2" no_xml
	check "the plugin for babeltrace2 has a package" only_in evntprov-babeltrace2 \
		'/babeltrace-plugin-evntprov\.so$'
	check "the source of the module has a package" only_in evntprov-dkms '/dkms\.conf$'
fi
done_testing
