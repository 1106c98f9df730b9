#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Every kernel-world source has its card, and the table in kern/README.md is
# the one that the cards give.
#
#   cards.sh CARDS.sh ROOT SCRATCH
set -eu
cards=$1 root=$2 scratch=$3
cp "$root/kern/README.md" "$scratch"
sh "$cards" "$root" "$scratch"
cmp -s "$root/kern/README.md" "$scratch" || {
	echo "libvnet/kern/README.md is not current: sh libvnet/cmake/cards.sh libvnet libvnet/kern/README.md"
	diff "$root/kern/README.md" "$scratch" || :
	exit 1
}
