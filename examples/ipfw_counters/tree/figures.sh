#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# figures.sh SYSDIR [LIBVNET-CC]: the rows of ../figures.sh with the ipfw of a
# kernel tree on its stack's forwarding path.  LIBVNET-CC is by default that
# of preset bench, which must have been built.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
[ $# -ge 1 ] || { sed -n 's/^# figures/usage: figures/p' "$0" >&2; exit 2; }
cc=${2:-$root/build/bench/bin/libvnet-cc}
out=$root/build/test
mkdir -p "$out"
"$cc" --sysdir "$1" --option IPFIREWALL_DEFAULT_TO_ACCEPT --option DEV_BPF \
    --stack=net,netinet,netinet6,ipfw --stubs=panic \
    --no-checks -O2 --kernel "$here/ip_fw2.c" --host "$here/../bench_ipfw_counters.c" \
    "$here/forward.c" -o "$out/bench_ipfw_tree"
sh "$here/../figures.sh" "$out/bench_ipfw_tree" "$out/ipfw_tree" 60
