# SPDX-License-Identifier: BSD-2-Clause
#
# With known=FILE the list of known leaks goes into the manifest.
#
# Reads what `readelf -SW' and then `readelf -sW' say of a kernel object and
# writes its manifest in C.  With compare=1 the second file is `readelf -SW'
# of the parts it was made of: nothing is written, and a linker set that is
# not as large as its parts together is an error.

function hex(s,   i, v) {
	v = 0
	s = tolower(s)
	sub(/^0x/, "", s)
	for (i = 1; i <= length(s); i++)
		v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return v
}
function fail(text) {
	print "kernlink.sh: " text > "/dev/stderr"
	failed = 1
	exit 1
}

# "  [ 5] .text  PROGBITS  addr off size ..."
(FILENAME == ARGV[1] || compare) && match($0, /^ *\[ *[0-9]+\] /) {
	ndx = substr($0, 1, RLENGTH)
	gsub(/[^0-9]/, "", ndx)
	split(substr($0, RLENGTH + 1), f, " +")
	if (f[1] !~ /^set_[A-Za-z0-9_]+$/)
		next
	if (FILENAME != ARGV[1]) {
		parts[f[1]] += hex(f[5])
		next
	}
	if (!(f[1] in bytes))
		order[nsets++] = f[1]
	bytes[f[1]] += hex(f[5])
	if (f[1] == "set_vnet") {
		if (vnet != "")
			fail("two set_vnet sections: their V_ variables have no one master copy")
		vnet = ndx
	}
	next
}

# "   12: 0000000000000040     4 OBJECT  GLOBAL DEFAULT    7 vnet_entry_x"
!compare && vnet != "" && $7 == vnet && $4 == "OBJECT" && $8 ~ /^vnet_entry_/ {
	name = substr($8, 12)
	sub(/\..*/, "", name)		# LTO adds .lto_priv.N, .N
	n++
	key[n] = hex($2)
	vsize[n] = $3 ~ /^0x/ ? hex($3) : $3
	vname[n] = name
}

!compare && vnet != "" && $7 == vnet && $8 ~ /^vnet_guard_/ { guarded = 1 }

# With guards, there is a gap before each variable and behind the last.
function check_gaps(   i, end) {
	end = 0
	for (i = 1; i <= n; i++) {
		if (key[i] <= end)
			fail("no gap before V_" vname[i] ": the compiler put nothing between it and " (i > 1 ? "V_" vname[i - 1] : "the start"))
		end = key[i] + vsize[i]
	}
	if (n > 0 && bytes["set_vnet"] <= end)
		fail("no gap behind V_" vname[n] ", the last")
}

function sort(   i, j, k, s, m) {	# by offset; few enough to insert
	for (i = 2; i <= n; i++) {
		k = key[i]; s = vsize[i]; m = vname[i]
		for (j = i - 1; j >= 1 && key[j] > k; j--) {
			key[j + 1] = key[j]; vsize[j + 1] = vsize[j]; vname[j + 1] = vname[j]
		}
		key[j + 1] = k; vsize[j + 1] = s; vname[j + 1] = m
	}
}

END {
	if (failed)
		exit 1
	if (compare) {
		for (set in parts)
			if (set != "set_vnet" && set != "set_pcpu" && parts[set] != bytes[set])
				fail(sprintf("linker set %s has %d bytes, its parts have %d: the linker dropped or padded members",
				    set, bytes[set], parts[set]))
		exit 0
	}
	sort()
	if (guarded)
		check_gaps()
	print "/* Made by kernlink.sh. */"
	print "#include \"seam.h\""
	print "#define WEAK __attribute__((weak))"
	print "extern char __start_libvnet_kdata[] WEAK, __stop_libvnet_kdata[] WEAK;"
	print "extern char __start_libvnet_kbss[] WEAK, __stop_libvnet_kbss[] WEAK;"
	print "extern char __start_set_vnet[] WEAK, __stop_set_vnet[] WEAK;"
	for (i = 0; i < nsets; i++)
		if (order[i] != "set_vnet")
			printf "extern char __start_%s[] WEAK, __stop_%s[] WEAK;\n", order[i], order[i]
	print "static const struct vnh_set sets[] = {"
	for (i = 0; i < nsets; i++)
		printf "\t{ \"%s\", __start_%s, __stop_%s, %d },\n", order[i], order[i], order[i], bytes[order[i]]
	print "\t{ 0, 0, 0, 0 }\n};"
	print "static const struct vnh_var vars[] = {"
	for (i = 1; i <= n; i++)
		printf "\t{ \"%s\", %d, %d },\n", vname[i], key[i], vsize[i]
	print "\t{ 0, 0, 0 }\n};"
	if (known != "") {
		print "static const char known[] ="
		while ((getline line < known) > 0) {
			gsub(/[\\"]/, "\\\\&", line)
			printf "\t\"%s\\n\"\n", line
		}
		print "\t\"\";"
	}
	print "const struct vnh_manifest vnh_manifest = {"
	print "\tVNH_SEAM_VERSION, sets, vars,"
	print "\t__start_libvnet_kdata, __stop_libvnet_kdata,"
	print "\t__start_libvnet_kbss, __stop_libvnet_kbss,"
	print "\t__start_set_vnet, __stop_set_vnet,"
	print "\t" (known != "" ? "known" : "0") "\n};"
}
