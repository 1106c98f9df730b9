#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Compiles one kernel-world file, and says in one line behind the compiler
# what is wrong and what to do.
#
#   treecc.sh [-e] [-s SYSDIR] [-a AFL_CC] -- CC ARGUMENT ...
#
# With -a AFL_CC compiles in place of CC, instrumenting for AFL++.
# With -e a file that does not compile is only a loss: the line, and an empty
# object in its place.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
empty=no sysdir= afl=
while [ "$1" != -- ]; do
	case $1 in
	-e) empty=yes; shift ;;
	-s) sysdir=$2; shift 2 ;;
	-a) afl=$2; shift 2 ;;
	*) echo "treecc.sh: unknown argument $1" >&2; exit 2 ;;
	esac
done
shift
if [ -n "$afl" ]; then
	AFL_CC=$1 AFL_QUIET=1 AFL_DONT_OPTIMIZE=1
	export AFL_CC AFL_QUIET AFL_DONT_OPTIMIZE
	shift
	set -- "$afl" "$@"
fi
object= source= depfile= previous=
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
status=0
LC_ALL=C "$@" 2>"$log" || status=$?
if [ $status -eq 0 ]; then
	cat "$log" >&2
	rm -f "$log"
	exit 0
fi
case $source in
"$sysdir"/*) shown=${source#"$sysdir"/} ;;
*) shown=$source ;;
esac
# The file is at fault only where the compiler found fault with a line of it.
lacking() {
	grep -q -e '^[^ ].*:[0-9]*:[0-9]*: \(fatal \)\{0,1\}error: ' -e '^[^ ].*:[0-9]*: Error: ' "$log" &&
	    ! grep -q -e 'error: .*opt_[A-Za-z0-9_]*\.h.*\(No such file\|not found\)' -e 'No space left' -e 'rror writing' \
		-e 'internal compiler error' -e 'Killed' "$log"
}
if [ $empty = yes ] && lacking; then
	echo "libvnet: provider $shown does not compile in this tree and is left out: $(sed -n 's/.*error: //p' "$log" | head -n 1)" >&2
	printf '\n' >"$object.c"
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
	# As far as the compiler came, to be tried anew when that changes.
	[ -z "$depfile" ] || {
		printf '%s: %s' "$object" "$source"
		sed -n 's/^\(In file included from \|  *from \)\{0,1\}\([^: ]*\):[0-9]*[:,].*/\2/p' "$log" |
		    LC_ALL=C sort -u | while IFS= read -r file; do
			[ ! -f "$file" ] || printf ' %s' "$file"
		done
		echo
	} >"$depfile"
	exit 0
fi
cat "$log" >&2
awk -v shown="$shown" -v sysdir="$sysdir" -f "$here/treewhy.awk" "$log" >&2
exit $status
