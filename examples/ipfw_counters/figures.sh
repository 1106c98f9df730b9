#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# figures.sh BENCH_IPFW_COUNTERS DIR [SAMPLES [PACKETS [THREADS]]]: packets per
# second with the firewall off, its counters off and on, for each form of the
# counters, on one CPU and on all; what ministat can prove of each step.
# Samples go to DIR, which is emptied.
set -eu
prog=$1 dir=$2
samples=${3:-100} packets=${4:-10000}
command -v ministat >/dev/null 2>&1 || {
	echo "$0: ministat is missing" >&2
	exit 1
}
cores=$(getconf _NPROCESSORS_ONLN)
[ "$cores" -le 32 ] || cores=32
threads=1
[ "$cores" -eq 1 ] || threads="1 $cores"
threads=${5:-$threads}
rm -rf "$dir"
mkdir -p "$dir"
# shellcheck disable=SC2086
"$prog" "$dir" "$samples" "$packets" $threads

mean() { awk '{ s += $1 } END { printf "%.3f", s / NR }' "$1"; }
# step FROM TO: in per cent of FROM, or that none is proven.
step() {
	ministat -c 95 "$1" "$2" | awk '
		/^No difference proven/ { print "not proven"; exit }
		/%/ && /\+\/-/ { printf "proven, %+.1f %% +/- %.1f %%\n", $1, $3; exit }'
}
for n in $threads; do
	printf '\n%s thread(s), %s samples, 10^6 packets per second; differences at 95 %%\n' "$n" "$samples"
	printf '%-28s %9s %9s %9s  %-26s %s\n' "" "firewall" "counters" "counters" \
	    "counters on" "firewall on"
	printf '%-28s %9s %9s %9s  %-26s %s\n' "counters" off off on \
	    "against off" "against off"
	for form in shared percpu critical counter9; do
		case $form in
		shared) what="one, shared" ;;
		percpu) what="per CPU, not protected" ;;
		critical) what="per CPU, critical section" ;;
		counter9) what="counter(9)" ;;
		esac
		printf '%-28s %9s %9s %9s  %-26s %s\n' "$what" "$(mean "$dir/none-$n")" \
		    "$(mean "$dir/off-$n")" "$(mean "$dir/$form-$n")" \
		    "$(step "$dir/off-$n" "$dir/$form-$n")" "$(step "$dir/none-$n" "$dir/$form-$n")"
	done
	echo "firewall on without counters against off: $(step "$dir/none-$n" "$dir/off-$n")"
	echo "critical section against not protected:   $(step "$dir/percpu-$n" "$dir/critical-$n")"
	echo "counter(9) against not protected:         $(step "$dir/percpu-$n" "$dir/counter9-$n")"
done
