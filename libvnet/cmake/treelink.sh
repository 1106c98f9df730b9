#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The kernel world of a program on a kernel tree: its own objects, the
# runtime's, parts of the tree's stack, of the tree's other files those that
# something wants (providers), and stubs for what nobody has; all linked by
# kernlink.sh.
#
#   treelink.sh -d DIR -n NAMES.h -r READELF -s SYSDIR -S yes|panic|no -- CC [FLAG ...]
#
# DIR has lists of objects and of their sources, in one order: X.objects and
# X.sources, where X is under (code under test), test, runtime, stack, pool;
# host, the archives and shared objects of the last link; and command, the
# compiler and flags of a kernel-world file, one a line.
# Made in DIR: kernel.o, manifest.c; and for who asks supply (a table "name
# supplier wanter"), undefined (names that nobody has), stubs/.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
say() { echo "libvnet: $*" >&2; }
stubs=yes dir= names= readelf=readelf sysdir=
while [ "$1" != -- ]; do
	case $1 in
	-d) dir=$2 ;;
	-n) names=$2 ;;
	-r) readelf=$2 ;;
	-s) sysdir=$2 ;;
	-S) stubs=$2 ;;
	*) say "treelink.sh: unknown argument $1"; exit 2 ;;
	esac
	shift 2
done
shift
tmp=$dir/link
mkdir -p "$tmp"
tab=$(printf '\t')
for list in under test runtime stack pool; do
	paste "$dir/$list.objects" "$dir/$list.sources" | sed "/^$tab*\$/d" >"$tmp/$list.all"
done
# An object that was given says itself what it was compiled from.
. "$here/source_of.sh"
for list in under test; do
	while IFS="$tab" read -r object source; do
		case $source in
		"$object")
			source=$(source_of "$object")
			[ -f "$source" ] || source=$object
			;;
		esac
		printf '%s\t%s\n' "$object" "$source"
	done <"$tmp/$list.all" >"$tmp/$list.new"
	mv "$tmp/$list.new" "$tmp/$list.all"
done

# A file under test takes the place of the tree's file of that name, and a
# file of the tree that of ours.
awk -F "$tab" -v sysdir="$sysdir/" '
FILENAME ~ /under.all$/ || index($2, sysdir) == 1 { print $2 }
' "$tmp/under.all" "$tmp/test.all" >"$tmp/replacing"
replaced() {	# LIST WITH
	awk -F "$tab" -v inside="$2" '
	function base(path) { sub(/.*\//, "", path); return path }
	FILENAME ~ /replacing$/ {
		if (index($0, inside) == 1)
			mine[base($0)]
		next
	}
	!(base($2) in mine)' "$tmp/replacing" "$tmp/$1.all" >"$tmp/$1"
}
replaced runtime "$sysdir/"
replaced stack ""
replaced pool ""
cat "$tmp/under.all" "$tmp/test.all" >"$tmp/own"

# symbols LIST: of its objects; kept until one of them changes.
symbols() {
	cut -f 1 "$tmp/$1" >"$tmp/$1.now"
	if [ -f "$tmp/$1.symbols" ] && cmp -s "$tmp/$1.now" "$tmp/$1.of" &&
	    [ -z "$(tr '\n' '\0' <"$tmp/$1.now" | xargs -0 sh -c '
		for f do [ ! "$f" -nt "$0" ] || { echo "$f"; exit; }; done' "$tmp/$1.symbols")" ]; then
		return
	fi
	tr '\n' '\0' <"$tmp/$1.now" | LC_ALL=C xargs -0 "$readelf" -SsW 2>/dev/null |
	    awk -v file="$(head -n 1 "$tmp/$1.now")" -f "$here/symbols.awk" >"$tmp/$1.new"
	mv "$tmp/$1.new" "$tmp/$1.symbols"
	mv "$tmp/$1.now" "$tmp/$1.of"
}

# Link-time optimisation hides names, so it is done first.
cp "$tmp/own" "$tmp/own.given"
cat "$tmp/runtime" "$tmp/stack" >"$tmp/linked.given"
cat "$tmp/own" "$tmp/linked.given" | cut -f 1 >"$tmp/objects"
rm -f "$tmp/lto.o"
case " $* " in
*" -flto"*)
	(
		while IFS= read -r object; do
			set -- "$@" "$object"
		done <"$tmp/objects"
		"$@" -r -nostdlib -o "$tmp/lto.o"
	) || { say "$1 -r failed (above)"; exit 1; }
	printf '%s\n' "$tmp/lto.o" >"$tmp/objects"
	printf '%s\t\n' "$tmp/lto.o" >"$tmp/own"
	: >"$tmp/runtime"
	: >"$tmp/stack"
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
	;;
esac
for list in own runtime stack pool; do
	symbols $list
done

# What the last link has: the host side, libc's few, the compiler's own.
{
	grep -v '^#' "$here/libc-names"
	tr '\n' '\0' <"$dir/host" | LC_ALL=C xargs -0 "$readelf" -sW --dyn-syms 2>/dev/null |
	    awk -v file=x -f "$here/symbols.awk" | sed -n 's/^[DW] \([^ @]*\).*/\1/p'
	cat "$tmp/own.symbols" "$tmp/runtime.symbols" "$tmp/stack.symbols" "$tmp/pool.symbols" | awk '
	$1 == "U" && $2 ~ /^(__(asan|ubsan|tsan|msan|sanitizer|sancov|afl|gcov|llvm|cyg_profile|aarch64)_|llvm_|__[a-z]*[dst]i[23]$|_GLOBAL_OFFSET_TABLE_$|__tls_get_addr$|__stack_chk_fail$|_setjmp$|longjmp$)/ { print $2 }'
} | LC_ALL=C sort -u >"$tmp/outside"

cat "$tmp/own.symbols" "$tmp/runtime.symbols" "$tmp/stack.symbols" >"$tmp/have"
awk -v have="$tmp/have" -v pool="$tmp/pool.symbols" -v outside="$tmp/outside" \
    -v objects="$tmp/pulled" -v undefined="$tmp/undefined" -v clashes="$tmp/clashes" \
    -v absent="$tmp/absent" -v table="$tmp/supply" -f "$here/supply.awk"
if [ -s "$tmp/clashes" ]; then
	while read -r name first second; do
		first=${first##*/} second=${second##*/}
		say "$name is defined by ${first%.o} and by ${second%.o}, which is linked for another of its names"
	done <"$tmp/clashes"
	say "leave one of them out, or take both functions from one"
	exit 1
fi
cat "$tmp/pulled" >>"$tmp/objects"

# Tables speak of sources.
awk -F "$tab" -v OFS="$tab" -v sysdir="$sysdir/" -v ours="$(dirname "$here")/" '
function shown(object,   path) {
	path = object in source ? source[object] : object
	if (index(path, sysdir) == 1)
		return substr(path, length(sysdir) + 1)
	if (index(path, ours) == 1)
		return "libvnet/" substr(path, length(ours) + 1)
	return path
}
FILENAME ~ /supply$/ { print $1, shown($2), shown($3); next }
{ source[$1] = $2 }
' "$tmp/own" "$tmp/runtime" "$tmp/stack" "$tmp/pool" "$tmp/supply" >"$dir/supply"
cp "$tmp/undefined" "$dir/undefined"

wraps=
for arg in "$@"; do
	case $arg in
	-Wl,--wrap=*) wraps="$wraps${wraps:+ }${arg#*=}" ;;
	esac
done
stub=
if [ "$stubs" != no ] && { [ -s "$tmp/undefined" ] || [ -n "$wraps" ] || grep -q '^[DW] libvnet_stub_default_' "$tmp/have"; }; then
	sh "$here/treestubs.sh" -d "$dir" -n "$names" -r "$readelf" -s "$sysdir" -S "$stubs" -w "$wraps" || exit 1
	stub=$dir/stubs/stubs.o
	printf '%s\n' "$stub" >>"$tmp/objects"
fi

# A set without members has bounds all the same.
if [ -s "$tmp/absent" ]; then
	{
		[ -z "$stub" ] || LC_ALL=C "$readelf" -SW "$stub" | awk -f "$here/symbols.awk"
		sed 's/^/- /' "$tmp/absent"
	} | awk '
	$1 == "S" { set[$2]; next }
	{ name = $2; sub(/^__(start|stop)_/, "", name) }
	!(name in set) { printf "__asm__(\".globl %s\\n%s:\");\n", $2, $2 }' >"$tmp/absent.c"
	sh "$here/treecompile.sh" "$dir/command" "$tmp/absent.c" "$tmp/absent.o" || exit 1
	printf '%s\n' "$tmp/absent.o" >>"$tmp/objects"
fi
exec sh "$here/kernlink.sh" -o "$dir/kernel.o" -m "$dir/manifest.c" -n "$names" -r "$readelf" -k "$here/known-faults" \
    -- "$@" "@$tmp/objects"
