#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What a kernel tree's sources include that a kernel's build generates.
#
#   treescan.sh SYSDIR OUT
#
# OUT/opt-files: opt_*.h, one a line; OUT/interfaces: the X_if.m for which a
# source includes X_if.h, relative to SYSDIR.  Both are only written anew when
# they change.  Drivers and foreign code in the tree are not looked at.
set -eu
[ $# -eq 2 ] || { echo "usage: treescan.sh SYSDIR OUT" >&2; exit 2; }
out=$2
mkdir -p "$out"
cd "$1"
set --
for dir in *; do
	[ -d "$dir" ] || continue
	case $dir in
	arm | cddl | compat | contrib | dev | fs | gnu | i386 | mips | modules | powerpc | riscv | tools) ;;
	*) set -- "$@" "$dir" ;;
	esac
done
grep -rhE --include='*.[ch]' '^[ 	]*#[ 	]*include[ 	]+["<](opt_[A-Za-z0-9_]+|[A-Za-z0-9_]+_if)\.h[">]' "$@" |
    sed 's/^[^"<]*["<]\([^">]*\)[">].*/\1/' | LC_ALL=C sort -u >"$out/included"
sed -n '/^opt_/p' "$out/included" >"$out/opt-files.new"
find "$@" -name '*_if.m' | LC_ALL=C sort | while IFS= read -r file; do
	name=${file##*/}
	! grep -F -x -q "${name%.m}.h" "$out/included" || echo "$file"
done >"$out/interfaces.new"
for file in opt-files interfaces; do
	cmp -s "$out/$file" "$out/$file.new" || cp "$out/$file.new" "$out/$file"
	rm -f "$out/$file.new"
done
