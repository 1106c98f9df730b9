# SPDX-License-Identifier: BSD-2-Clause
#
# The lines of undefined.txt, not in order: SOURCE RANK KIND NAME DETAIL.
# Reads the numbered sources, the facts and what stubs_sort.awk wrote.

FILENAME ~ /numbered$/ {
	source[$1] = shorter($2)
	next
}
FILENAME ~ /facts$/ {
	kind[$1] = $3
	size[$1] = $4
	align[$1] = $5
	where[$1] = $6 == "-" ? "" : shorter($6)
	next
}
function shorter(path) {
	if (sysdir != "" && index(path, sysdir "/") == 1)
		return substr(path, length(sysdir) + 2)
	if (index(path, root "/") == 1)
		path = substr(path, length(root) + 2)
	sub(/^include\/(kern|base)\//, "", path)
	if (path ~ /^\//)
		sub(/.*\//, "", path)
	return path
}
function shown(cname) {		# as a programmer writes it
	sub(/^vnet_entry_/, "V_", cname)
	return cname
}
function line(o, rank, what, cname, detail) {
	print source[o] "\t" rank "\t" what "\t" shown(cname) "\t" detail
}
function described(name,   text) {
	if (kind[name] == "function")
		return "function, stubbed"
	if (kind[name] == "node")
		return "sysctl node, made"
	if (kind[name] == "type")
		return "malloc type, made"
	if (kind[name] != "data" && kind[name] != "counters")
		return kind[name] ", made" (name ~ /^vnet_entry_/ ? ", in each vnet" : "")
	text = (kind[name] == "counters" ? "counters, " : "data, ") size[name] " bytes"
	if (kind[name] == "data")
		text = text " aligned to " align[name]
	if (name ~ /^vnet_entry_/)
		text = text ", in each vnet"
	if (name ~ /^pcpu_entry_/)
		text = text ", on each CPU"
	return text
}
$1 == "interface" { line($2, 1, "interface", $3, $4 in source ? source[$4] : $4) }
$1 == "given" { line($2, 2, "given", $3, source[$4]) }
$1 == "wrapped" { line($2, 3, "wrapped", $3, "__wrap_" $4) }
$1 == "missing" {
	n = split($4, o, ",")
	rank = 4
	what = "stack"
	if (!($2 in kind)) {
		rank = 5
		what = "unknown"
		detail = "declared nowhere, not stubbed"
	} else if (kind[$2] == "opaque") {
		rank = 5
		what = "unknown"
		detail = "type not complete, not stubbed"
	} else {
		detail = described($2)
		# The kernel interface that nobody models yet.
		if (where[$2] ~ /^(sys|vm|machine|x86|ddb|libkern|[a-z0-9]+\/include)\//)
			what = "kernel"
	}
	if (where[$2] != "")
		detail = detail " (" where[$2] ")"
	for (i = 1; i <= n; i++)
		line(o[i], rank, what, $3, detail)
}
