#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Do the checks of this folder notice what they are for?  Each gets the true
# input plus one faulty file and must say the words that are expected here.
#
#   faulty.sh CC SOURCE_DIR BUILD_DIR
#
# BUILD_DIR has what CMakeLists.txt describes of the targets.
set -eu
cc=$1 root=$2 in=$3
here=$root/test/seam
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

# says TEXT COMMAND ...: it fails, and TEXT is among its lines.
says() {
	text=$1
	shift
	if "$@" >"$tmp/out" 2>&1; then
		echo "not noticed: $text"
		bad=1
	elif ! grep -F -q -- "$text" "$tmp/out"; then
		echo "expected: $text"
		sed 's/^/  said: /' "$tmp/out"
		bad=1
	fi
}
# names KERNEL_OBJECT|- HOST_OBJECT|- SEAM
names() {
	cp "$in/vimage/objects" "$tmp/k"
	cp "$in/host/objects" "$tmp/h"
	[ "$1" = - ] || echo "$1" >>"$tmp/k"
	[ "$2" = - ] || echo "$2" >>"$tmp/h"
	sh "$here/names.sh" -k "$tmp/k" -h "$tmp/h" -s "$3" -n "$root/include/kern/kern_names.h" \
	    -a "$root/libvnet/cmake/libc-names" -l "$libc"
}
compile() { "$cc" -ffreestanding -c "$here/faulty/$1.c" -o "$tmp/$1.o"; }

libc=$("$cc" -print-file-name=libc.so.6)
[ -f "$libc" ] || libc=$("$cc" -print-file-name=libc.so.7)
seam=$root/libvnet/seam/seam.h
for source in calls_malloc calls_unknown calls_undeclared defines_libc defines_printf \
    host_calls_kernel host_defines_kernel; do
	compile $source
done
says "kernel world calls malloc of libc, in calls_malloc.o" names "$tmp/calls_malloc.o" - "$seam"
says "kernel world calls getpid, which is not its own, in calls_unknown.o" names "$tmp/calls_unknown.o" - "$seam"
says "kernel world calls vnh_undeclared, which seam.h does not declare" names "$tmp/calls_undeclared.o" - "$seam"
says "kernel world defines fopen, a name of libc, in defines_libc.o" names "$tmp/defines_libc.o" - "$seam"
says "kernel world defines printf under its plain name, in defines_printf.o" names "$tmp/defines_printf.o" - "$seam"
says "host world calls vnet_alloc of kernel world behind the seam, in host_calls_kernel.o" \
    names - "$tmp/host_calls_kernel.o" "$seam"
says "both worlds define vnet_alloc" names - "$tmp/host_defines_kernel.o" "$seam"
{ cat "$seam"; echo 'void vnh_none(void);'; echo 'void vnk_none(void);'; } >"$tmp/seam.h"
for text in "vnh_none, which host world does not define" "vnh_none, which kernel world never calls" \
    "vnk_none, which kernel world does not define" "vnk_none, which host world never calls"; do
	says "seam.h declares $text" names - - "$tmp/seam.h"
done

# purity FLAGS SOURCE ARGUMENT ...
purity() {
	flags=$1
	echo "$here/faulty/$2" >"$tmp/sources"
	shift 2
	sh "$here/purity.sh" -c "$cc" -f "$flags" -s "$tmp/sources" "$@"
}
stdio=$(echo '#include <stdio.h>' | "$cc" -M -x c - | tr ' ' '\n' | grep 'stdio\.h$' | sed -n 1p)
for dir in $(echo | "$cc" -E -v -x c - 2>&1 | sed -n '/^#include </,/^End/p' | grep '^ '); do
	echo "-I$dir"
done | cat "$in/vimage/flags" - >"$tmp/flags"
says "kernel_includes_host.c includes $stdio" purity "$tmp/flags" kernel_includes_host.c -o "$root/" -o "$in/"
says "kernel_includes_api.c includes $root/include/libvnet/boot.h" \
    purity "$in/vimage/flags" kernel_includes_api.c -x "$root/include/libvnet/"
says "host_includes_kernel.c includes $root/include/kern/kern_names.h" \
    purity "$in/vnet/flags" host_includes_kernel.c -x "$root/include/kern/"

headers() { sh "$here/headers.sh" -c "$cc" -f "$in/vnet/flags" "$@" "$here/faulty" ^headers/; }
says "headers/no_include.h: " headers -b headers/no_guard.h
says "headers/no_guard.h: " headers -b headers/no_include.h
says "headers/sound.h compiles, and must not" headers -b headers/sound.h
headers -b headers/no_include.h -b headers/no_guard.h || { echo "sound.h is refused"; bad=1; }

cards() { sh "$root/libvnet/cmake/cards.sh" "$here/faulty/cards"; }
says 'kern/no_card.c: no "Models:"' cards
says 'kern/no_differs.c: no "Differs:"' cards
says 'kern/odd_fidelity.c: "Fidelity:" is not exact, modelled or stub' cards
if grep -q sound "$tmp/out"; then
	echo "a sound card is refused"
	bad=1
fi
mkdir -p "$tmp/root/kern"
cp "$here/faulty/cards/kern/sound.c" "$tmp/root/kern/"
printf '<!-- cards -->\n<!-- end of cards -->\n' >"$tmp/root/kern/README.md"
says "README.md is not current" sh "$here/cards.sh" "$root/libvnet/cmake/cards.sh" "$tmp/root" "$tmp/README.md"
sh "$root/libvnet/cmake/cards.sh" "$tmp/root" "$tmp/root/kern/README.md"
grep -F -q '| kern/sound.c | nothing, in two lines. | stub | -- |' "$tmp/root/kern/README.md" || {
	echo "cards.sh made no table:"
	cat "$tmp/root/kern/README.md"
	bad=1
}
exit $bad
