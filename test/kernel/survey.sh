#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# What of a kernel tree's network stack libvnet can take: compiles every file
# of it, as it is, and prints for each compiler
#
#   - for each folder, how many files there are, compile, compile with an
#     option that the others go without, and fail;
#   - the files that fail, with the first error;
#   - the functions and data that they want and nobody has, with who wants
#     them: no file of those that compile, no file of libvnet/kern, none of the
#     tree's own that are linked on demand (libvnet/cmake/providers).
#
#   survey.sh [-o DIR] [-q] SYSDIR [COMPILER ...]
#
# DIR (build/survey) keeps the objects, and missing-COMPILER and
# status-COMPILER in full.  -q: no lists of names.  Compilers: gcc and clang
# where they are.  LIBVNET_JOBS: so many at a time.  Exits with 1 when a file
# fails, a file of libvnet's too, or a name is missing.
#
# A missing name is called foreign, and does not count, when no header of the
# tree has it (generated ones included) and no .c file of the tree defines it:
# every global name of FreeBSD's kernel has the one or the other in sys/, so
# that one without comes with a change that somebody made.  Nor do names count
# that a file of the survey itself defines, under an option that is not set or
# in a file that does not compile.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tab=$(printf '\t')
LC_ALL=C
export LC_ALL

plain="VIMAGE INET INET6 TCP_HHOOK TCPHPTS ROUTE_MPATH FIB_ALGO DEV_BPF SCTP"
# Tried one after another on a file that does not compile.
sets="plain= RSS=RSS,PCBGROUP STATS=STATS TCP_RFC7413=TCP_RFC7413 IPSEC_SUPPORT=IPSEC_SUPPORT IPSEC=IPSEC
ALTQ=ALTQ,ALTQ_CBQ,ALTQ_CODEL,ALTQ_RED,ALTQ_RIO,ALTQ_HFSC,ALTQ_PRIQ,ALTQ_FAIRQ DEBUGNET=DEBUGNET
TCP_BLACKBOX=TCP_BLACKBOX TCPPCAP=TCPPCAP KERN_TLS=KERN_TLS RATELIMIT=RATELIMIT MROUTING=MROUTING"
# Folders, and patterns below sys/; the second word takes files out.
scope() {
	cat <<-'END'
	net net/*.c
	net/route net/route/*.c
	net/altq net/altq/*.c
	netinet netinet/*.c
	netinet/cc netinet/cc/*.c
	netinet/libalias netinet/libalias/*.c
	netinet/tcp_stacks netinet/tcp_stacks/*.c
	netinet6 netinet6/*.c
	netpfil/ipfw netpfil/ipfw/*.c
	netpfil/ipfw netpfil/ipfw/nat64/*.c
	netpfil/ipfw netpfil/ipfw/nptv6/*.c
	netpfil/ipfw netpfil/ipfw/pmod/*.c
	netpfil/pf netpfil/pf/*.c
	netipsec netipsec/*.c
	netgraph netgraph/*.c
	netlink netlink/*.c
	netlink netlink/route/*.c
	kern/uipc kern/uipc_*.c
	END
}

# survey.sh --one BUILD SYSDIR GROUP FILE: compiles one; prints GROUP, FILE, the
# set of options it compiled with or "-", and the error.
if [ "${1:-}" = --one ]; then
	build=$2 sysdir=$3 group=$4 file=$5
	case $file in
	"$root"/*) object=$build/objects/${file#"$root"/}.o ;;
	*) object=$build/objects/tree/${file#"$sysdir"/}.o ;;
	esac
	mkdir -p "${object%/*}"
	compile() {	# SET
		list=$build/command_$1
		set --
		while IFS= read -r word; do
			set -- "$@" "$word"
		done <"$list"
		case $group in
		libvnet/*) set -- "$@" "-I$root/libvnet/kern" "-I$root/libvnet/seam" ;;
		esac
		"$@" -O1 -c "$file" -o "$object"
	}
	first=
	while IFS= read -r set; do
		if compile "$set" 2>"$object.log"; then
			printf '%s\t%s\t%s\t\t%s\n' "$group" "$file" "$set" "$object"
			exit 0
		fi
		[ -n "$first" ] || first=$(sed -n 's/.*error: //p' "$object.log" | sed 1q | tr '\t' ' ')
		rm -f "$object"
		case $group in
		libvnet/* | providers) break ;;
		esac
	done <"$build/sets"
	printf '%s\t%s\t-\t%s\t\n' "$group" "$file" "${first:-the compiler says nothing}"
	exit 0
fi

out=$root/build/survey quiet=
while getopts o:q option; do
	case $option in
	o) out=$OPTARG ;;
	q) quiet=1 ;;
	*) echo "usage: survey.sh [-o DIR] [-q] SYSDIR [COMPILER ...]" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { echo "usage: survey.sh [-o DIR] [-q] SYSDIR [COMPILER ...]" >&2; exit 2; }
[ -d "$1" ] || { echo "survey.sh: there is no folder $1" >&2; exit 2; }
sysdir=$(cd "$1" && pwd -P)
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
if [ $# -eq 0 ]; then
	for cc in gcc clang; do
		! command -v $cc >/dev/null 2>&1 || set -- "$@" $cc
	done
fi
[ $# -gt 0 ] || { echo "survey.sh: there is no gcc and no clang" >&2; exit 2; }
jobs=${LIBVNET_JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}

# survey COMPILER
survey() {
	name=$(basename "$1")
	build=$out/$name
	rm -rf "$build"
	mkdir -p "$build"
	cmake -S "$here/survey" -B "$build" -G Ninja -DCMAKE_C_COMPILER="$1" -DSYSDIR="$sysdir" \
	    "-DPLAIN=$(echo $plain | tr ' ' ';')" "-DSETS=$(echo $sets | tr ' ' ';')" >"$build/log" 2>&1 &&
	    cmake --build "$build" --target set_plain >>"$build/log" 2>&1 || {
		sed -n '/CMake Error/,/^$/p; /error:/p; /FAILED/p' "$build/log" >&2
		echo "survey.sh: $1: the tree cannot be used (above; all of it: $build/log)" >&2
		return 2
	}
	sysdir=$(sed -n 2p "$build/tree")	# the whole of src may have been given
	{
		scope | while read -r folder pattern; do
			# shellcheck disable=SC2086
			(cd "$sysdir" && ls $pattern 2>/dev/null || :) | awk -v folder="$folder" -v dir="$sysdir" '{ print folder "\t" dir "/" $0 }'
		done
		sed "/^\$/d; s|^|providers$tab|" "$build/providers"
		find "$root/libvnet/kern" -name '*.c' | sort | sed "s|^|libvnet/kern$tab|"
	} | awk -F "$tab" '!seen[$2]++' >"$build/files"
	tr '\t\n' '\0\0' <"$build/files" | xargs -0 -n 2 -P "$jobs" sh "$here/survey.sh" --one "$build" "$sysdir" |
	    sort >"$out/status-$name"
	cut -f 5 "$out/status-$name" | sed '/^$/d' | tr '\n' '\0' | xargs -0 readelf -sW 2>/dev/null >"$build/symbols"
	awk -f "$here/survey/missing.awk" "$out/status-$name" "$root/libvnet/cmake/libc-names" "$build/symbols" |
	    sort >"$build/wanted"
	classed "$build" >"$out/missing-$name"
	awk -F "$tab" -v sysdir="$sysdir" -v root="$root" -v cc="$("$1" --version | sed 1q)" -v version="$(sed 1q "$build/tree")" \
	    -v options="$(sed -n 3p "$build/tree" | tr ';' ' ')" -v quiet="$quiet" -f "$here/survey/report.awk" \
	    "$build/files" "$out/status-$name" "$out/missing-$name"
}

# classed BUILD: NAME, WANTERS, what kind of name it is, and who would have it.
classed() {
	cut -f 1 "$1/wanted" | sed 's/^vnet_entry_//; s/^pcpu_entry_//; s/^lvk_//; s/^sysctl__//' | sort -u >"$1/names"
	: >"$1/words"
	: >"$1/defines"
	if [ -s "$1/names" ]; then
		tree=$(dirname "$(find "$1/libvnet-tree" -name opt-files | sed 1q)")
		find "$sysdir" "$tree/generated" -name '*.h' | tr '\n' '\0' | xargs -0 grep -howF -f "$1/names" 2>/dev/null |
		    sort -u >"$1/words" || :
		(cd "$sysdir" && find . -name '*.c' ! -path './dev/*' ! -path './contrib/dev/*' | sort | tr '\n' '\0' |
		    xargs -0 awk -f "$here/survey/defines.awk") >"$1/defines"
	fi
	awk -v sysdir="$sysdir" -f "$here/survey/foreign.awk" "$1/words" "$1/defines" "$out/status-$name" "$1/wanted"
}

bad=0
for cc in "$@"; do
	status=0
	survey "$cc" || status=$?
	[ $status -eq 0 ] || bad=$status
done
exit $bad
