#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The last link of a program, in place of the plain command: pages of
# "undefined reference" become one line a name, which says who wants it.
#
#   finallink.sh -k DIR [-r READELF] [-a AFL_CC] -- CC ARGUMENT ...
#
# DIR is where kernlink.sh put kernel.o.  With -a, AFL_CC links in place of
# CC: it brings AFL++'s driver and coverage runtime.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
readelf=readelf dir=. afl=
while [ "$1" != -- ]; do
	case $1 in
	-k) dir=$2 ;;
	-r) readelf=$2 ;;
	-a) afl=$2 ;;
	esac
	shift 2
done
shift
if [ -n "$afl" ]; then
	cc=$1
	shift
	case $cc in
	*++*) AFL_CXX=$cc; afl=$afl++; export AFL_CXX ;;
	*) AFL_CC=$cc; export AFL_CC ;;
	esac
	AFL_QUIET=1
	export AFL_QUIET
	set -- "$afl" "$@"
fi
log=$dir/link.log
if "$@" 2>"$log"; then
	cat "$log" >&2
	rm -f "$log"
	exit 0
fi

# bfd and gold: undefined reference to `foo'; lld: undefined symbol: foo
undefined=$(sed -n -e "s/.*undefined reference to [\`']\([^']*\)'.*/\1/p" \
    -e 's/.*undefined symbol: \([^ ]*\).*/\1/p' "$log" | sort -u | tr '\n' ' ')
if [ -z "$undefined" ]; then
	cat "$log" >&2
	exit 1
fi
# What else is wrong, if anything.
grep -E 'multiple definition|duplicate symbol|cannot find|unable to find|relocation' "$log" >&2 || :
echo "libvnet: used and nowhere defined:" >&2
# Who: the objects in the command, and those that kernel.o is made of.
i=$#
while [ "$i" -gt 0 ]; do
	i=$((i - 1))
	arg=$1
	shift
	case $arg in
	kernel.o | */kernel.o) ;;
	*.o | *.a) set -- "$@" "$arg" ;;
	esac
done
while IFS= read -r object; do
	set -- "$@" "$object"
done <"$dir/kernel.o.objects"
LC_ALL=C "$readelf" -sW "$@" 2>/dev/null |
    awk -v names="$undefined" -v file="${1:-}" -f "$here/wanted.awk" >&2 || :
echo "libvnet: give the source that defines them to libvnet_add_kernel_objects(), or stub them in a test source (all the linker said: $log)" >&2
exit 1
