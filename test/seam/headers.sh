#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Does each header compile on its own, as the only one in a file?  One line
# on standard output for each that does not.
#
#   headers.sh -c COMPILER -f FLAGS [-e SUFFIX] [-b NAME] [-p NAME:BEFORE]... DIR PATTERN
#
# COMPILER gets the flags of the file FLAGS, one a line.  The headers are those
# under DIR whose path matches PATTERN, included by their path from DIR.  -e:
# suffix of the source, .c or .cpp.  -b: this one must not compile.  -p: this
# one is a part of another, which FreeBSD includes before it.
set -eu
cc=cc flags= suffix=.c never= parts=
while getopts c:f:e:b:p: o; do
	case $o in
	c) cc=$OPTARG ;;
	f) flags=$OPTARG ;;
	e) suffix=$OPTARG ;;
	b) never="$never $OPTARG " ;;
	p) parts="$parts $OPTARG" ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
dir=$1 pattern=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
sed 's/^SHELL://' "$flags" >"$tmp/flags"	# as CMake marks words to split
( cd "$dir" && find . -name '*.h' | sed 's/^\.\///' | LC_ALL=C sort ) | grep -E "$pattern" >"$tmp/headers" ||
    { echo "headers.sh: no header matches $pattern in $dir" >&2; exit 2; }
bad=0
while IFS= read -r header; do
	for part in $parts; do
		[ "${part%%:*}" != "$header" ] || echo "#include <${part#*:}>"
	done >"$tmp/one$suffix"
	# Twice: the guard is tested too.
	printf '#include <%s>\n#include <%s>\nextern int headers_sh;\n' "$header" "$header" >>"$tmp/one$suffix"
	ok=yes
	"$cc" "@$tmp/flags" "-I$dir" -fsyntax-only "$tmp/one$suffix" >"$tmp/out" 2>&1 || ok=no
	case "$never" in
	*" $header "*)
		[ $ok = no ] || { echo "$header compiles, and must not"; bad=1; }
		;;
	*)
		[ $ok = yes ] || { echo "$header: $(grep -m 1 -E 'error|warning' "$tmp/out" | sed 's/.*one\.[a-z]*:[0-9:]* //')"; bad=1; }
		;;
	esac
done <"$tmp/headers"
exit $bad
