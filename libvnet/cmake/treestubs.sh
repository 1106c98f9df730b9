#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Stubs for what nobody supplies, made by stubs.sh and compiled.
#
#   treestubs.sh -d DIR -t LINK -n NAMES.h -r READELF -s SYSDIR -c COMMAND_FILE -S yes|panic
set -eu
here=$(cd "$(dirname "$0")" && pwd)
say() { echo "libvnet: $*" >&2; }
while [ $# -gt 0 ]; do
	case $1 in
	-d) dir=$2 ;;
	-t) tmp=$2 ;;
	-n) names=$2 ;;
	-r) readelf=$2 ;;
	-s) sysdir=$2 ;;
	-c) command=$2 ;;
	-S) mode=$2 ;;
	esac
	shift 2
done
out=$dir/stubs
mkdir -p "$out"
if [ -f "$here/stubs.sh" ]; then
	set --
	while IFS= read -r object; do
		set -- "$@" "$object"
	done <"$tmp/objects"
	sh "$here/stubs.sh" -o "$out" -p "$tmp/outside" -n "$names" -r "$readelf" -s "$sysdir" -c "$command" -- "$@"
else
	awk '
	BEGIN {
		print "#include <sys/param.h>\n#include <sys/systm.h>"
	}
	{
		printf "void stub_%d(void) __asm__(\"%s\");\n", NR, $1
		printf "void __attribute__((__weak__))\nstub_%d(void)\n{\n\n\tpanic(\"%s() was called, and nobody supplies it\");\n}\n", NR, $1
	}' "$tmp/undefined" >"$out/stubs.c"
fi
sh "$here/treecompile.sh" "$command" "$out/stubs.c" "$out/stubs.o"
