#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Build and run one column of the matrix.
#
#   cell.sh PACKAGE OUT NAME COMPILER "FLAGS" [CMAKE_ARGUMENT ...]
#
# PACKAGE has libvnetConfig.cmake.  OUT/NAME.report is what the programs said;
# it must be what OUT/reference.report says, which NAME=reference writes.
set -eu
package=$1 out=$2 name=$3 compiler=$4 flags=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
build=$out/$name
command -v "$compiler" >/dev/null || { echo "skip: there is no $compiler"; exit 77; }
mkdir -p "$build"
log=$build/log
{ cmake -S "$here" -B "$build" -G Ninja -Dlibvnet_DIR="$package" -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE= -DCMAKE_C_FLAGS="$flags" "$@" && cmake --build "$build" -j 2; } >"$log" 2>&1 || {
	tail -n 40 "$log"
	exit 1
}
bad=0
say() {
	echo "$name: $*"
	bad=1
}
case $name in
negative)
	"$build/kept" >"$build/kept.report" || say "the sound twin does not run"
	for program in dropped old_seam; do
		status=0
		"$build/$program" >"$build/$program.out" 2>&1 || status=$?
		[ $status = 3 ] || say "$program boots (exit $status)"
		sed "s/^/$program: /" "$build/$program.out"
	done
	grep -q 'linker set .* has 0 bytes in the program but [0-9]* in the kernel object' "$build/dropped.out" ||
	    say "dropped does not say what was lost"
	grep -q 'seam version' "$build/old_seam.out" || say "old_seam does not name the seam's version"
	;;
*)
	for ld in bfd lld; do
		program=$build/report_$ld
		"$program" >"$build/$ld.said" || say "$ld: exit $?"
		LC_ALL=C sort "$build/$ld.said" >"$build/$ld.report"
		[ "$name $ld" != "reference bfd" ] || cp "$build/$ld.report" "$out/reference.report"
		diff "$out/reference.report" "$build/$ld.report" >"$build/$ld.diff" || {
			say "$ld: not as in the reference:"
			cat "$build/$ld.diff"
		}
		grep -q '^wrong 0 0$' "$build/$ld.report" || say "$ld: a variable is not what it should be"
		grep -q '^sysinits 3$' "$build/$ld.report" || say "$ld: not all SYSINITs ran"
		case " $* " in
		*" -DLIBVNET_SANITIZE=address "*)
			for end in over under; do
				ASAN_OPTIONS=detect_leaks=0:symbolize=0 "$program" $end >"$build/$ld.$end" 2>"$build/$ld.$end.asan" || {
					cat "$build/$ld.$end"
					say "$ld: $end"
				}
				grep -q 'ERROR: AddressSanitizer: use-after-poison' "$build/$ld.$end.asan" ||
				    say "$ld: AddressSanitizer did not speak"
			done
			;;
		esac
	done
	;;
esac
exit $bad
