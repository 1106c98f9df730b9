#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What CMake says of a user's mistakes: one line that names the mistake.
#
#   misuse.sh PACKAGE SCRATCH SOURCE_DIR CC
set -eu
package=$1 tmp=$2 root=$3 cc=$4 build=build generator=Ninja
bad=0
mkdir -p "$tmp"
try() {
	case=$1
	shift
	cmake -S "$root/test/integration/misuse" -B "$tmp/$build" -G "$generator" -DCMAKE_C_COMPILER="$cc" \
	    -Dlibvnet_DIR="$package" -DCASE="$case" -DCMAKE_C_FLAGS= -DLIBVNET_SANITIZE= \
	    -DLIBVNET_FUZZ= -DLIBVNET_LD= -DLIBVNET_EXPLORE= "$@" >"$tmp/out" 2>&1
}
# refused CASE TEXT [ARGUMENT ...]; CMake breaks its lines where it likes.
refused() {
	case=$1 text=$2
	shift 2
	if try "$case" "$@"; then
		echo "$case: not refused"
		bad=1
	elif ! tr -s '\n ' '  ' <"$tmp/out" | grep -F -q -- "$text"; then
		echo "$case: expected: $text"
		sed 's/^/  said: /' "$tmp/out"
		bad=1
	fi
}
accepted() {
	try "$@" || {
		echo "$1: refused"
		sed 's/^/  said: /' "$tmp/out"
		bad=1
	}
}
accepted option_known
accepted optional
grep -q 'libvnet_telepathy_FOUND=FALSE' "$tmp/out" || { echo "optional: telepathy is there"; bad=1; }
refused component "libvnet::telepathy: this libvnet has the components libvnet"
build=multi generator="Ninja Multi-Config"
refused sanitizer 'libvnet: t: the generator "Ninja Multi-Config" has several configurations in one tree'
generator=Ninja
mkdir -p "$tmp/no-packages"
PKG_CONFIG_LIBDIR=$tmp/no-packages build=bare
export PKG_CONFIG_LIBDIR
rm -rf "$tmp/bare"
refused dependency "libvnet::libvnet: libbsd is missing (Debian: libbsd-dev)"
unset PKG_CONFIG_LIBDIR
build=build
refused version 'compatible with requested version "99"'
refused missing_source "libvnet: k: there is no file $root/test/integration/misuse/nowhere.c"
refused no_source "libvnet_add_kernel_objects(k): give SOURCES"
refused unknown_argument "libvnet_add_test(t): unknown argument: KERNAL k"
refused option_case 'libvnet: option "vimage" is not NAME, NAME=VALUE or opt_file.h:NAME[=VALUE], with NAME in capitals'
refused option_unused 'libvnet: t: option VIMAG does nothing: no source includes "opt_vimag.h"'
refused options_differ 'libvnet: t has the options "VIMAGE" but k ""; give both the same OPTIONS'
refused stubs "libvnet: t: STUBS perhaps: it can be ON, OFF or panic"
refused not_kernel "libvnet: t: KERNEL k was not made by libvnet_add_kernel_objects()"
refused seeds "libvnet: f: there is no folder of SEEDS $root/test/integration/misuse/nowhere"
refused twice "libvnet_add_kernel_objects(k): there is a target of that name already"
refused sanitizer "CMAKE_C_FLAGS asks for a sanitizer; say LIBVNET_SANITIZE=address" -DCMAKE_C_FLAGS=-fsanitize=address
refused sanitizer "LIBVNET_SANITIZE is \"adress\"; it can be address, undefined, thread or memory" -DLIBVNET_SANITIZE=adress
refused sanitizer 'LIBVNET_LD is "gold"; it can be bfd or lld' -DLIBVNET_LD=gold
refused sanitizer 'LIBVNET_EXPLORE is "tasn"; it can be tsan or coverage' -DLIBVNET_EXPLORE=tasn
refused sanitizer "LIBVNET_EXPLORE goes with LIBVNET_SANITIZE=address only" -DLIBVNET_EXPLORE=tsan -DLIBVNET_SANITIZE=thread
refused sanitizer "LIBVNET_FUZZ is \"hongg\"; it can be afl or libfuzzer" -DLIBVNET_FUZZ=hongg
exit $bad
