#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Files of a FreeBSD kernel, each tested by itself: compiles the tests here
# with libvnet-cc against a kernel tree, and runs them.
#
#   LIBVNET_SYSDIR=/usr/src/sys sh run.sh LIBVNET-CC OUT [TEST ...]
#
# Each test names in its first comment what is under test, files or "Stack: all",
# and the kernel options that it needs.  OUT gets the programs and the runtime's cache.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { echo "usage: run.sh LIBVNET-CC OUT [TEST ...]" >&2; exit 2; }
cc=$1 out=$2
shift 2
if [ -z "${LIBVNET_SYSDIR:-}" ]; then
	echo "skipped: files of a real kernel, as LIBVNET_SYSDIR does not name a FreeBSD kernel's sys/"
	exit 77
fi
mkdir -p "$out"
LIBVNET_CACHE=${LIBVNET_CACHE:-$out/cache}
export LIBVNET_CACHE LIBVNET_SYSDIR
[ $# -gt 0 ] || set -- "$here"/test_*.c
bad=0
for test; do
	case $test in
	*/*) ;;
	*) test=$here/$test.c ;;
	esac
	name=$(basename "$test" .c)
	files=$(sed -n 's/^ \* Under test: //p' "$test")
	options=$(sed -n 's/^ \* Option: / --option /p' "$test" | tr '\n' ' ')
	what="$(echo "$files" | wc -w | tr -d ' ') files"
	if grep -q '^ \* Stack: all' "$test"; then
		options="$options --stack"
		what="the whole stack"
	fi
	absent=
	for file in $files; do
		[ -f "$LIBVNET_SYSDIR/$file" ] || [ -f "$LIBVNET_SYSDIR/sys/$file" ] || absent="$absent $file"
	done
	if [ -n "$absent" ]; then
		echo "$name: skipped: the tree has no$absent"
		continue
	fi
	# shellcheck disable=SC2086
	if ! "$cc" -O1 -g $options ${LIBVNET_CFLAGS:-} $files "$test" -o "$out/$name" >"$out/$name.log" 2>&1; then
		tail -n 3 "$out/$name.log" >&2
		echo "$name: not built; all of it: $out/$name.log"
		bad=1
	elif ! "$out/$name" >"$out/$name.log" 2>&1; then
		cat "$out/$name.log" >&2
		echo "$name: failed"
		bad=1
	else
		echo "$name: $(grep -c '^ok' "$out/$name.log") tests of $what passed"
	fi
done
exit $bad
