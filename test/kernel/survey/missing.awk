# SPDX-License-Identifier: BSD-2-Clause
#
# NAME, and the files that want it (apart by commas), for each name that is
# wanted and that nobody has.  Reads the status lines of survey.sh, libc-names
# and `readelf -sW' of the objects.

FILENAME == ARGV[1] {
	split($0, f, "\t")
	source[f[5]] = f[2]
	group[f[5]] = f[1]
	only = f[5]
	next
}
FILENAME == ARGV[2] {
	have[$1]
	next
}
/^File: / {
	object = substr($0, 7)
	next
}
$1 !~ /^[0-9]+:$/ || $5 == "LOCAL" || $8 == "" { next }
$7 != "UND" {
	have[$8]
	next
}
$5 == "WEAK" || $8 ~ /^(__start_|__stop_|_GLOBAL_OFFSET_TABLE_$|vnh_|__(asan|ubsan|tsan|msan|stack_chk|udiv|umod)_?)/ { next }
{
	at = object != "" ? object : only
	if (!(($8, at) in seen)) {
		seen[$8, at]
		# What is linked on demand matters where something demands it.
		by[$8] = by[$8] (by[$8] == "" ? "" : ",") source[at]
		if (group[at] != "providers")
			stack[$8]
	}
}
END {
	for (name in by)
		if (!(name in have))
			print name "\t" by[name] "\t" (name in stack ? "stack" : "providers")
}
