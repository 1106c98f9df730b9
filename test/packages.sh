# SPDX-License-Identifier: BSD-2-Clause
#
# Sourced by examples/run.sh and test/run.sh: the Debian packages that they
# need, and how they get them.
#
#	libvnet_packages_install [test]
#
# asks dpkg-query what is missing, and calls apt-get only then, as root or
# through sudo if that needs no password.  Otherwise it names the packages and
# returns 1.  With "test" it wants those of the test suite as well.

libvnet_packages_build="cmake ninja-build gcc libc6-dev binutils clang
	libclang-rt-dev pkg-config libcmocka-dev libbsd-dev libjemalloc-dev
	libpcap-dev libdw-dev afl++ ministat"
libvnet_packages_test="gdb jq g++ make lld llvm kyua valgrind gcovr"

libvnet_packages_missing() {
	for libvnet_p in "$@"; do
		case $(dpkg-query -W -f '${db:Status-Status} ' "$libvnet_p" \
		    2>/dev/null || :) in
		*installed*) ;;
		*) printf '%s ' "$libvnet_p" ;;
		esac
	done
}

libvnet_packages_install() {
	libvnet_want=$libvnet_packages_build
	if [ "${1:-}" = test ]; then
		libvnet_want="$libvnet_want $libvnet_packages_test"
	fi
	if ! command -v dpkg-query >/dev/null; then
		echo "No dpkg here; taken to be installed, under whatever name:" \
			$libvnet_want
		return 0
	fi
	# Words, on purpose.
	# shellcheck disable=SC2086
	libvnet_want=$(libvnet_packages_missing $libvnet_want)
	[ -n "$libvnet_want" ] || return 0
	if [ "$(id -u)" -eq 0 ]; then
		libvnet_root=
	elif sudo -n true 2>/dev/null; then
		libvnet_root="sudo -n"
	else
		echo "Missing packages; install them and run this again:" >&2
		echo "	apt-get install $libvnet_want" >&2
		return 1
	fi
	echo "Installing: $libvnet_want"
	# shellcheck disable=SC2086
	$libvnet_root apt-get -q update &&
	    $libvnet_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		install --no-install-recommends $libvnet_want || {
		echo "apt-get failed; it was to install: $libvnet_want" >&2
		return 1
	}
}
