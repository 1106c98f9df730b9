#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What a set of sources includes, by the compiler's own word (-M).  One line
# on standard output for each header that should not be seen.
#
#   purity.sh -c CC -f FLAGS -s SOURCES [-o PREFIX]... [-x PREFIX]...
#
# FLAGS and SOURCES are files, one entry a line.  Each header must lie under
# one of the -o (if any are given) and under none of the -x.
set -eu
cc=cc flags= sources=
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/rules"
while getopts c:f:s:o:x: o; do
	case $o in
	c) cc=$OPTARG ;;
	f) flags=$OPTARG ;;
	s) sources=$OPTARG ;;
	o | x) printf '%s %s\n' "$o" "$OPTARG" >>"$tmp/rules" ;;
	*) exit 2 ;;
	esac
done
sed 's/^SHELL://' "$flags" >"$tmp/flags"	# as CMake marks words to split
set --
while IFS= read -r source; do
	[ -z "$source" ] || set -- "$@" "$source"
done <"$sources"
[ $# -gt 0 ] || { echo "purity.sh: no sources" >&2; exit 2; }
"$cc" "@$tmp/flags" -M "$@" >"$tmp/deps"
awk '
FILENAME ~ /rules$/ {
	prefix = substr($0, 3)
	if ($1 == "o") only[++nonly] = prefix; else never[++nnever] = prefix
	next
}
# make syntax: "x.o: x.c a.h \" and so on; a space in a name is "\ "
{
	gsub(/\\ /, "\001")
	sub(/\\$/, "")
	if (match($0, /^[^ ]*\.o:/)) {
		$0 = substr($0, RLENGTH + 1)
		source = ""
	}
	for (i = 1; i <= NF; i++) {
		name = $i
		gsub(/\001/, " ", name)
		look(name)
	}
}
function look(name,   i, ok, short) {
	if (source == "") source = name
	ok = nonly == 0
	for (i = 1; i <= nonly; i++)
		if (index(name, only[i]) == 1) ok = 1
	for (i = 1; i <= nnever; i++)
		if (index(name, never[i]) == 1) ok = 0
	if (ok) return
	short = source
	sub(/.*\//, "", short)
	print short " includes " name
	bad = 1
}
END { exit bad }
' "$tmp/rules" "$tmp/deps"
