#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# check.sh PROGRAM PROGRAM_WITHOUT_VIMAGE LIBVNET.PY DIR
set -u
prog=$1 plain=$2 script=$3 dir=$4
mkdir -p "$dir"
bad=0
say() { echo "not ok: $*"; bad=$((bad + 1)); }
has() { grep -aqE -- "$2" "$dir/$1" || { say "$1 does not have: $2"; shown=$1; }; }
hasnt() { ! grep -aqE -- "$2" "$dir/$1" || say "$1 has: $2"; }
# gdb NAME ARGUMENT ...: the script is there, and each -ex may fail alone.
run() {
	name=$1
	shift
	LC_ALL=C gdb -q -nx -batch -iex 'set debuginfod enabled off' -iex 'set auto-load no' \
	    -iex 'set disable-randomization off' -ex 'set pagination off' -ex 'set width 0' \
	    -ex "source $script" "$@" >"$dir/$name" 2>&1
}
if ! command -v gdb >/dev/null 2>&1; then
	echo "skipped: there is no gdb"
	exit 77
fi
if ! gdb -q -nx -batch -ex 'python import gdb.unwinder' >"$dir/python" 2>&1 || [ -s "$dir/python" ]; then
	echo "skipped: this gdb has no Python"
	exit 77
fi
[ -x "$prog" ] || { echo "not ok: there is no $prog"; exit 1; }
run trace -ex 'break main' -ex run "$prog"
if ! grep -q '^Breakpoint 1, ' "$dir/trace"; then
	cat "$dir/trace"
	echo "skipped: gdb cannot trace a process here"
	exit 77
fi

# Before the start, and without libvnet: a sentence, no Python traceback.
run before -ex 'libvnet clock' "$prog"
hasnt before Traceback
run foreign -ex 'libvnet vnets' "$(command -v cat)"
has foreign 'libvnet: there is no libvnet in this program'
hasnt foreign Traceback

shows() {
	has "$1" '^\* 2 +0x[0-9a-f]+ .* 0 0$'
	has "$1" '^  0 +0x[0-9a-f]+ .* 0 0$'
	has "$1" '^  3 +0x'
	hasnt "$1" '^[* ] 1 +0x'
	has "$1" '^vnet 2:$'
	has "$1" '^  V_seen_int: int = 22$'
	has "$1" '^  V_seen_int: int = 11$'
	has "$1" '^  V_seen_text: char ?\[8\] = "text.*"$'
	has "$1" '^  V_seen_pair: struct pair = \{left = 3, right = 220\}$'
	has "$1" '^  V_seen_hits: counter_u64_t = counter, total 22$'
	has "$1" '^V_seen_pair: struct pair = \{left = 3, right = 110\}$'
	has "$1" '^\$1 = 110$'
	has "$1" 'libvnet: there is no vnet 9; there are: 0 2 3'
	has "$1" 'libvnet: there is no variable V_nothing'
	has "$1" 'say: libvnet var VNET NAME'
	has "$1" '^  no V_ variable matches nothing'
	has "$1" '^\* 100000 +kernel +running, vnet 2, locks 0, critical 0'
	has "$1" '^  10000[0-9] +sleeper +parked, asleep on "seenwt" until 10[01]\.[0-9]+ s, vnet -'
	[ "$(grep -cE '^    #[0-9]+ +nap at .*seen.c:[0-9]+' "$dir/$1")" -eq 6 ] ||
	    say "$1 does not have nap() three times in each of two backtraces"
	has "$1" '^    #[0-9]+ +sleeper at .*seen.c:[0-9]+'
	has "$1" '^    #[0-9]+ +host_co_begin'
	has "$1" 'libvnet: there is no kernel thread 99'
	# A tick is a little less than a millisecond.
	has "$1" '^CPU 0: at 1\.4999998[0-9]+ s \(in 0\.2499998[0-9]+ s\) 0x[0-9a-f]+ <tock> arg 0x[0-9a-f]+ callout 0x'
	has "$1" '^CPU 0: at 3\.9999997[0-9]+ s \(in 2\.7499997[0-9]+ s\) 0x[0-9a-f]+ <tock>'
	has "$1" '^leak: 1 item of 24 bytes of malloc type "temp" still allocated after vnet 1 was destroyed \(failed\)'
	has "$1" '^    vnet 1, object "temp", CPU 0, seed 1'
	has "$1" '^    allocated by forget at .*seen.c:[0-9]+'
	has "$1" '^    #[0-9]+ +libvnet_destroy at .*vnet.c:[0-9]+'
	# Ticks begin ten minutes before they turn negative: INT_MAX - 600 * hz.
	has "$1" '^uptime 1\.250000000 s, ticks 2146883897, hz 1000, wall clock 1700000001'
	has "$1" '^CPU 0: next event at 1\.4999998[0-9]+ s, in 0\.2499998[0-9]+ s'
	hasnt "$1" 'Traceback|Python Exception'
}
commands() {
	run "$@" -ex 'libvnet vnets' -ex 'libvnet vars seen_*' -ex 'libvnet vars 3 seen_int' \
	    -ex 'libvnet vars nothing' -ex 'libvnet var 3 V_seen_pair' -ex 'print $V.right' \
	    -ex 'libvnet var 9 seen_int' -ex 'libvnet var 2 nothing' -ex 'libvnet var 2' \
	    -ex 'libvnet threads' -ex "libvnet coroutine seen_sleeper" \
	    -ex 'libvnet coroutine 99' -ex 'libvnet callouts' -ex 'libvnet findings' -ex 'libvnet clock' \
	    -ex 'help libvnet'
}
commands live -ex 'break stop_here' -ex run "$prog"
shows live
has live 'libvnet vars -- List V_ variables of a vnet'

# A core file has the same.
run make_core -ex 'break stop_here' -ex run -ex "libvnet core $dir/core" "$prog"
if [ -s "$dir/core" ]; then
	commands dead "$prog" "$dir/core"
	shows dead
	[ "$(wc -c <"$dir/core")" -lt 1000000000 ] || say "the core file has all that is reserved"
	rm -f "$dir/core"
else
	has make_core 'a sanitizer.s shadow memory would make'
	echo "# no core file with this sanitizer"
fi

# gdb loads the commands by itself.
LC_ALL=C gdb -q -nx -batch -iex 'set debuginfod enabled off' \
    -iex "add-auto-load-safe-path $(dirname "$prog")" -ex 'help libvnet vnets' "$prog" >"$dir/auto" 2>&1
has auto 'List the live vnets'

# A panic is found where it happened.
run panic -ex 'run panic' -ex 'libvnet findings' "$prog"
has panic '^panic: seen by gdb \('
has panic '^    #[0-9]+ +seen_panic at .*seen.c:[0-9]+'

# Without VIMAGE: a sentence, and what does not need vnets works.
run novimage -ex 'break stop_here' -ex run -ex 'libvnet vnets' -ex 'libvnet vars' \
    -ex 'libvnet var 0 seen_int' -ex 'libvnet callouts' -ex 'libvnet clock' -ex 'libvnet threads' "$plain"
[ "$(grep -c 'libvnet: built without option VIMAGE' "$dir/novimage")" -eq 3 ] ||
	say "novimage does not say so three times"
has novimage '^CPU 0: at 1\.4999998[0-9]+ s'
has novimage '^uptime 1\.250000000 s'
has novimage '^\* 100000 +kernel +running, vnet -'

[ -z "${shown:-}" ] || sed 's/^/    /' "$dir/$shown"
[ $bad -eq 0 ] && echo "gdb: all checks passed"
exit $((bad > 0))
