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
	LIBVNET_KNOWN_LEAKS=$dir/$1.list "$prog" --filter="$3" >"$dir/$1" 2>&1
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
has more '3 items of 24 bytes of malloc type "two words"'
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

# Damaged ones.
damaged() {	# NAME TEXT
	run "$1" 2 '*'
	has "$1" "LIBVNET_KNOWN_LEAKS: .*$1.list:2: $2"
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
damaged kind2 'KIND is malloc or zone' <<EOF
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
LIBVNET_KNOWN_LEAKS=$dir/nowhere "$prog" >"$dir/nofile" 2>&1
[ $? -eq 2 ] || say "a list that is not there is no error"
has nofile 'LIBVNET_KNOWN_LEAKS: .*/nowhere: No such file'
[ $bad -eq 0 ] && echo "known: all checks passed"
exit $((bad > 0))
