#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The figures of a whole stack of a kernel tree: boot, vnets, pings, streams.
#
#	sh test/bench/tree.sh SYSDIR [LIBVNET-CC [--no-checks] [-fsanitize=address]]
#
# LIBVNET-CC is that of a build tree or an installed libvnet; without one it is
# build/bench/bin/libvnet-cc with --no-checks.  Under AddressSanitizer, where CC
# is clang or gcc, the aims are a sixth.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -ge 1 ] || { sed -n 's/^#	/	/p' "$0" >&2; exit 2; }
sysdir=$1 cc=${2:-$root/build/bench/bin/libvnet-cc}
shift
if [ $# -gt 0 ]; then shift; else set -- --no-checks; fi
if [ ! -x "$cc" ]; then
	echo "tree.sh: there is no $cc; build preset bench first" >&2
	exit 1
fi
options=
for option in TCP_HHOOK TCPHPTS ROUTE_MPATH FIB_ALGO DEV_BPF SCTP NETLINK IPFIREWALL_DEFAULT_TO_ACCEPT; do
	options="$options --option $option"
done
out=$root/build/test/bench_tree
mkdir -p "$root/build/test"
# shellcheck disable=SC2086
"$cc" --sysdir "$sysdir" $options --stack --stubs=panic -O2 "$@" \
    --host "$root/test/bench/bench_tree.c" "$root/test/bench/bench_tree_kernel.c" \
    "$root/test/tree/transfer.c" -o "$out"
echo "load average: $(cut -d' ' -f1-3 /proc/loadavg 2>/dev/null || echo unknown)"
"$out"
