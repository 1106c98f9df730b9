#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Who supplies what to a program on a kernel tree, name by name.
#
#   providers.sh DIR
#
# DIR is where treelink.sh put kernel.o.
set -eu
tab=$(printf '\t')
awk -F "$tab" -v OFS="$tab" -v stubs="$1/link/undefined" -v made="$1/stubs/stubs.o" '
function shown(name) {
	sub(/^vnet_entry_/, "V_", name)
	sub(/^lvk_/, "", name)
	return name
}
$2 == "nobody" { $2 = "nobody, a stub" }
$2 == "host" { $2 = "the host side" }
{ print shown($1), $2, $3 }' "$1/supply" | LC_ALL=C sort | awk -F "$tab" '
{
	row[NR] = $0
	for (i = 1; i <= 2; i++)
		if (length($i) > width[i])
			width[i] = length($i)
}
END {
	for (r = 1; r <= NR; r++) {
		split(row[r], f, "\t")
		printf "%-" width[1] "s  %-" width[2] "s  wanted by %s\n", f[1], f[2], f[3]
	}
}'
