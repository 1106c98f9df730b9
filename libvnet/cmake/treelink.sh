#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The kernel world of a program on a kernel tree: its own objects and the
# runtime's, of the tree's other files those that something wants (providers),
# stubs for what nobody has, all linked by kernlink.sh.
#
#   treelink.sh -d DIR -n NAMES.h -r READELF -s SYSDIR -c COMMAND_FILE
#       -u OWN -k RUNTIME -p POOL -h HOST [-S yes|panic|no] -- CC [FLAG ...]
#
# OWN, RUNTIME and POOL are lists: OWN.objects and OWN.sources, in one order.  HOST
# lists the archives and shared objects of the last link.  COMMAND_FILE is the
# compiler and the flags of a kernel-world file, one a line.
# In DIR come kernel.o and manifest.c, and for who asks: supply (a table "name
# supplier wanter"), undefined, stubs/.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
say() { echo "libvnet: $*" >&2; }
stubs=yes dir= names= readelf=readelf sysdir= command= own= runtime= pool= host=
while [ "$1" != -- ]; do
	case $1 in
	-d) dir=$2 ;;
	-n) names=$2 ;;
	-r) readelf=$2 ;;
	-s) sysdir=$2 ;;
	-c) command=$2 ;;
	-u) own=$2 ;;
	-k) runtime=$2 ;;
	-p) pool=$2 ;;
	-h) host=$2 ;;
	-S) stubs=$2 ;;
	*) say "treelink.sh: unknown argument $1"; exit 2 ;;
	esac
	shift 2
done
shift
tmp=$dir/link
mkdir -p "$tmp"
tab=$(printf '\t')
for list in own runtime pool; do
	eval "from=\$$list"
	paste "$from.objects" "$from.sources" | sed "/^$tab*\$/d" >"$tmp/$list.list"
	eval "$list=\$tmp/$list.list"
done

# symbols LIST OUT: of the objects of a list; kept until one of them changes.
symbols() {
	cut -f 1 "$1" >"$2.objects"
	if [ -f "$2" ] && [ -z "$(tr '\n' '\0' <"$2.objects" | xargs -0 sh -c '
		new=$1; shift; for f do [ ! "$f" -nt "$new" ] || { echo "$f"; exit; }; done' sh "$2")" ] &&
	    cmp -s "$2.objects" "$2.of"; then
		return
	fi
	first=$(head -n 1 "$2.objects")
	tr '\n' '\0' <"$2.objects" | LC_ALL=C xargs -0 "$readelf" -SsW 2>/dev/null |
	    awk -v file="$first" -f "$here/symbols.awk" >"$2.new"
	mv "$2.new" "$2"
	cp "$2.objects" "$2.of"
}

# A file of the tree that is given as the program's own stands in for ours, or
# the pool's, of that name.
awk -F "$tab" -v sysdir="$sysdir/" '
FNR == NR {
	if (index($2, sysdir) == 1) {
		sub(/.*\//, "", $2)
		mine[$2]
	}
	next
}
{
	name = $2
	sub(/.*\//, "", name)
	if (!(name in mine))
		print
}' "$own" "$runtime" >"$tmp/runtime"
awk -F "$tab" -v sysdir="$sysdir/" '
FNR == NR { mine[$2]; next }
!($2 in mine)' "$own" "$pool" >"$tmp/pool"

# Link-time optimisation would hide names: it is done first then.
lto=no
for arg in "$@"; do
	case $arg in
	-flto*) lto=yes ;;
	esac
done
cat "$own" "$tmp/runtime" | cut -f 1 >"$tmp/objects"
if [ $lto = yes ]; then
	(
		while IFS= read -r object; do
			set -- "$@" "$object"
		done <"$tmp/objects"
		"$@" -r -nostdlib -o "$tmp/lto.o"
	) || { say "$1 -r failed (above)"; exit 1; }
	printf '%s\n' "$tmp/lto.o" >"$tmp/objects"
	printf '%s\t%s\n' "$tmp/lto.o" "" >"$tmp/lto"
	symbols "$tmp/lto" "$tmp/own.symbols"
	: >"$tmp/runtime.symbols"
	# What is left of -flto would only confuse the second link.
	i=$#
	while [ $i -gt 0 ]; do
		i=$((i - 1))
		arg=$1
		shift
		case $arg in
		-flto* | -flinker-output=*) ;;
		*) set -- "$@" "$arg" ;;
		esac
	done
else
	symbols "$own" "$tmp/own.symbols"
	symbols "$tmp/runtime" "$tmp/runtime.symbols"
fi
symbols "$tmp/pool" "$tmp/pool.symbols"

# What the last link has: the host side, libc's few, the compiler's own.
{
	grep -v '^#' "$here/libc-names"
	tr '\n' '\0' <"$host" | LC_ALL=C xargs -0 "$readelf" -sW --dyn-syms 2>/dev/null |
	    awk -v file=x -f "$here/symbols.awk" | sed -n 's/^[DW] \([^ @]*\).*/\1/p'
	cat "$tmp/own.symbols" "$tmp/runtime.symbols" "$tmp/pool.symbols" | awk '
	($1 == "U") && $2 ~ /^(__(asan|ubsan|tsan|msan|hwasan|sanitizer|sancov|afl|gcov|llvm|cyg)_|llvm_|__(u?div|u?mod|mul|ash[lr]|lshr|popcount|clz|ctz|parity|bswap|cmp|ucmp|fix|float|add|sub|neg|cpu|aarch64_)|_GLOBAL_OFFSET_TABLE_$|__tls_get_addr$|__stack_chk_fail$|_?setjmp$|longjmp$)/ { print $2 }'
} | LC_ALL=C sort -u >"$tmp/outside"

cat "$tmp/own.symbols" "$tmp/runtime.symbols" >"$tmp/have"
awk -v have="$tmp/have" -v pool="$tmp/pool.symbols" -v outside="$tmp/outside" \
    -v objects="$tmp/pulled" -v undefined="$tmp/undefined" -v clashes="$tmp/clashes" \
    -v absent="$tmp/absent" -v table="$tmp/supply" -f "$here/supply.awk"
if [ -s "$tmp/clashes" ]; then
	while read -r name first second; do
		say "$name is defined by ${first##*/} and by ${second##*/}, which another name was wanted of"
	done <"$tmp/clashes"
	say "leave one of them out"
	exit 1
fi
cat "$tmp/pulled" >>"$tmp/objects"
cp "$tmp/undefined" "$dir/undefined"

# A set without members has bounds all the same.
if [ -s "$tmp/absent" ]; then
	sed 's/.*/__asm__(".globl &\\n&:");/' "$tmp/absent" >"$tmp/absent.c"
	sh "$here/treecompile.sh" "$command" "$tmp/absent.c" "$tmp/absent.o" || exit 1
	printf '%s\n' "$tmp/absent.o" >>"$tmp/objects"
fi

if [ -s "$tmp/undefined" ] && [ "$stubs" != no ]; then
	sh "$here/treestubs.sh" -d "$dir" -t "$tmp" -n "$names" -r "$readelf" -s "$sysdir" -c "$command" -S "$stubs" || exit 1
	printf '%s\n' "$dir/stubs/stubs.o" >>"$tmp/objects"
fi
cp "$tmp/supply" "$dir/supply"
exec sh "$here/kernlink.sh" -o "$dir/kernel.o" -m "$dir/manifest.c" -n "$names" -r "$readelf" -- "$@" "@$tmp/objects"
