# SPDX-License-Identifier: BSD-2-Clause
#
# NAME WANTERS KIND FILE for each missing name.  Reads the words of headers
# that are names or parts of names, NAME FILE of definitions, the status lines
# of survey.sh, and NAME WANTERS GROUP.  KIND:
#	core	wanted by net, netinet, netinet6 or netpfil
#	rest	by other files of the survey only
#	demand	by files that are linked on demand only
#	stack	a file that was compiled would define it, but failed or lacks an
#		option
#	foreign	neither a header has it nor a file defines it

function word(name) {
	sub(/^(vnet_entry_|pcpu_entry_|lvk_)/, "", name)
	sub(/^sysctl__/, "", name)
	return name
}
BEGIN { FS = OFS = "\t" }
FILENAME == ARGV[1] { header[$1]; next }
FILENAME == ARGV[2] {
	if (!($1 in file))
		file[$1] = $2
	else if (file[$1] != $2)
		more[$1] = file[$1] " and others"
	next
}
FILENAME == ARGV[3] {
	group[$2] = $1
	next
}
{
	name = $1
	sub(/^lvk_/, "", name)
	where = name in more ? more[name] : name in file ? file[name] : ""
	kind = $3 == "providers" ? "demand" : "rest"
	n = split($2, who, ",")
	for (i = 1; i <= n && kind == "rest"; i++)
		if (group[who[i]] ~ /^(net|netinet6?|netpfil)(\/|$)/)
			kind = "core"
	if (where != "" && (sysdir "/" file[name]) in group && group[sysdir "/" file[name]] !~ /^libvnet/)
		kind = "stack"
	else if (where == "" && !(word(name) in header))
		kind = "foreign"
	print $1, $2, kind, where
}
