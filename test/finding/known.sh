#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# known.sh PROGRAM DIR: a leak on the list of known leaks is counted, any
# other is a finding, and a damaged list is told by file and line.
set -u
LC_ALL=C
export LC_ALL
prog=$1 dir=$2
mkdir -p "$dir"
bad=0
say() { echo "not ok: $*"; bad=$((bad + 1)); }
has() { grep -aqE -- "$2" "$dir/$1" || { say "$1 does not have: $2"; sed 's/^/    /' "$dir/$1"; }; }
hasnt() { ! grep -aqE -- "$2" "$dir/$1" || { say "$1 has: $2"; sed 's/^/    /' "$dir/$1"; }; }
# run NAME STATUS FILTER: with the list that is standard input.
run() {
	cat >"$dir/$1.list"
	LIBVNET_KNOWN_FAULTS=$dir/$1.list "$prog" --filter="$3" >"$dir/$1" 2>&1
	got=$?
	[ $got -eq "$2" ] || { say "$1: exit status $got, not $2"; sed 's/^/    /' "$dir/$1"; }
}

run none 1 'three_*' <<EOF
# a comment

* malloc "no such type" forgetful 3 never matches
EOF
has none '2 items of 24 bytes of malloc type "two words"'
hasnt none 'known leaks'

# Sizes and places count together; each vnet begins anew.
run known 0 'three_*' <<EOF
  * malloc "two words" forgetful 3	it is made so
EOF
hasnt known 'finding: leak'
has known '^# libvnet: known leaks: 1 kind, 6 items$'

run any 0 'three_*' <<EOF
1300000-1499999 malloc "two words" forgetful * it is made so
EOF
has any '^# libvnet: known leaks: 1 kind, 6 items$'

run more 1 three_again <<EOF
* malloc "two words" forgetful 2 it is made so
EOF
has more '3 items of 24 bytes of malloc type "two words" still allocated after vnet [0-9]+ was destroyed \(of this tree up to 2 are known\)'
hasnt more 'known leaks'

run version 1 three_again <<EOF
1300000-1300999 malloc "two words" forgetful 3 it is made so
EOF
run kind 1 three_again <<EOF
* zone "two words" forgetful 3 it is made so
EOF
run function 1 another_function <<EOF
* malloc "two words" forgetful 3 it is made so
* malloc "two words" oth 3 it is made so
EOF
has function '1 item of 24 bytes of malloc type "two words"'

run zone 0 zone_item <<EOF
* zone knownzone zone_forgetful 1 it is made so
EOF
has zone '^# libvnet: known leaks: 1 kind, 1 item$'

# What sanitizers see: UBSan here, where it is.
if "$prog" --filter=shift 2>/dev/null | grep -q SKIP; then
	echo "known: no UBSan in this build"
else
	run shift 1 shift </dev/null
	has shift 'finding: undefined: a shift by more bits'
	hasnt shift 'known faults'
	run shift_known 0 shift <<EOF
* undefined shift shift_too_far * it is made so
EOF
	hasnt shift_known 'finding: undefined'
	hasnt shift_known 'runtime error'
	has shift_known '^# libvnet: known faults: 1 kind, 1 report$'
	run shift_file 0 shift <<EOF
* undefined shift known.c * it is made so
EOF
	run shift_name 1 shift <<EOF
* undefined alignment shift_too_far * it is made so
* undefined shift another * it is made so
* uninitialised shift shift_too_far * it is made so
EOF
	run shift_expected 0 expected_shift <<EOF
* undefined shift shift_too_far * it is made so
EOF
	hasnt shift_expected 'known faults'
	run shift_not_there 1 expected_nothing </dev/null
fi

# Damaged ones.
damaged() {	# NAME TEXT
	run "$1" 2 '*'
	has "$1" "LIBVNET_KNOWN_FAULTS: .*$1.list:2: $2"
}
damaged short 'a line is VERSIONS KIND NAME FUNCTION MOST WHY' <<EOF

* malloc temp
EOF
damaged quote 'a line is VERSIONS' <<EOF

* malloc "temp forgetful 1 why
EOF
damaged versions 'VERSIONS is a __FreeBSD_version' <<EOF
#
1400000-1300000 malloc temp forgetful 1 why
EOF
damaged kind2 'KIND is malloc, zone, undefined or uninitialised' <<EOF
#
* mbuf temp forgetful 1 why
EOF
damaged most 'MOST is how many' <<EOF
#
* malloc temp forgetful 1x why
EOF
damaged why 'the reason is missing' <<EOF
#
* malloc temp forgetful 1
EOF
LIBVNET_KNOWN_FAULTS=$dir/nowhere "$prog" >"$dir/nofile" 2>&1
[ $? -eq 2 ] || say "a list that is not there is no error"
has nofile 'LIBVNET_KNOWN_FAULTS: .*/nowhere: No such file'
[ $bad -eq 0 ] && echo "known: all checks passed"
exit $((bad > 0))
