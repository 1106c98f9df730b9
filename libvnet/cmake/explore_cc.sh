#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# explore_cc.sh MODE-COMPILER OBJCOPY CC ARG ...: compiles; a file that has
# -DLVK_INSTRUMENTED so that an exploration sees its accesses.
#
#   tsan      the calls of the compiler's thread sanitizer
#   coverage  clang: sanitizer coverage of loads and stores, which goes
#             together with AddressSanitizer
#
# What the compiler makes a call of libc (a copy of a struct) or the source
# calls itself is seen too: the object calls lvx_* instead.
set -eu
mode=$1 objcopy=$2
shift 2
case " $* " in
# What a tree defines of libc's is never linked, and must not come back by
# another name.
*/mem[a-z]*.c\ * | */bcopy.c\ * | */bcmp.c\ * | */bzero.c\ *) exec "$@" ;;
*" -DLVK_INSTRUMENTED"*) ;;
*) exec "$@" ;;
esac
case $mode in
tsan-*Clang)
	set -- "$@" -fno-sanitize=all -fsanitize=thread -mllvm -tsan-instrument-read-before-write=1 \
	    -mllvm -tsan-distinguish-volatile=1 -mllvm -tsan-instrument-func-entry-exit=0 ;;
tsan-*)
	set -- "$@" -fno-sanitize=all -fsanitize=thread -Wno-tsan --param=tsan-distinguish-volatile=1 ;;
coverage-*Clang)
	set -- "$@" -fsanitize-coverage=trace-pc-guard,trace-loads,trace-stores ;;
*)
	echo "explore_cc.sh: $mode needs clang" >&2
	exit 1 ;;
esac
out=
next=no
for arg in "$@"; do
	[ $next = no ] || out=$arg
	next=no
	[ "$arg" != -o ] || next=yes
done
"$@"
case $out in
*.o | *.obj)
	"$objcopy" --redefine-sym memcpy=lvx_memcpy --redefine-sym memmove=lvx_memmove \
	    --redefine-sym memset=lvx_memset --redefine-sym memcmp=lvx_memcmp \
	    --redefine-sym bcmp=lvx_bcmp --redefine-sym bzero=lvx_bzero --redefine-sym bcopy=lvx_bcopy \
	    --redefine-sym __asan_memcpy=lvx_asan_memcpy --redefine-sym __asan_memmove=lvx_asan_memmove \
	    --redefine-sym __asan_memset=lvx_asan_memset "$out" ;;
esac
