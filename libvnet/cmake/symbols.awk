# SPDX-License-Identifier: BSD-2-Clause
#
# Reads `readelf -SsW OBJECT ...' and writes its global symbols, one a line:
# D (defined), W (defined, weak), U (undefined) or u (undefined, weak), the
# name, and the object; and S for each linker set that it has a part of.
# In: file, the object where there is but one.

BEGIN {
	FS = "[ \t]+"
	object = file
}
/^File: / {
	object = substr($0, 7)
	next
}
/^ *\[ *[0-9]+\] set_/ {
	sub(/^ *\[ *[0-9]+\] /, "")
	split($0, f, " +")
	sub(/\..*/, "", f[1])		# set_vnet.NAME
	print "S", f[1], object
	next
}
$6 == "GLOBAL" || $6 == "WEAK" || $6 == "UNIQUE" {
	if ($9 == "")
		next
	tag = $8 == "UND" ? "U" : "D"
	if ($6 == "WEAK")
		tag = tag == "U" ? "u" : "W"
	print tag, $9, object
}
