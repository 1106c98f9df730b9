#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# check.sh PROGRAM DIR: run the twins in every way and check the report.
set -u
prog=$1 dir=$2
mkdir -p "$dir"
bad=0
say() { echo "not ok: $*"; bad=$((bad + 1)); }
has() { grep -qE -- "$2" "$dir/$1" || say "$1 does not have: $2"; }
hasnt() { ! grep -qE -- "$2" "$dir/$1" || say "$1 has: $2"; }
status() { [ "$1" -eq "$2" ] || say "$3: exit status $1, not $2"; }

# --list names all, and runs none.
"$prog" --list >"$dir/list" 2>"$dir/list.err"
status $? 0 --list
n=$(grep -c . "$dir/list")
[ "$n" -ge 23 ] || say "--list names $n tests"
[ ! -s "$dir/list.err" ] || say "--list wrote to stderr"

# All of them, in TAP: a plan, a line each, and no panic ends the program.
"$prog" --format=tap >"$dir/tap" 2>"$dir/tap.err"
status $? 1 --format=tap
has tap "^1\.\.$n$"
[ "$(grep -cE '^(not )?ok ' "$dir/tap")" -eq "$n" ] || say "TAP has not $n results"
for t in $(grep ^pass_ "$dir/list"); do has tap "^ok [0-9]+ - $t( |$)"; done
for t in $(grep ^fail_ "$dir/list"); do has tap "^not ok [0-9]+ - $t( |$)"; done
has tap '^ok [0-9]+ # SKIP skip_with_reason|^ok [0-9]+ - skip_with_reason # SKIP|not ok [0-9]+ # SKIP skip_with_reason'

# The summary is on stderr only.
hasnt tap 'libvnet: findings'
has tap.err '^# libvnet: findings: panic [0-9]+ failed, [0-9]+ expected; .*leak 1 failed, 1 expected;.* lock 1 failed'

# JUnit, to standard output and to a file: well-formed, and the same counts.
"$prog" --format=junit >"$dir/junit.xml" 2>"$dir/junit.err"
status $? 1 --format=junit
"$prog" --format=junit --output="$dir/junit2.xml" >"$dir/junit2.out" 2>&1
status $? 1 --output
[ -s "$dir/junit2.xml" ] || say "--output wrote no file"
fails=$(grep -c ^fail_ "$dir/list")
for f in junit.xml junit2.xml; do
	has $f '^<\?xml version'
	[ "$(grep -c '<testcase ' "$dir/$f")" -eq "$n" ] || say "$f has not $n cases"
	[ "$(grep -c '<failure>' "$dir/$f")" -eq "$fails" ] || say "$f has not $fails failures"
	if command -v xmllint >/dev/null 2>&1; then
		xmllint --noout "$dir/$f" || say "$f is not well-formed"
	fi
done

# Whatever the format, a failure keeps its words and names the vnet.
"$prog" --format=plain >"$dir/plain" 2>&1
status $? 1 --format=plain
has tap 'words of fail_msg'
has junit.xml 'words of fail_msg'
hasnt junit.xml 'twin \]\]> panic'
cat "$dir/tap.err" >>"$dir/tap"
cat "$dir/junit.err" >>"$dir/junit.xml"
for f in tap junit.xml plain; do
	has $f 'twin panic 43'
	has $f 'twin panic in a vnet \(in vnet 1\)'
	has $f 'another panic was expected; panic: twin panic 44'
	has $f 'expected panic did not come: twin panic that does not come'
	has $f 'twin is 5 \(in vnet 1\)'
	has $f 'V_twin used with no vnet set at .*twins.c:[0-9]+'
	has $f '1 critical or epoch sections are open at the end of the test'
	has $f '1 locks are held at the end of the test'
	has $f '1 item of 24 bytes of malloc type (\"|&quot;)temp'
	has $f 'expected finding did not come: leak'
	has $f 'not a regular expression'
	has $f '0x5 != 0x6'
	has $f 'vnet 2'
	has $f 'words of fail_msg'
	has $f '0x1 != 0x51'
	has $f 'twin panic 45'
done

# What was written where nothing looks again is found at a test's end; in
# builds with a sanitizer these tests are not there.
if grep -q '^fail_overrun_of_kept_item$' "$dir/list"; then
	has tap 'overrun: byte 1 behind an item of 40 bytes .* allocated by fail_overrun_of_kept_item at'
	has tap 'useafterfree: item .* was written after it was freed: .* freed by fail_write_to_freed_item at'
fi

# What is no plain file stays.
ln -sf /dev/null "$dir/link"
"$prog" --format=junit --output="$dir/link" --filter=pass_assertion >"$dir/device" 2>&1
status $? 1 "--output to a link"
[ -h "$dir/link" ] || say "--output removed a link"
"$prog" --format=junit --output="$dir/none/x" --filter=pass_assertion >"$dir/device" 2>&1
status $? 1 "--output into no folder"
rm -f "$dir/link"

# A filter runs what matches; one that matches nothing is an error.
"$prog" --filter='pass_*' >"$dir/filter" 2>&1
status $? 0 --filter
hasnt filter 'fail_'
has filter "^1\.\.$(grep -c ^pass_ "$dir/list")$"
"$prog" --filter='nothing*' >"$dir/nothing" 2>&1
status $? 2 "--filter that matches nothing"
has nothing 'no test matches nothing\*'
"$prog" --filter='skip_*' >"$dir/skip" 2>&1
status $? 77 "all skipped"
has skip 'reason of the skip'
has skip 'reason of the skip in a thread'

# What carries kernel threads makes no difference to the results.
for c in host baton; do
	"$prog" --format=tap --threads=$c >"$dir/tap.$c" 2>"$dir/tap.$c.err"
	status $? 1 --threads=$c
	grep -E '^(not )?ok ' "$dir/tap.$c" >"$dir/results.$c"
	grep -E '^(not )?ok ' "$dir/tap" | diff - "$dir/results.$c" >"$dir/diff.$c" ||
		say "--threads=$c has other results: $(cat "$dir/diff.$c")"
done
"$prog" --filter='pass_assertion*' --repeat=7 >"$dir/repeat" 2>&1
status $? 0 --repeat
[ "$(grep -cE '^ok .*pass_assertion$' "$dir/repeat")" -eq 7 ] || say "--repeat=7 did not run it 7 times"

# In one world tests see what those before left; each alone they do not.
"$prog" --no-restore --filter='pass_statics*' >"$dir/one" 2>&1
status $? 1 --no-restore
[ "$(grep -c '^not ok .*pass_statics' "$dir/one")" -eq 1 ] || say "--no-restore hides coupling"
LIBVNET_NO_RESTORE=1 "$prog" --filter='pass_statics*' >"$dir/one" 2>&1
status $? 1 LIBVNET_NO_RESTORE=1
"$prog" --no-restore >"$dir/one" 2>&1
[ "$(grep -cE '^(not )?ok ' "$dir/one")" -eq "$n" ] || say "--no-restore has not $n results"

# Tunables: of the command line, of the environment, and the former first.
tuned() {
	"$@" --filter=pass_default_of_tunable >"$dir/kenv" 2>&1
	status $? 1 "$*"
}
tuned "$prog" '--kenv=other=1;twin.tuned=7'
has kenv '0x7 != 0x1'
LIBVNET_KENV='other=1
twin.tuned=8
' tuned "$prog"
has kenv '0x8 != 0x1'
LIBVNET_KENV=twin.tuned=8 tuned "$prog" --kenv=twin.tuned=9
has kenv '0x9 != 0x1'
LIBVNET_KENV='a=1;twin' "$prog" >"$dir/kenv" 2>&1
status $? 2 LIBVNET_KENV
has kenv 'LIBVNET_KENV=a=1;twin: "twin" is not NAME=VALUE'

# Wrong usage is said, and is no test result.
for args in --threads=x --cpus=0 --cpus=65 --repeat=0 --repeat=x --format=html --seed=x --seed=-1 --seed= --kenv=x --unknown extra; do
	"$prog" $args >"$dir/usage" 2>&1
	status $? 2 "$args"
	has usage '^usage: '
done
"$prog" --help >"$dir/help" 2>&1
status $? 0 --help
"$prog" --seed=0x10 --verbose --filter='pass_assertion' >"$dir/seed" 2>&1
status $? 0 --seed

# kyua reads TAP from a program without arguments.
if command -v kyua >/dev/null 2>&1; then
	printf 'syntax(2)\ntest_suite("libvnet")\ntap_test_program{name="%s"}\n' \
	    "$(basename "$prog")" >"$dir/Kyuafile"
	ln -sf "$prog" "$dir/$(basename "$prog")"
	(cd "$dir" && HOME=$dir kyua test -r "$dir/kyua.db" >kyua.out 2>&1)
	has kyua.out "$fails of $n tests failed|$fails/$n|[0-9]+/[0-9]+ passed \($fails"
	rm -rf "$dir/.kyua" "$dir/kyua.db"
fi
[ $bad -eq 0 ] && echo "runner: all checks passed"
exit $((bad > 0))
