#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The test suite, from nothing: installs what is missing, builds each preset
# of the gate and runs its tests.  Can be run from any folder, again and
# again; writes to build/ only, logs to build/test.
#
#	sh test/run.sh [--long] [PRESET ...]
#
#	--long	also every column of the build matrix, checked without VIMAGE, the presets bench, afl,
#		libfuzzer and coverage (report in build/coverage/html), a minute
#		of parallel kernel threads under ThreadSanitizer, and the figures
#	PRESET	these only
#
# The last line is "N passed, N failed, N skipped", counted over all tests;
# the exit status is 0 if none failed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/build/test
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
began=$(date +%s)
long=no presets=
for arg in "$@"; do
	case $arg in
	--long) long=yes ;;
	-*) sed -n 's/^#	/	/p' "$0"; exit 2 ;;
	*) presets="$presets $arg" ;;
	esac
done
if [ -z "$presets" ]; then
	presets="dev checked asan tsan msan explore explore-asan"
	[ $long = no ] || presets="$presets bench afl libfuzzer coverage"
fi

# shellcheck source=test/packages.sh
. "$root/test/packages.sh"
libvnet_packages_install test || exit 1
mkdir -p "$out"
cd "$root"

child=
trap '[ -z "$child" ] || kill $child 2>/dev/null || :' EXIT
trap 'exit 130' HUP INT TERM
passed=0 failed=0 skipped=0
: >"$out/summary"
: >"$out/failures"

# step LOG WHAT COMMAND ...: one line, with how far it is every ten seconds
# and the seconds at the end; the rest is in build/test/LOG.log.
step() {
	log=$out/$1.log what=$2
	shift 2
	start=$(date +%s)
	printf '%s\n' "== $what"
	"$@" >"$log" 2>&1 &
	child=$!
	ticks=0
	while kill -0 $child 2>/dev/null; do
		sleep 0.2
		ticks=$((ticks + 1))
		[ $((ticks % 50)) -ne 0 ] ||
		    echo "   $((ticks / 5)) s $(sed -n -e 's/^\(\[[0-9]*\/[0-9]*\]\).*/\1/p' \
			-e 's/^ *\([0-9]*\/[0-9]*\) Test .*/\1/p' "$log" | tail -n 1)"
	done
	status=0
	wait $child || status=$?
	child=
	seconds=$(($(date +%s) - start))
	[ $status -eq 0 ] && echo "   done in $seconds s" || echo "   FAILED after $seconds s: $log"
	return $status
}

# A thing that is no ctest test, but can fail.
note_failure() {
	failed=$((failed + 1))
	echo "$1: $out/$2.log" >>"$out/failures"
	tail -n 25 "$out/$2.log"
}

count() { grep -c -E "^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*$1" "$out/test-$2.log" || :; }

preset() {
	name=$1
	shift
	if ! step "configure-$name" "configuring $name" cmake --preset "$name" "$@"; then
		note_failure "configuring $name" "configure-$name"
		return
	fi
	if ! step "build-$name" "building $name" cmake --build --preset "$name" -j "$jobs"; then
		note_failure "building $name" "build-$name"
		return
	fi
	# What earlier runs counted.
	find "build/$name" -name '*.gcda' -exec rm -f {} +
	step "test-$name" "testing $name" ctest --test-dir "build/$name" -j "$jobs" \
	    --output-on-failure --no-tests=error --timeout 300 || :
	p=$(count ' Passed ' "$name")
	s=$(count '\*\*\*(Skipped|Not Run \(Disabled\)) ' "$name")
	f=$(($(count '' "$name") - p - s))
	if [ $status -ne 0 ] && [ $f -eq 0 ]; then	# ctest itself
		note_failure "testing $name" "test-$name"
	fi
	passed=$((passed + p)) skipped=$((skipped + s)) failed=$((failed + f))
	printf '  %-10s %4d passed %3d failed %3d skipped %4d s\n' "$name" "$p" "$f" "$s" "$seconds" >>"$out/summary"
	sed -n -E "s/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) \.*\*\*\*([A-Z][A-Za-z ]*).*/\1: \2/p" "$out/test-$name.log" |
	    sed -e '/: Skipped/d' -e "s|^|$name: |" -e "s|\$| ($out/test-$name.log)|" >>"$out/failures"
	[ $f -eq 0 ] || failed_output "$out/test-$name.log"
}

# What each failed test printed, its last lines: a log of CI's is all there is.
failed_output() {
	awk -v most=100 '
	function show() {
		for (i = n > most ? n - most : 0; i < n; i++)
			print line[i]
	}
	/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
		show()
		n = 0
		failed = !/ Passed / && !/\*\*\*(Skipped|Not Run \(Disabled\)) /
	}
	/^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ { show(); n = 0; failed = 0 }
	failed { line[n++] = $0 }
	END { show() }' "$1"
}

for p in $presets; do
	case $p-$long in
	dev-yes) preset dev -DLIBVNET_MATRIX=ON ;;
	dev-no) preset dev -DLIBVNET_MATRIX=OFF ;;
	checked-no) preset checked -DLIBVNET_VARIANTS=OFF ;;
	tsan-yes) preset tsan -DLIBVNET_SOAK=ON ;;
	tsan-no) preset tsan -DLIBVNET_SOAK=OFF ;;
	*) preset "$p" ;;
	esac
done
if [ $long = yes ]; then
	case " $presets " in
	*" coverage "*)
		mkdir -p build/coverage/html
		# gcovr 5 stops where a function stands at another line without
		# VIMAGE: the report is of the build with it.
		find build/coverage -name '*.gcda' ! -path '*novimage*' |
		    sed 's|/[^/]*$||' | sort -u >"$out/gcovr.dirs"
		# shellcheck disable=SC2046
		step gcovr "coverage report" gcovr --root . --object-directory build/coverage \
		    --filter libvnet/ --filter examples/ ${LIBVNET_TEST_SYSDIR:+--filter "$LIBVNET_TEST_SYSDIR/"} --html-details build/coverage/html/index.html \
		    --print-summary $(cat "$out/gcovr.dirs") || note_failure "coverage report" gcovr
		sed -n 's/^\(lines\|branches\):/  coverage   \1:/p' "$out/gcovr.log" >>"$out/summary"
		echo "  coverage   build/coverage/html/index.html" >>"$out/summary"
		;;
	esac
	step figures "figures" sh test/bench/run.sh || note_failure "figures" figures
	echo "  figures    build/test/figures.log" >>"$out/summary"
fi

echo
echo "Summary ($(($(date +%s) - began)) s; logs in build/test)"
cat "$out/summary"
if [ -s "$out/failures" ]; then
	echo "Failed"
	sed 's/^/  /' "$out/failures"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
