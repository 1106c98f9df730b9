# SPDX-License-Identifier: BSD-2-Clause
#
# Reads `readelf -sW OBJECT ...' and says which source wants each undefined
# name.  In: names, apart by white space; file, the object where there is but
# one (readelf then does not name it); verb.  With a verb the source comes
# first ("x.c calls libc's malloc"), else the name
# ("undefined: foo (wanted by x.c)").

function base(path) {
	sub(/.*\//, "", path)
	return path
}
BEGIN {
	n = split(names, name)
	for (i = 1; i <= n; i++)
		want[name[i]]
	source = base(file)
}
/^File: / {
	source = base(substr($0, 7))
	next
}
$4 == "FILE" && $8 != "" { source = base($8) }
$7 == "UND" && $8 in want && !((source, $8) in seen) {
	seen[source, $8]
	if (++count[$8] <= 3)
		by[$8] = by[$8] (by[$8] == "" ? "" : ", ") source
	if (verb != "")
		print source " " verb " " $8
}
END {
	if (verb != "")
		exit
	for (i = 1; i <= n; i++) {
		s = name[i]
		more = count[s] > 3 ? " and " count[s] - 3 " more" : ""
		print "  undefined: " s (by[s] != "" ? " (wanted by " by[s] more ")" : "")
	}
}
