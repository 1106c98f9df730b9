# SPDX-License-Identifier: BSD-2-Clause
#
# Tables of the fields of a tree's structs of statistics, for lvn_counter.c.
# C has no names of fields at run time, and they differ between versions.
#
#   awk -v sysdir=DIR -v out=lvn_statistics.h -f statistics.awk statistics
#
# Conditions (#if) inside a struct are kept.  Fields that are no integers are
# left out, but for structs of the same header, whose fields stand for them.

# The body of `struct tag' in text[], or 0 lines.
function body(file, tag, text,   line, n, inside) {
	n = 0
	inside = 0
	while ((getline line <file) > 0) {
		if (!inside && line ~ "^struct[ \t]+" tag "[ \t]*\\{") {
			inside = 1
			continue
		}
		if (!inside)
			continue
		if (line ~ /^\}/)
			break
		text[++n] = line
	}
	close(file)
	return n
}
function skipped(name) {
	return name ~ /(spare|_pad|reserved|_version$|_len$|^tv_)/
}
# prefix: the member that holds the struct, with its dot.
function fields(file, tag, outer, prefix,   text, n, i, line, comment, type, m, k, names, name) {
	n = body(file, tag, text)
	comment = 0
	for (i = 1; i <= n; i++) {
		line = text[i]
		if (comment) {
			if (!sub(/^.*\*\//, "", line))
				continue
			comment = 0
		}
		gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", line)
		if (sub(/\/\*.*$/, "", line))
			comment = 1
		if (line ~ /^[ \t]*#[ \t]*(if|el|endif)/) {
			print line >out
			continue
		}
		if (line ~ /^[ \t]*struct[ \t]+[a-z0-9_]+[ \t]+[a-z0-9_]+;/) {
			split(line, names, /[ \t;]+/)
			m = names[1] == "" ? 1 : 0
			fields(file, names[2 + m], outer, prefix names[3 + m] ".")
			continue
		}
		if (line !~ /^[ \t]*(u_?int(16|32|64)_t|u_int|u_long|int|long)[ \t]+[^()]*;/)
			continue
		sub(/^[ \t]*[a-z0-9_]+[ \t]+/, "", line)
		sub(/;.*/, "", line)
		k = split(line, names, /[ \t]*,[ \t]*/)
		for (m = 1; m <= k; m++) {
			name = names[m]
			if (skipped(name))
				continue
			if (sub(/\[.*/, "", name))
				printf "\tLVN_ARRAY(%s, %s%s, \"%s\"),\n", outer, prefix, name, name >out
			else
				printf "\tLVN_FIELD(%s, %s%s, \"%s\"),\n", outer, prefix, name, name >out
		}
	}
}
/^#/ || NF < 5 { next }
{
	file = sysdir "/" $4
	if (body(file, $3, unused) == 0)
		next
	end = ""
	if ($5 != "-") {
		print "#ifdef " $5 >out
		end = "#endif"
	}
	print "#include <" $4 ">" >out
	printf "static const struct lvn_field lvn_fields_%s[] = {\n", $1 >out
	fields(file, $3, $3, "")
	print "};" >out
	if (end != "")
		print end >out
	table[++count] = ($5 != "-" ? "#ifdef " $5 "\n" : "") \
	    "\t{ \"" $1 "\", \"" $2 "\", sizeof(struct " $3 "), lvn_fields_" $1 ", nitems(lvn_fields_" $1 ") },\n" \
	    ($5 != "-" ? "#endif\n" : "")
}
END {
	print "static const struct lvn_protocol lvn_protocols[] = {" >out
	for (i = 1; i <= count; i++)
		printf "%s", table[i] >out
	print "};" >out
}
