#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The examples, from nothing: installs what is missing, builds, and does with
# them what libvnet is for.  hostcache: tests in several vnets, a real packet
# capture through two vnets, AFL++ for a quarter of a minute.  ipfw_counters:
# which counters lose packets, by exploration, and what they cost.  Then a
# summary.  Takes no arguments; can be run from any folder, again and again;
# writes to build/ only.
#
#	LIBVNET_CAPTURES	a folder of more captures
#	LIBVNET_SYSDIR		sys/ of a FreeBSD kernel: examples/kernel_files
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/examples
seconds=15
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
began=$(date +%s)

# shellcheck source=test/packages.sh
. "$root/test/packages.sh"
libvnet_packages_install || exit 1
mkdir -p "$out"
cd "$root"

child=
trap '[ -z "$child" ] || kill $child 2>/dev/null || :' EXIT
trap 'exit 130' HUP INT TERM

fail() {
	echo "FAILED: $1; all of it: $2" >&2
	exit 1
}

# How far: the build's last [n/m], the fuzzer's own figures.
progress() {
	case $1 in
	build-*)
		sed -n 's/^\(\[[0-9]*\/[0-9]*\]\).*/\1/p' "$out/$1.log" | tail -n 1
		;;
	fuzz)
		sed -n 's/.*(\([0-9]*\) total, \([0-9]*\) crashes.*/\1 inputs kept, \2 crashes/p' \
			"$out/fuzz.log" | tail -n 1
		;;
	esac
}

# step LOG WHAT COMMAND ...: runs it into build/examples/LOG.log.
step() {
	log=$1 what=$2
	shift 2
	echo "== $what"
	"$@" >"$out/$log.log" 2>&1 &
	child=$!
	ticks=0
	while kill -0 $child 2>/dev/null; do
		sleep 0.2
		ticks=$((ticks + 1))
		[ $((ticks % 25)) -ne 0 ] ||
			echo "   $((ticks / 5)) s $(progress "$log")"
	done
	status=0
	wait $child || status=$?
	child=
	[ $status -eq 0 ] || {
		tail -n 20 "$out/$log.log" >&2
		fail "$what (status $status)" "$out/$log.log"
	}
}

for preset in checked afl explore bench; do
	target=examples
	[ $preset != bench ] || target=bench_ipfw_counters
	step configure-$preset "configuring preset $preset" \
		cmake --preset $preset
	step build-$preset "building preset $preset" \
		cmake --build --preset $preset --target $target -j "$jobs"
done
checked=$root/build/checked/examples/hostcache
fuzzer=$root/build/afl/examples/hostcache/fuzz_hostcache

step test "testing hostcache in vnets" "$checked/test_hostcache"
step test-novimage "testing hostcache without VIMAGE" \
	"$checked/test_hostcache_novimage"
step replay "feeding captures through two vnets" "$checked/hostcache_replay"

if [ -n "${LIBVNET_SYSDIR:-}" ]; then
	step kernel_files "testing files of a kernel one by one" \
		sh examples/kernel_files/run.sh \
		"$root/build/checked/bin/libvnet-cc" "$out/kernel_files"
	step whole_stack "two hosts, a link, a connection: the whole stack" \
		sh examples/kernel_files/run.sh \
		"$root/build/checked/bin/libvnet-cc" "$out/kernel_files" \
		examples/whole_stack/test_hello.c
	kernel_files=$(grep -c ' passed$' "$out/kernel_files.log" || :)" tests of files of $LIBVNET_SYSDIR passed, $(sed -n 's/^test_hello: //p' "$out/whole_stack.log")"
else
	kernel_files="skipped: LIBVNET_SYSDIR does not name a FreeBSD kernel's sys/"
fi

rm -rf "$out/fuzz"
# AFL++ is to take a CPU for itself where it can, and not to insist on a
# machine that was set up for fuzzing.
step fuzz "fuzzing hostcache with AFL++ for $seconds s" env \
	AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_TRY_AFFINITY=1 \
	AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_EXIT_ON_SEED_ISSUES=1 \
	afl-fuzz -i "$root/examples/hostcache/seeds" -o "$out/fuzz" \
	-V $seconds -- "$fuzzer"
figure() {
	sed -n "s/^$1 *: *//p" "$out/fuzz/default/fuzzer_stats"
}
[ "$(figure saved_crashes)" -eq 0 ] && [ "$(figure saved_hangs)" -eq 0 ] || {
	echo "repeat with: $checked/fuzz_hostcache FILE" >&2
	fail "AFL++ found crashes or hangs" "$out/fuzz/default"
}
step again "the inputs that AFL++ kept, in the program with all checks" \
	"$checked/fuzz_hostcache" "$out/fuzz/default/queue"

step test-counters "exploring which counters of ipfw_counters lose packets" \
	"$root/build/explore/examples/ipfw_counters/test_ipfw_counters"
step figures "measuring what these counters cost (preset bench)" \
	sh "$root/examples/ipfw_counters/figures.sh" \
	"$root/build/bench/examples/ipfw_counters/bench_ipfw_counters" \
	"$out/ipfw_counters" 30

count() {
	passed=$(grep -c '^ok' "$out/$1.log" || :)
	skipped=$(grep -c '^not ok .*# SKIP' "$out/$1.log" || :)
	echo "$passed passed, $skipped skipped"
}
cat <<SUMMARY

What ran
  code      examples/hostcache/hostcache.c, unmodified kernel code, $(wc -l \
	<examples/hostcache/hostcache.c) lines
  tests     with VIMAGE: $(count test); without: $(count test-novimage)
$(sed -n -e 's/^captures: /  captures  &/p' -e 's/^frames: /  frames    &/p' \
	-e 's/^vnet of /  &/p' -e 's/.*: no such folder.*/            &/p' \
	"$out/replay.log" | sed -e 's/^\(  captures  \)captures: /\1/' -e 's/^\(  frames    \)frames: /\1/')
  kernel    $kernel_files
  fuzzing   $(figure execs_done) executions, $(figure execs_per_sec) a second (preset afl), stability $(figure stability),
            $(figure corpus_count) inputs kept, $(figure saved_crashes) crashes, $(figure target_mode)
  counters  examples/ipfw_counters: $(count test-counters)
$(sed -n 's/^# \(.*LIBVNET_SCHEDULE=.*\)/            \1/p' "$out/test-counters.log")
$(sed 's/^/  /' "$out/figures.log")
Where
  logs      build/examples/*.log
  inputs    build/examples/fuzz/default/queue
  programs  build/checked/examples, build/afl/examples, build/explore/examples, build/bench/examples
It took $(($(date +%s) - began)) seconds.
SUMMARY
