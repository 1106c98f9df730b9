# SPDX-License-Identifier: BSD-2-Clause
#
# Called as FreeBSD's: makeobjops.awk FILE.m -h|-c; knows INTERFACE and METHOD
# as far as quota_if.m has them.
BEGIN {
	file = ARGV[1]
	kind = ARGV[2] == "-h" ? "h" : "c"
	while ((getline line < file) > 0) {
		sub(/;.*/, "", line)
		split(line, word, " ")
		if (word[1] == "INTERFACE")
			interface = word[2]
		if (word[1] == "METHOD")
			method[++n] = word[3]
	}
	out = file
	sub(/.*\//, "", out)
	sub(/\.m$/, "." kind, out)
	if (kind == "h") {
		print "enum " interface "_method {" > out
		for (i = 1; i <= n; i++)
			print "\t" toupper(interface "_" method[i]) "," > out
		print "};\n#define " toupper(interface) "_METHODS " n > out
	} else
		print "#include \"" interface "_if.h\"" > out
	exit
}
