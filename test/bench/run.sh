#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The figures.  Ratios are of one run, through ministat; instruction counts
# are callgrind's.  Each line names the preset it was measured in.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top"
out=$top/build/figures
mkdir -p "$out"

for tool in cmake ninja ministat valgrind; do
	command -v $tool >/dev/null 2>&1 || {
		echo "test/bench/run.sh: $tool is missing; sh test/run.sh installs it" >&2
		exit 1
	}
done
build() {
	echo "building preset $1"
	{ cmake --preset "$1" && cmake --build --preset "$1" -j "$(nproc)" --target $2; } \
	    >"$out/build-$1.log" 2>&1 || { tail -n 30 "$out/build-$1.log"; exit 1; }
}
build bench "bench_counter bench_ipfw_counters bench_thread bench_ops bench_vnet bench_first_test bench_spawn bench_snapshot bench_suite"
build checked "bench_counter bench_thread bench_ops bench_vnet bench_first_test bench_spawn bench_snapshot bench_suite"

build explore bench_explore

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
instructions() {	# PROGRAM OP: a single operation's, from two run lengths
	for n in 1000 101000; do
		valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" count "$2" $n 2>&1 |
		    sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
	done | awk '{ v[NR] = $1 } END { printf "%.2f", (v[2] - v[1]) / 100000 }'
}

for preset in bench checked; do
	prog=build/$preset/test/bench/bench_ops
	dir=$out/ops-$preset
	rm -rf "$dir"; mkdir -p "$dir"
	echo
	echo "== one operation, preset $preset (medians of one run; x: times the plain global)"
	"$prog" sample "$dir"
	base=$(median "$dir/global")
	printf '%-34s %8s %8s %14s\n' operation ns x instructions
	for op in global_read vnet_read global vnet curvnet counter atomic jemalloc uma malloc; do
		case $op in
		global_read) what="plain global, read" ;;
		vnet_read) what="V_ variable, read" ;;
		global) what="plain global ++" ;;
		vnet) what="V_ variable ++" ;;
		curvnet) what="CURVNET_SET/RESTORE" ;;
		counter) what="counter_u64_add" ;;
		atomic) what="atomic fetch and add" ;;
		jemalloc) what="mallocx + dallocx, 64 bytes"
			[ -f "$dir/jemalloc" ] || continue ;;
		uma) what="uma_zalloc + uma_zfree, 64 bytes" ;;
		malloc) what="malloc + free, 64 bytes" ;;
		esac
		ns=$(median "$dir/$op")
		printf '%-34s %8s %8s %14s\n' "$what" "$ns" \
		    "$(awk "BEGIN { printf \"%.2f\", $ns / $base }")" "$(instructions "$prog" $op)"
	done
	[ ! -f "$dir/jemalloc" ] || for op in uma malloc; do
		awk -v a="$(median "$dir/$op")" -v b="$(median "$dir/jemalloc")" -v op=$op -v preset=$preset \
		    'BEGIN { printf "%s of a warm item: %.2f times mallocx + dallocx (preset %s)\n", op, a / b, preset }'
	done
	for pair in global_read:vnet_read global:vnet global:curvnet global:counter atomic:counter; do
		echo "-- ministat, preset $preset, ns: ${pair%:*} (x) against ${pair#*:} (+)"
		ministat "$dir/${pair%:*}" "$dir/${pair#*:}" | sed 's/^/   /'
	done
done

echo
echo "== counting, preset bench (medians of one run; a thread's own ns, each on a CPU of its own)"
dir=$out/counter
rm -rf "$dir"; mkdir -p "$dir"
cores=$(nproc)
all=1
[ "$cores" -eq 1 ] || all="1 $cores"
# shellcheck disable=SC2086
build/bench/test/bench/bench_counter "$dir" 3000000 $all
printf '%-44s %8s' operation "1 thread"
[ "$cores" -eq 1 ] || printf ' %10s %8s' "$cores threads" speed-up
echo
for op in counter locked packet packet_counter packet_locked; do
	case $op in
	counter) what="counter_u64_add" ;;
	locked) what="atomic add of one place" ;;
	packet) what="a packet's work, counters off" ;;
	packet_counter) what="a packet's work and two counters" ;;
	packet_locked) what="a packet's work and two atomic adds" ;;
	esac
	one=$(median "$dir/$op-1")
	printf '%-44s %8s' "$what" "$one"
	if [ "$cores" -gt 1 ]; then
		many=$(median "$dir/$op-$cores")
		printf ' %10s %8s' "$many" "$(awk "BEGIN { printf \"%.2f\", $cores * $one / $many }")"
	fi
	echo
done
awk -v a="$(median "$dir/locked-1")" -v b="$(median "$dir/counter-1")" \
    'BEGIN { printf "counter_u64_add is %.1f times cheaper than an atomic add on one CPU\n", a / b }'
for pair in locked:counter packet:packet_counter packet:packet_locked; do
	for n in $all; do
		echo "-- ministat, ns, $n thread(s): ${pair%:*} (x) against ${pair#*:} (+)"
		ministat "$dir/${pair%:*}-$n" "$dir/${pair#*:}-$n" | sed 's/^/   /'
	done
done

echo
echo "== counters of a packet filter's rules, preset bench (examples/ipfw_counters; of processor time)"
sh examples/ipfw_counters/figures.sh build/bench/examples/ipfw_counters/bench_ipfw_counters "$out/ipfw_counters"

for preset in checked bench; do
	echo
	echo "== vnets with hostcache, preset $preset"
	prog=build/$preset/test/bench/bench_vnet
	"$prog" cycle 1000 >"$out/cycle-$preset"
	echo "create and destroy: median $(median "$out/cycle-$preset") us"
	ministat -n "$out/cycle-$preset" | sed 's/^/   /'
	"$prog" alive 2000
	build/$preset/test/bench/bench_spawn 200 build/$preset/test/bench/bench_first_test >"$out/spawn-$preset"
	echo "process start to end of its first and only test: median $(median "$out/spawn-$preset") us"
	ministat -n "$out/spawn-$preset" | sed 's/^/   /'
done
for preset in checked bench; do
	for carrier in coroutine baton; do
		echo
		echo "== kernel threads, preset $preset"
		build/$preset/test/bench/bench_thread 100000 $carrier
	done
done
for preset in checked bench; do
	echo
	echo "== snapshot and restore, preset $preset (us a restore after writing to 8 pages)"
	prog=build/$preset/test/bench/bench_snapshot
	for kib in 16 65536; do
		for mode in copy track; do
			for seed in "" 1; do
				LIBVNET_SNAPSHOT=$mode "$prog" $kib 8 500 $seed >"$out/snapshot" 2>"$out/snapshot.said" || continue
				echo "$kib KiB allocated, $mode, $([ -n "$seed" ] && echo other pages each time || echo the same pages): median $(median "$out/snapshot") us; $(cat "$out/snapshot.said")"
			done
		done
	done
	start=$(date +%s%N)
	build/$preset/test/bench/bench_suite >/dev/null 2>&1
	echo "1,000 tests, each in a restored world: $((($(date +%s%N) - start) / 1000000)) ms"
done
echo
echo "samples lie in build/figures"

echo
echo "== schedules, preset explore: two threads, 100 accesses together, setup and check; of processor time"
build/explore/test/bench/bench_explore 200000

echo
if [ -n "${LIBVNET_TEST_SYSDIR:-}" ]; then
	echo "== the whole stack of a kernel tree, preset bench"
	sh test/bench/tree.sh "$LIBVNET_TEST_SYSDIR"
	echo
	echo "== counters of its ipfw's rules on the forwarding path, preset bench"
	sh examples/ipfw_counters/tree/figures.sh "$LIBVNET_TEST_SYSDIR"
else
	echo "== the whole stack of a kernel tree: LIBVNET_TEST_SYSDIR names none"
fi
