#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Files under test call the rest of a stack, which is not there.  Find out
# what they want that nobody supplies, and write it: functions that end the
# test and name their caller, data of the right size.  See <libvnet/stub.h>.
#
#   stubs.sh -o DIR -p PROVIDED -n NAMES.h -c COMMAND [-k LINKED] [-r READELF]
#            [-s SYSDIR] [-w "NAME ..."] [-m fail|panic] -- OBJECT ...
#
# Makes DIR/stubs.c, kernel-world C for the same flags as the objects, and
# DIR/undefined.txt: for each OBJECT's source, name by name, what is supplied
# and what is stubbed.  An OBJECT may be @FILE, which lists objects, one a line,
# and behind a tab the source of each (else its debug information says).
# LINKED is such a list of what is linked too, the runtime: it supplies names,
# and what it lacks itself is stubbed.  PROVIDED has what else there is, NAME
# or NAME FILE a line.  NAMES.h is kern_names.h.  COMMAND is a file with the
# compiler and the flags of the objects, as words for the shell.  -w: names
# whose callers the linker leads to __wrap_NAME.  -m panic: for a whole stack,
# where nothing is under test.
#
# Object files do not say what an undefined name is.  The compiler does: a
# generated file includes the source and asks.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: stubs.sh -o DIR -p PROVIDED -n NAMES.h -c COMMAND [-k LINKED] [-r READELF] [-s SYSDIR] [-w "NAME ..."] [-m fail|panic] -- OBJECT ...'
out= provided= names= command= linked=/dev/null readelf=readelf sysdir= wraps= mode=fail
say() { echo "stubs.sh: $*" >&2; }
while [ $# -gt 0 ]; do
	case $1 in
	--) shift; break ;;
	-[opnckrswm]) [ $# -gt 1 ] || { echo "$usage" >&2; exit 2; } ;;
	*) say "unknown argument $1"; echo "$usage" >&2; exit 2 ;;
	esac
	case $1 in
	-o) out=$2 ;;
	-p) provided=$2 ;;
	-n) names=$2 ;;
	-c) command=$2 ;;
	-k) linked=$2 ;;
	-r) readelf=$2 ;;
	-s) sysdir=$2 ;;
	-w) wraps=$2 ;;
	-m) mode=$2 ;;
	esac
	shift 2
done
if [ -z "$out" ] || [ -z "$provided" ] || [ -z "$names" ] || [ -z "$command" ] || [ $# -eq 0 ]; then
	echo "$usage" >&2
	exit 2
fi
case $mode in
fail | panic) ;;
*) say "-m is fail or panic, not $mode"; exit 2 ;;
esac
for file in "$provided" "$names" "$command" "$here/libc-names"; do
	[ -f "$file" ] || { say "there is no file $file"; exit 1; }
done
mkdir -p "$out"
tmp=$out/stubs.scratch
rm -rf "$tmp" "$out/stubs.c" "$out/undefined.txt"
mkdir "$tmp"
trap 'rm -rf "$tmp"' EXIT
tab=$(printf '\t')
LC_ALL=C
export LC_ALL

for arg; do
	case $arg in
	@*) cat "${arg#@}" ;;
	*) printf '%s\n' "$arg" ;;
	esac
done | sed '/^$/d' >"$tmp/own"
cat "$tmp/own" "$linked" | sed '/^$/d' >"$tmp/sources"
cut -f 1 "$tmp/sources" >"$tmp/objects"
(
	eval "set -- $(tr '\n' ' ' <"$command")"
	printf '%s\n' "$@"
) | sed '/^-c$/d' >"$tmp/arguments"
cc=$(sed 1q "$tmp/arguments")

# compile ARGUMENT ...: the objects' compiler and flags, and these; what it
# instruments is of no interest, and link-time optimisation would hide all.
compile() {
	compile_args=$#
	while IFS= read -r arg; do
		set -- "$@" "$arg"
	done <"$tmp/arguments"
	while [ $compile_args -gt 0 ]; do
		compile_args=$((compile_args - 1))
		arg=$1
		shift
		set -- "$@" "$arg"
	done
	# The last two folders: LINKED may have files of libvnet's.
	"$@" "-I$here/../kern" "-I$here/../seam" -w -O0 -g0 -fno-lto -fno-sanitize=all -fdiagnostics-color=never
}
case $(echo __clang__ | "$cc" -E -P - 2>/dev/null) in
__clang__) few="-ftrack-macro-expansion=0" nm=gcc-nm ;;
*) few="-ferror-limit=0" nm=llvm-nm ;;
esac

. "$here/source_of.sh"

# ---- who wants what

# LTO objects keep their names where only the compiler's own nm looks.
while IFS= read -r object; do
	[ -f "$object" ] || { say "there is no object $object"; exit 1; }
done <"$tmp/objects"
tr '\n' '\0' <"$tmp/objects" | xargs -0 "$readelf" -sW 2>/dev/null | awk -v OFS="$tab" -v object="$(sed 1q "$tmp/objects")" '
/^File: / { object = substr($0, 7); next }
$8 == "__gnu_lto_slim" { lto[object] }
$1 !~ /^[0-9]+:$/ || $5 == "LOCAL" || $8 == "" { next }
{ line[++n] = object OFS ($7 != "UND" ? "D" : $5 == "WEAK" ? "W" : "U") OFS $8; of[n] = object }
END { for (i = 1; i <= n; i++) if (!(of[i] in lto)) print line[i] }' >"$tmp/elf"
awk -F "$tab" -v OFS="$tab" 'FILENAME ~ /elf$/ { seen[$1]; next } !($1 in seen) { print $1 }' "$tmp/elf" "$tmp/objects" >"$tmp/others"
[ ! -s "$tmp/others" ] || nm=$("$cc" -print-prog-name=$nm 2>/dev/null || echo $nm)
{
	awk -v OFS="$tab" '{ print $0, "N", "-" }' "$tmp/objects"	# numbers all
	cat "$tmp/elf"
	while IFS= read -r object; do
		"$nm" -P -g "$object" 2>/dev/null | awk -v OFS="$tab" -v object="$object" '
		$1 !~ /^__gnu_lto/ { print object, $2 == "U" ? "U" : $2 ~ /[wv]/ ? "W" : "D", $1 }' || :
	done <"$tmp/others"
} >"$tmp/symbols"
awk -v wraps="$wraps" -v own="$(wc -l <"$tmp/own")" -f "$here/stubs_sort.awk" "$names" "$here/libc-names" "$provided" "$tmp/symbols" >"$tmp/sorted"

# NUMBER SOURCE of each; a linked object that wants nothing is only named.
awk -F "$tab" -v OFS="$tab" -v own="$(wc -l <"$tmp/own")" '
FILENAME ~ /sorted$/ {
	if ($1 == "missing") {
		n = split($4, o, ",")
		for (i = 1; i <= n; i++) needed[o[i]]
	}
	next
}
$2 != "" { print FNR, $2; next }
FNR <= own || FNR in needed { print FNR, "?" $1; next }
{ sub(/.*\//, "", $1); sub(/\.o$/, "", $1); print FNR, $1 }' "$tmp/sorted" "$tmp/sources" |
while IFS="$tab" read -r number source; do
	case $source in
	"?"*) source=$(source_of "${source#"?"}") ;;
	esac
	printf '%s\t%s\n' "$number" "$source"
done >"$tmp/numbered"

# ---- what it is

# declared SOURCE: of the names in ask, which it declares, and where.
declared() {
	awk -v kind=where -v source="$1" -f "$here/stubs_probe.awk" "$tmp/ask" >"$tmp/probe.c"
	compile "$few" -fsyntax-only "$tmp/probe.c" >"$tmp/log" 2>&1 || :
	if awk -v probe="$tmp/probe.c" 'index($0, probe ":") != 1 && / error: / { bad = 1 } END { exit !bad }' "$tmp/log"; then
		return 1
	fi
	awk -v OFS="$tab" -v probe="$tmp/probe.c" '
	FILENAME ~ /ask$/ { name[FNR] = $1; cname[FNR] = $2; next }
	index($0, probe ":") == 1 && / error: / {
		split(substr($0, length(probe) + 2), f, ":")
		n = int((f[1] - 1) / 2)
		if (n in name) where[n] = "-"
		next
	}
	/: note: previous / && n in where && where[n] == "-" {
		split($0, f, ":")
		where[n] = f[1] ":" f[2]
	}
	END { for (i in where) print name[i], cname[i], where[i] }
	' "$tmp/ask" "$tmp/log" | sort
}

# described SOURCE: of the names in declared, what they are; one whose type is
# not complete has size 0 and alignment 0.
described() {
	cut -f 1,2 "$tmp/declared" >"$tmp/ask2"
	: >"$tmp/opaque"
	while [ -s "$tmp/ask2" ]; do
		awk -v kind=what -v source="$1" -f "$here/stubs_probe.awk" "$tmp/ask2" >"$tmp/probe.c"
		if compile "$few" -S -o "$tmp/probe.s" "$tmp/probe.c" >"$tmp/log" 2>&1; then
			break
		fi
		awk -v probe="$tmp/probe.c" '
		FILENAME ~ /ask2$/ { line[FNR] = $0; next }
		index($0, probe ":") == 1 && / error: / {
			split(substr($0, length(probe) + 2), f, ":")
			n = int((f[1] - 3) / 4) + 1
			if (n in line) { print line[n]; delete line[n] }
		}' "$tmp/ask2" "$tmp/log" >"$tmp/bad"
		[ -s "$tmp/bad" ] || return 1
		cat "$tmp/bad" >>"$tmp/opaque"
		grep -v -x -F -f "$tmp/bad" "$tmp/ask2" >"$tmp/rest" || :
		mv "$tmp/rest" "$tmp/ask2"
	done
	if [ -s "$tmp/ask2" ]; then
		sed -n 's/.*->\([^<]*\) <-.*/\1/p' "$tmp/probe.s"
	fi >"$tmp/said"
	awk -v OFS="$tab" '
	BEGIN { split("data function epoch mtx rwlock sx rmlock node type counters", kinds, " ") }
	FILENAME ~ /said$/ { at[$1, $2] = $3; next }
	FILENAME ~ /opaque$/ { opaque[$1]; next }
	{
		kind = $1 in opaque ? "opaque" : kinds[at[$1, "kind"] + 1]
		print $1, $2, kind, at[$1, "size"] + 0, at[$1, "align"] + 0, $3
	}' "$tmp/said" "$tmp/opaque" "$tmp/declared"
}

# Each name by the first source that declares it.
: >"$tmp/facts"
while IFS="$tab" read -r number source; do
	awk -F "$tab" -v n="$number" '
	FILENAME ~ /facts$/ { known[$1]; next }
	$1 == "missing" && !($2 in known) && index("," $4 ",", "," n ",") { print $2 "\t" $3 }
	' "$tmp/facts" "$tmp/sorted" >"$tmp/ask"
	[ -s "$tmp/ask" ] && [ -f "$source" ] || continue
	case $source in
	*.o) continue ;;	# it does not say
	esac
	if ! declared "$source" >"$tmp/declared" || ! described "$source" >"$tmp/new"; then
		# What is only linked too may want other flags.
		[ "$number" -le "$(wc -l <"$tmp/own")" ] || continue
		cat "$tmp/log" >&2
		say "$source does not compile once more, with the command in $command"
		exit 1
	fi
	cat "$tmp/new" >>"$tmp/facts"
done <"$tmp/numbered"
sort -o "$tmp/facts" "$tmp/facts"

# ---- what is wrong

awk -F "$tab" '
FILENAME ~ /numbered$/ { sub(/.*\//, "", $2); source[$1] = $2; next }
FILENAME ~ /facts$/ { kind[$1] = $3; size[$1] = $4; next }
$1 == "wrong" { print $2 }
$1 == "default" {
	fate = $5
	if (fate == "" && kind[$3] == "opaque")
		fate = "is data of unknown size"
	else if (fate == "" && kind[$3] != "function" && kind[$3] != "")
		fate = "is data of " size[$3] " bytes"
	if (NF > 5)
		fate = fate " " source[$6]
	if (fate != "")
		print source[$4] " says what the stub of " $2 " shall do, but " $2 " is no stub: it " fate
}' "$tmp/numbered" "$tmp/facts" "$tmp/sorted" | sort >"$tmp/wrong"
if [ -s "$tmp/wrong" ]; then
	sed 's/^/stubs.sh: /' "$tmp/wrong" >&2
	exit 1
fi

# ---- what is written

: >"$tmp/nodes"
if grep -q "^sysctl___.*${tab}node$tab" "$tmp/facts" && [ -d "$sysdir/kern" ]; then
	find "$sysdir"/kern "$sysdir"/net* -name '*.c' -exec grep -l SYSCTL_NODE {} + | tr '\n' '\0' |
	    xargs -0 cat | tr '\n\t' '  ' | grep -o 'SYSCTL_NODE([^()]*,[^()]*,[^(),]*,' |
	    sed 's/SYSCTL_NODE(//; s/ //g' | awk -F , 'NF == 4 { print $1, $3 }' >"$tmp/nodes"
fi
{
	sed -n 's/^sysctl__\(_[^ 	]*\).*/\1/p' "$provided"
	sed -n "s/.*${tab}D${tab}sysctl__\(_.*\)/\1/p" "$tmp/symbols"
} >"$tmp/known"
awk -F "$tab" '$1 == "default" { print $2 }' "$tmp/sorted" >"$tmp/given"
mbufs=$(awk -F "[ $tab]" '$1 == "m_freem" || $2 == "D" && $3 == "m_freem" { found = 1 } END { print found + 0 }' "$provided" "$tmp/symbols")
awk -v mbufs="$mbufs" -v seam="$(cd "$here/../seam" && pwd)" -v mode="$mode" -f "$here/stubs_write.awk" \
    "$tmp/known" "$tmp/nodes" "$tmp/given" "$tmp/facts" >"$tmp/stubs.c"
[ -s "$tmp/stubs.c" ] || echo "/* Made by stubs.sh: nothing is missing. */" >"$tmp/stubs.c"
awk -F "$tab" -v sysdir="$sysdir" -v root="$(cd "$here/../.." && pwd)" -f "$here/stubs_list.awk" \
    "$tmp/numbered" "$tmp/facts" "$tmp/sorted" | sort -t "$tab" -k 1,1 -k 2,2n -k 3,3 |
    awk -F "$tab" -f "$here/columns.awk" >"$out/undefined.txt"
mv "$tmp/stubs.c" "$out/stubs.c"
