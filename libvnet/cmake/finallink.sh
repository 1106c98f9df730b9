#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The last link of a program, in place of the plain command: pages of
# "undefined reference" become one line a name, which says who wants it.  And
# a name that kernel world wanted and libc happened to have is refused: it is
# not the kernel's function, whatever it is called.
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
program=
previous=
for arg in "$@"; do
	[ "$previous" != -o ] || program=$arg
	previous=$arg
done
linked=yes
"$@" 2>"$log" || linked=no

# wanted NAMES VERB OBJECT ...: which of the objects, and of kernel.o's parts,
# want them; see wanted.awk.
wanted() {
	names=$1 verb=$2
	shift 2
	while IFS= read -r object; do
		set -- "$@" "$object"
	done <"$dir/kernel.o.objects"
	LC_ALL=C "$readelf" -sW "$@" 2>/dev/null |
	    awk -v names="$names" -v file="${1:-}" -v verb="$verb" -f "$here/wanted.awk" >&2 || :
}

if [ $linked = yes ]; then
	cat "$log" >&2
	rm -f "$log"
	[ -n "$program" ] || exit 0
	LC_ALL=C "$readelf" -sW "$dir/kernel.o" >"$dir/kernel.symbols"
	LC_ALL=C "$readelf" -sW "$program" >"$dir/program.symbols"
	# In the program such a name has libc's version: "strdup@GLIBC_2.2.5".
	taken=$(awk '
	FILENAME ~ /libc-names$/ { allowed[$1]; next }
	FILENAME ~ /kernel\.symbols$/ { if ($7 == "UND") wants[$8]; next }
	$7 == "UND" && match($8, /@+(GLIBC|FBSD|LIBBSD)/) {
		name = substr($8, 1, RSTART - 1)
		if (name in wants && !(name in allowed) && name !~ /^__/ && name != "_setjmp")
			print name
	}
	' "$here/libc-names" "$dir/kernel.symbols" "$dir/program.symbols" | LC_ALL=C sort -u | tr '\n' ' ')
	rm -f "$dir/kernel.symbols" "$dir/program.symbols"
	[ -n "$taken" ] || exit 0
	rm -f "$program"
	wanted "$taken" "calls libc's"
	echo "libvnet: kernel world may not call libc's ${taken% }: the kernel's own is missing here, or belongs in a HOST file" >&2
	exit 1
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
wanted "$undefined" "" "$@"
echo "libvnet: give the source that defines them to libvnet_add_kernel_objects(), or stub them in a test source (all the linker said: $log)" >&2
exit 1
