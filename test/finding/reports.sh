#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# reports.sh PROGRAM FUZZ DIR: what is reported, and what each policy makes
# of it, in a program of tests and in a fuzz target.
set -u
LC_ALL=C
export LC_ALL
prog=$1 fuzz=$2 dir=$3
mkdir -p "$dir"
bad=0
say() { echo "not ok: $*"; bad=$((bad + 1)); }
has() { grep -aqE -- "$2" "$dir/$1" || { say "$1 does not have: $2"; sed 's/^/    /' "$dir/$1"; }; }
hasnt() { ! grep -aqE -- "$2" "$dir/$1" || say "$1 has: $2"; }
# run NAME STATUS ENVIRONMENT COMMAND ...
run() {
	name=$1 want=$2 env=$3
	shift 3
	# Words, on purpose.
	# shellcheck disable=SC2086
	(env $env "$@" >"$dir/$name" 2>&1) 2>/dev/null
	got=$?
	case $want in
	crash) [ $got -gt 2 ] || say "$name: exit status $got, not a crash" ;;
	*) [ $got -eq "$want" ] || { say "$name: exit status $got, not $want"; sed 's/^/    /' "$dir/$name"; } ;;
	esac
}
valid() {
	if command -v jq >/dev/null 2>&1; then
		jq -e . "$dir/$1" >/dev/null || say "$1 is not JSON"
	fi
	if command -v python3 >/dev/null 2>&1; then
		while IFS= read -r line; do
			printf '%s\n' "$line" | python3 -m json.tool >/dev/null || say "$1: not JSON: $line"
		done <"$dir/$1"
	fi
}

# The report: text, facts, and a backtrace that names the culprit.
run text 1 "" "$prog" --filter=odd_name
has text 'finding: leak: 1 item of 24 bytes .*allocated by spill at .*odd.c:[0-9]+'
has text 'vnet 1, object ".*CPU 0, seed 1'
has text '#0 +lvk_leak_report at .*/lvk_heap.*:[0-9]+'
has text 'libvnet: findings: leak 1 failed$'
run panic 1 "" "$prog" --filter=panics --seed=77
has panic 'panic: fell "down" \(in vnet 1\)'
has panic 'vnet 1, CPU 0, seed 77'
has panic '#0 +fall at .*odd.c:[0-9]+'
has panic '#1 +panics at .*odd.c:[0-9]+'
hasnt panic '#2 '

# JSON: each line valid, names escaped, everything there.
run json.out 1 "" "$prog" --findings=json:"$dir/json"
valid json
[ "$(grep -c . "$dir/json")" -eq 5 ] || say "json has not 5 lines"
has json '"object":"q\\"b\\\\t\\u0009x\\u0001\\u007f\\ufffdé\\ufffd\\ufffdz"'
has json '"object":"(\\ufffd){9}😀"'
has json '^\{"kind":"panic","message":"fell \\"down\\"","vnet":1,"object":null,"file":".*odd.c","line":[0-9]+,"cpu":0,"seed":1,"test":"panics","expected":false'
has json '"test":"expected","expected":true'
has json '"allocated":"spill at .*odd.c:[0-9]+","freed":null,"backtrace":\[\{"function":"lvk_leak_report","file":"[^"]*","line":[0-9]+,"pc":"0x[0-9a-f]+"\}'
run json.tap 1 "" "$prog" --findings=json --filter=odd_name
grep -a '^{' "$dir/json.tap" >"$dir/json.err"
valid json.err
[ -s "$dir/json.err" ] || say "--findings=json wrote nothing to stderr"
# The environment's file is added to, the option's is begun anew.
rm -f "$dir/json.env"
run env1 1 "LIBVNET_FINDINGS_JSON=$dir/json.env" "$prog" --filter=odd_name
run env2 1 "LIBVNET_FINDINGS_JSON=$dir/json.env" "$prog" --filter=odd_name
[ "$(grep -c . "$dir/json.env")" -eq 2 ] || say "json.env has not 2 lines"
run again 0 "" "$prog" --findings=json:"$dir/json.env" --filter=sound
[ ! -s "$dir/json.env" ] || say "--findings=json:FILE did not begin anew"

# Policies, by option and by environment.
run collect 0 "" "$prog" --policy=leak=collect --filter=odd_name
has collect 'findings: leak 1 collected'
has collect 'off: .*failing for leak'
run collect_env 0 "LIBVNET_FINDINGS=all=collect" "$prog" --filter=odd_name
run override 1 "LIBVNET_FINDINGS=leak=collect" "$prog" --policy=zone=collect,leak=fail --filter=odd_name
run abort crash "LIBVNET_FINDINGS=leak=abort" "$prog" --filter=odd_name
has abort 'libvnet: leak: 1 item of 24 bytes'
has abort '#0 '
run abort_expected 0 "" "$prog" --policy=all=abort --filter=expected
run abort_panic crash "" "$prog" --policy=panic=abort --filter=panics
has abort_panic 'libvnet: panic: fell "down"'
run cleared 1 "" "$prog" --filter=cleared
has cleared '1 more findings, cleared by the test'

# What is wrong is said, in one line that tells what would be right.
run kind 2 "" "$prog" --policy=leek=fail
has kind 'there is no kind of finding "leek"; there are: panic novnet'
run policy 2 "" "$prog" --policy=leak=ignore
has policy 'there is no policy "ignore"; there are: fail collect abort'
run form 2 "LIBVNET_FINDINGS=leak" "$prog"
has form 'LIBVNET_FINDINGS: "leak" is not KIND=POLICY'
run nopanic 2 "" "$prog" --policy=panic=collect
has nopanic 'a panic cannot be collected'
run nofile 2 "" "$prog" --findings=json:/nonexistent/x
has nofile '/nonexistent/x: No such file'
run findings 2 "" "$prog" --findings=xml
run unknown 1 "" "$prog" --filter=unknown_kind
has unknown 'no kind of finding "leek" to expect; there are: panic novnet'

# A fuzz target aborts, with the report first; collecting goes on.
for c in L P N; do printf '%s' $c >"$dir/input.$c"; done
run fuzz_leak crash "" "$fuzz" "$dir/input.L"
has fuzz_leak 'libvnet: leak: 1 item of 24 bytes .*allocated by work at .*fuzz_finding.c'
has fuzz_leak '#[0-9]+ +LLVMFuzzerTestOneInput at .*fuzz_finding.c'
run fuzz_panic crash "LIBVNET_FINDINGS_JSON=$dir/fuzz.json" "$fuzz" "$dir/input.P"
has fuzz_panic 'libvnet: panic: the input says so'
has fuzz_panic '#0 +work at .*fuzz_finding.c'
valid fuzz.json
has fuzz.json '^\{"kind":"panic","message":"the input says so"'
rm -f "$dir/fuzz.json"
run fuzz_none 0 "" "$fuzz" "$dir/input.N"
hasnt fuzz_none 'libvnet:'
run fuzz_collect 0 "LIBVNET_FINDINGS=leak=collect" "$fuzz" "$dir/input.L"
[ $bad -eq 0 ] && echo "reports: all checks passed"
exit $((bad > 0))
