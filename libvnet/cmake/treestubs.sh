#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Stubs for what nobody supplies to a program on a kernel tree: has stubs.sh
# write them where what is missing, or who wants it, has changed, and compiles
# them.  Called by treelink.sh, which has left its lists in DIR/link.
#
#   treestubs.sh -d DIR -n NAMES.h -r READELF -s SYSDIR -S yes|panic [-w "NAME ..."]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
say() { echo "libvnet: $*" >&2; }
wraps=
while [ $# -gt 0 ]; do
	case $1 in
	-d) dir=$2 ;;
	-n) names=$2 ;;
	-r) readelf=$2 ;;
	-s) sysdir=$2 ;;
	-S) mode=$2 ;;
	-w) wraps=$2 ;;
	esac
	shift 2
done
tmp=$dir/link out=$dir/stubs
tab=$(printf '\t')
case $mode in
yes) mode=fail ;;
esac
mkdir -p "$out"

# Who wants what is missing; and what tests say of stubs.
cat "$tmp/have" "$tmp/pool.symbols" | awk -v undefined="$tmp/undefined" -v pulled="$tmp/pulled" -v pool="$tmp/pool.of" '
BEGIN {
	while ((getline name < undefined) > 0)
		missing[name]
	while ((getline line < pool) > 0)
		left[line]
	while ((getline line < pulled) > 0)
		delete left[line]
}
{
	name = $2
	object = $0
	sub(/^[^ ]+ [^ ]+ /, "", object)
	if (object in left)
		next
}
$1 == "U" && name in missing { print name "\t" object }
$1 != "U" && name ~ /^libvnet_stub_default_/ { print name "\t" object }
' >"$tmp/wants"
cut -f 2 "$tmp/wants" | LC_ALL=C sort -u >"$tmp/wanters"
# Of what is linked too only those that want something are looked at; LTO
# objects do not say.
awk -F "$tab" -v lto="$([ ! -f "$tmp/lto.o" ] || echo yes)" '
    FILENAME ~ /wanters$/ { wants[$1]; next }
    FILENAME ~ /linked.given$/ && lto == "yes" { print; next }
    $1 in wants' "$tmp/wanters" "$tmp/linked.given" "$tmp/pool" >"$tmp/linked"
if [ -f "$out/stubs.c" ] && { cat "$dir/command" "$tmp/own.given" "$tmp/wants"; echo "$wraps"; } | cmp -s - "$out/for" &&
    [ -z "$(tr '\n' '\0' <"$tmp/wanters" | xargs -0 sh -c '
	for f do [ ! "$f" -nt "$0" ] || { echo "$f"; exit; }; done' "$out/stubs.c")" ]; then
	exit 0
fi
rm -f "$out/for"
{
	awk -F "$tab" '$2 != "nobody" && $2 != "host" { print $1 "\t" $2 }' "$dir/supply"
	cat "$tmp/outside"
	# What nobody asked for so far, but a default may.
	awk '
	FILENAME ~ /pulled$/ { pulled[$0]; next }
	$1 != "D" && $1 != "W" { next }
	FILENAME ~ /pool.symbols$/ {
		object = $0
		sub(/^[^ ]+ [^ ]+ /, "", object)
		if (!(object in pulled))
			next
	}
	{ print $2 }' "$tmp/pulled" "$tmp/runtime.symbols" "$tmp/stack.symbols" "$tmp/pool.symbols"
} >"$tmp/provided"
sed -e "s/'/'\\\\''/g" -e "s/.*/'&'/" "$dir/command" >"$tmp/command"
[ -f "$here/stubs.sh" ] || {
	say "nobody supplies $(tr '\n' ' ' <"$tmp/undefined")"
	exit 1
}
sh "$here/stubs.sh" -o "$out" -p "$tmp/provided" -n "$names" -r "$readelf" -s "$sysdir" -c "$tmp/command" \
    -k "$tmp/linked" -m "$mode" -w "$wraps" -- "@$tmp/own.given"
sh "$here/treecompile.sh" "$dir/command" "$out/stubs.c" "$out/stubs.o"
{ cat "$dir/command" "$tmp/own.given" "$tmp/wants"; echo "$wraps"; } >"$out/for"
