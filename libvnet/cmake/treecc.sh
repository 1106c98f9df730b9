#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Compiles one file against a kernel tree and says in one line, after the
# compiler, what is wrong and what to do.
#
#   treecc.sh [-e] -s SYSDIR -- CC ARGUMENT ...
#
# With -e a file that does not compile is only a loss: the line, and an empty
# object in its place.
set -eu
empty=no sysdir=
while [ "$1" != -- ]; do
	case $1 in
	-e) empty=yes; shift ;;
	-s) sysdir=$2; shift 2 ;;
	*) echo "treecc.sh: unknown argument $1" >&2; exit 2 ;;
	esac
done
shift
object= source= depfile=
previous=
for arg in "$@"; do
	case $previous in
	-o) object=$arg ;;
	-MF) depfile=$arg ;;
	-c) source=$arg ;;
	esac
	previous=$arg
done
[ -n "$object" ] || exec "$@"
log=$object.log
if "$@" 2>"$log"; then
	cat "$log" >&2
	rm -f "$log"
	exit 0
fi
case $source in
"$sysdir"/*) shown=${source#"$sysdir"/} ;;
*) shown=$source ;;
esac
first=$(sed -n 's/.*error: //p' "$log" | head -n 1)
if [ $empty = yes ]; then
	echo "libvnet: provider $shown does not compile in this tree and is left out: ${first:-see $log}" >&2
	printf '\n' >"$object.c"
	# The same command, of an empty file; it depends on the real one.
	i=$#
	while [ $i -gt 0 ]; do
		i=$((i - 1))
		arg=$1
		shift
		case $arg in
		"$source") arg=$object.c ;;
		esac
		set -- "$@" "$arg"
	done
	"$@"
	[ -z "$depfile" ] || printf '%s: %s\n' "$object" "$source" >"$depfile"
	exit 0
fi
cat "$log" >&2
exit 1
