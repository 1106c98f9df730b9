# SPDX-License-Identifier: BSD-2-Clause
#
# SOURCE RANK KIND NAME DETAIL, apart by tabs, in columns; equal lines once.
$0 == last { next }
{
	last = $0
	row[++n] = $0
	for (i = 1; i <= 4; i++)
		if (length($i) > width[i])
			width[i] = length($i)
}
END {
	for (r = 1; r <= n; r++) {
		split(row[r], f, "\t")
		printf "%-" width[1] "s  %-" width[3] "s  %-" width[4] "s  %s\n", f[1], f[3], f[4], f[5]
	}
}
