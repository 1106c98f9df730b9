#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The cache of libvnet-cc: its bound, what goes first, what never goes.
#
#   cache.sh BUILD SCRATCH CC
#
# Objects of one file each, which need a runtime's headers and not itself.
set -eu
lvcc=$1/bin/libvnet-cc tmp=$2/cache
CC=$3
export CC
bad=0
rm -rf "$tmp"
mkdir -p "$tmp/a folder"
cd "$tmp/a folder"
LIBVNET_CACHE="$tmp/a folder/the cache"
export LIBVNET_CACHE
unset LIBVNET_SYSDIR LIBVNET_CACHE_SIZE CFLAGS CMAKE_GENERATOR
say() { echo "$*"; bad=1; }
for n in 1 2 3; do
	echo "#include <sys/param.h>
int object_$n;" >$n.c
done
# make N [ARGUMENT ...]: the object of N.c.
make() {
	n=$1
	shift
	"$lvcc" -O0 -c $n.c -o $n.o "$@" >out 2>&1 || { say "$n.c: failed"; cat out; }
}
folders() { find "the cache" -maxdepth 1 -name "$1-*" | wc -l; }
are() {	# WHAT KIND COUNT
	[ "$(folders "$2")" -eq "$3" ] || say "$1: $(folders "$2") folders of $2, not $3: $(ls "the cache")"
}
of() {	# N: the folder of its object
	grep -l "/$1\\.c" "the cache"/program-*/CMakeLists.txt | sed 's/\/[^/]*$//'
}
info() { "$lvcc" --cache-info | sed -n "s/^$1  *//p"; }

make 1
make 2
make 3
are "three objects" runtime 1
are "three objects" program 3
[ "$(info folder)" = "$LIBVNET_CACHE" ] || say "info: folder $(info folder)"
case $(info size) in
[1-9]*" KiB, at most 5.0 GiB (LIBVNET_CACHE_SIZE)") ;;
*) say "info: size $(info size)" ;;
esac
case $(info programs) in
"3, "*) ;;
*) say "info: programs $(info programs)" ;;
esac
! ls "the cache"/*/lock "the cache"/*/lock.* >/dev/null 2>&1 || say "a lock was left: $(ls "the cache"/*/lock*)"

# One too many: what was used longest ago goes, which is 2.
make 1
make 3
all=$(cat "the cache"/*/size | awk '{ n += $1 } END { print n }')
LIBVNET_CACHE_SIZE=$((all - 1))K make 3
are "one too many" program 2
[ -n "$(of 1)" ] && [ -n "$(of 3)" ] && [ -z "$(of 2)" ] || say "not the oldest: $(ls -tr "the cache"/*/used)"

# What is in use stays, however small the limit.
cp "$(of 1)/key" key
LIBVNET_CACHE_SIZE=1K make 3
are "in use" runtime 1
are "in use" program 1
[ -n "$(of 3)" ] || say "in use: its own program is gone"
LIBVNET_CACHE_SIZE=0 make 1
LIBVNET_CACHE_SIZE=0 make 2
are "no limit" program 3
for wrong in 5T x -1 1.5G 123456789G; do
	if LIBVNET_CACHE_SIZE=$wrong "$lvcc" -c 1.c -o 1.o >out 2>&1; then
		say "LIBVNET_CACHE_SIZE=$wrong: not refused"
	fi
	grep -q "LIBVNET_CACHE_SIZE=$wrong: write a number" out || { say "$wrong:"; cat out; }
done

# A program that is being built, a runtime that is read; and those whose
# owners died.
sleep 1000 &
alive=$!
sh -c 'echo $$' >dead
echo $alive >"$(of 1)/lock"
cp dead "$(of 2)/lock"
runtime=$(ls -d "the cache"/runtime-*)
: >"$runtime/readers/$alive"
: >"$runtime/readers/$(cat dead)"
mkdir -p "the cache/gone-$(cat dead)/b"
"$lvcc" --clean >out
are "clean" program 1
are "clean" runtime 1
are "clean" gone 0
[ -n "$(of 1)" ] || say "clean: what was locked is gone"
grep -q '^in use    2 folders, which stay$' out || { say "clean:"; cat out; }
kill $alive
wait $alive 2>/dev/null || :
make 1		# takes the lock of the dead
"$lvcc" --clean >out
[ -z "$(ls "the cache")" ] || say "clean: left: $(ls "the cache")"

# Thrown away while others build.
(
	while [ ! -f stop ]; do
		"$lvcc" --clean >/dev/null 2>&1 || echo "clean failed" >failed
	done
) &
cleaner=$!
for turn in 1 2; do
	cp 1.c other.c
	"$lvcc" -O0 -c other.c -o other.o >out2 2>&1 &
	other=$!
	make $turn
	wait $other || { say "other.c: failed"; cat out2; }
done
: >stop
wait $cleaner
[ ! -f failed ] || say "cleaning beside others failed"
[ ! -f "the cache/lock" ] || say "the cache's own lock was left"
exit $bad
