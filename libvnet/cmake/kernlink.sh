#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Link kernel-world objects into one relocatable object, and write down what
# is in it: each linker set's size (boot compares, so that a lost member is
# noticed) and each V_ variable's place (for guards and access by name).
#
#   kernlink.sh -o OUT.o -m MANIFEST.c [-r READELF] -- CC [FLAG ...] OBJECT ...
#
# CC is called with -r; link-time optimisation, if its flags ask for it,
# happens here and ends here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
readelf=readelf out= manifest=
while [ $# -gt 0 ]; do
	case $1 in
	-o) out=$2; shift 2 ;;
	-m) manifest=$2; shift 2 ;;
	-r) readelf=$2; shift 2 ;;
	--) shift; break ;;
	*) echo "kernlink.sh: unknown argument $1" >&2; exit 2 ;;
	esac
done
if [ -z "$out" ] || [ -z "$manifest" ] || [ $# -lt 2 ]; then
	echo "usage: kernlink.sh -o OUT.o -m MANIFEST.c [-r READELF] -- CC [FLAG ...] OBJECT ..." >&2
	exit 2
fi
cc=$1
shift
"$cc" -r -nostdlib "-Wl,-T,$here/kernlink.ld" -o "$out" "$@"

LC_ALL=C "$readelf" -SW "$out" >"$manifest.sections"
LC_ALL=C "$readelf" -sW "$out" >"$manifest.symbols"
awk '
function hex(s,   i, v) {
	v = 0
	s = tolower(s)
	for (i = 1; i <= length(s); i++)
		v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return v
}
# "  [ 5] .text  PROGBITS  addr off size ..."
FILENAME == ARGV[1] {
	if (match($0, /^ *\[ *[0-9]+\] /) == 0)
		next
	ndx = substr($0, 1, RLENGTH)
	gsub(/[^0-9]/, "", ndx)
	split(substr($0, RLENGTH + 1), f, " +")
	if (f[1] ~ /^set_[A-Za-z0-9_]+$/) {
		if (!(f[1] in bytes))
			order[nsets++] = f[1]
		bytes[f[1]] += hex(f[5])
		if (f[1] == "set_vnet") {
			if (vnet != "") {
				print "kernlink.sh: two set_vnet sections" > "/dev/stderr"
				exit 1
			}
			vnet = ndx
		}
	}
	next
}
# "   12: 0000000000000040     4 OBJECT  GLOBAL DEFAULT    7 vnet_entry_x"
vnet != "" && $7 == vnet && $4 == "OBJECT" && $8 ~ /^vnet_entry_/ {
	name = substr($8, 12)
	sub(/\..*/, "", name)		# LTO adds .lto_priv.N, .N
	size = $3 ~ /^0x/ ? hex(substr($3, 3)) : $3
	n++
	key[n] = hex($2); vsize[n] = size; vname[n] = name
}
END {
	for (i = 2; i <= n; i++) {	# insertion sort by offset
		k = key[i]; s = vsize[i]; m = vname[i]
		for (j = i - 1; j >= 1 && key[j] > k; j--) {
			key[j + 1] = key[j]; vsize[j + 1] = vsize[j]; vname[j + 1] = vname[j]
		}
		key[j + 1] = k; vsize[j + 1] = s; vname[j + 1] = m
	}
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
	print "const struct vnh_manifest vnh_manifest = {"
	print "\tVNH_SEAM_VERSION, sets, vars,"
	print "\t__start_libvnet_kdata, __stop_libvnet_kdata,"
	print "\t__start_libvnet_kbss, __stop_libvnet_kbss,"
	print "\t__start_set_vnet, __stop_set_vnet\n};"
}' "$manifest.sections" "$manifest.symbols" >"$manifest.new"
rm -f "$manifest.sections" "$manifest.symbols"
mv "$manifest.new" "$manifest"
