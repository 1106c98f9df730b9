#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# kinds.sh PROGRAM FINDING.h DIR: the table of kinds in the header is the one
# in the library; each kind is raised in PROGRAM, and its twin finds nothing.
set -u
prog=$1 header=$2 dir=$3
mkdir -p "$dir"
bad=0
say() { echo "not ok: $*"; bad=$((bad + 1)); }

"$prog" --kinds >"$dir/kinds" || say "--kinds failed"
sed -n '/The kinds:$/,/^ \*$/!d; /^ \*	[a-z]/{ s/^ \*	//; s/		*/	/; p; }' "$header" >"$dir/kinds.doc"
[ -s "$dir/kinds.doc" ] || sed -n 's/^ \*	\([a-z]*\)		*\(.*\)$/\1	\2/p' "$header" |
    sed '/^fail	/,$d' >"$dir/kinds.doc"
diff "$dir/kinds.doc" "$dir/kinds" >"$dir/kinds.diff" || {
	cat "$dir/kinds.diff"
	say "the table in $(basename "$header") is not that of the library"
}

"$prog" --findings=json:"$dir/kinds.json" >"$dir/kinds.out" 2>&1 || {
	cat "$dir/kinds.out"
	say "the tests of kinds failed"
}
"$prog" --filter='*_twin_is_silent' --findings=json:"$dir/twins.json" >"$dir/twins.out" 2>&1 ||
	say "the twins failed"
[ ! -s "$dir/twins.json" ] || say "a twin found something: $(cat "$dir/twins.json")"
while read -r kind rest; do
	for t in is_found twin_is_silent; do
		grep -q "^ok [0-9]* - ${kind}_$t\$" "$dir/kinds.out" ||
		    grep -q "SKIP ${kind}_$t\$" "$dir/kinds.out" || say "no test ${kind}_$t"
	done
	grep -q "SKIP ${kind}_is_found" "$dir/kinds.out" ||
	    grep -q "^{\"kind\":\"$kind\",.*\"test\":\"${kind}_is_found\",\"expected\":true" "$dir/kinds.json" ||
	    say "nobody raised $kind"
done <"$dir/kinds"
[ $bad -eq 0 ] && echo "kinds: all checks passed"
exit $((bad > 0))
