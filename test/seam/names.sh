#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What the two worlds may call of each other and of libc, by the symbol
# tables of their objects.  One line on standard output for each breach.
#
#   names.sh [-u] -k LIST -h LIST -s SEAM.h -n KERN_NAMES.h -a ALLOWED [-l LIBC]...
#
# -u: what the seam declares and nobody calls is no breach.
# -k and -h list the objects of kernel world and of host world, one a line.
# ALLOWED lists what kernel world may take from libc; -l names a shared library
# of libc's, of whose names it may define none.
# NM may name another nm.
set -eu
nm=${NM:-nm} kernel= host= seam= names= allow= bad= unused=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
: >"$tmp/libc"
while getopts uk:h:s:n:a:l: o; do
	case $o in
	u) unused=0 ;;
	k) kernel=$OPTARG ;;
	h) host=$OPTARG ;;
	s) seam="$seam $OPTARG" ;;	# each of its headers
	n) names=$OPTARG ;;
	a) allow=$OPTARG ;;
	l) "$nm" -D -P "$OPTARG" | awk '$2 ~ /^[TWViBDRAu]$/ { sub(/@.*/, "", $1); print $1 }' >>"$tmp/libc" ;;
	*) exit 2 ;;
	esac
done
# "object: name type ..." to "object<tab>name<tab>type"
symbols() {
	set --
	while IFS= read -r object; do
		[ -z "$object" ] || set -- "$@" "$object"
	done
	LC_ALL=C "$nm" -A -P -g "$@" | awk '{
		at = index($0, ": ")
		object = substr($0, 1, at - 1)
		sub(/.*\//, "", object)
		split(substr($0, at + 2), f, " ")
		print object "\t" f[1] "\t" f[2]
	}'
}
symbols <"$kernel" >"$tmp/kernel"
symbols <"$host" >"$tmp/host"
# Functions and data that the seam declares, without its comments.
awk '{
	line = ""
	rest = $0
	while (rest != "") {
		at = index(rest, inside ? "*/" : "/*")
		if (!inside)
			line = line (at ? substr(rest, 1, at - 1) : rest)
		if (!at)
			break
		inside = !inside
		rest = substr(rest, at + 2)
	}
	while (match(line, /vn[hk]_[a-z0-9_]+\(/)) {
		print substr(line, RSTART, RLENGTH - 1)
		line = substr(line, RSTART + RLENGTH)
	}
}' $seam | sort -u >"$tmp/seam"

awk -F '\t' -v unused=$unused '
function breach(text) { print text; n++ }
FILENAME ~ /\/seam$/ { declared[$1]; next }
FILENAME ~ /\/libc$/ { libc[$1]; next }
FILENAME == ARGV[3] { used_ok[$1]; next }
FILENAME ~ /\.h$/ {
	split($0, f, " ")
	if (f[2] == "redefine_extname") renamed[f[3]]
	next
}
FILENAME ~ /\/kernel$/ {
	if ($3 ~ /^[Uw]$/) kwants[$2] = kwants[$2] " " $1
	else if ($3 ~ /^[A-Zv]$/) kdef[$2] = $1
	next
}
$3 ~ /^[Uw]$/ { hwants[$2] = hwants[$2] " " $1; next }
$3 ~ /^[A-Zv]$/ { hdef[$2] = $1 }
END {
	runtime = "^(__(asan|msan|tsan|ubsan|sanitizer|gcov|llvm|afl)_|__tls_get_addr$|_GLOBAL_OFFSET_TABLE_$)"
	for (s in kwants) {
		if (s in renamed)
			breach("kernel world calls " s " of libc, in" kwants[s])
		else if (s ~ /^vnh_/) {
			if (!(s in declared))
				breach("kernel world calls " s ", which seam.h does not declare, in" kwants[s])
		} else if (!(s in kdef) && s !~ /^__(start|stop)_set_/ && !(s in used_ok) && s !~ runtime)
			breach("kernel world calls " s ", which is not its own, in" kwants[s])
	}
	for (s in kdef) {
		if (s in renamed)
			breach("kernel world defines " s " under its plain name, in " kdef[s])
		else if (s in libc)
			breach("kernel world defines " s ", a name of libc, in " kdef[s])
		if (s in hdef)
			breach("both worlds define " s ", in " kdef[s] " and " hdef[s])
	}
	for (s in hwants)
		if (s in kdef && !(s ~ /^vnk_/ && s in declared))
			breach("host world calls " s " of kernel world behind the seam, in" hwants[s])
	for (s in declared) {
		if (s ~ /^vnh_/ && !(s in hdef)) breach("seam.h declares " s ", which host world does not define")
		if (unused && s ~ /^vnh_/ && !(s in kwants)) breach("seam.h declares " s ", which kernel world never calls")
		if (s ~ /^vnk_/ && !(s in kdef)) breach("seam.h declares " s ", which kernel world does not define")
		if (unused && s ~ /^vnk_/ && !(s in hwants)) breach("seam.h declares " s ", which host world never calls")
	}
	exit n > 0
}' "$tmp/seam" "$tmp/libc" "$allow" "$names" "$tmp/kernel" "$tmp/host" >"$tmp/out" || bad=yes
LC_ALL=C sort "$tmp/out"
[ -z "$bad" ]
