# SPDX-License-Identifier: BSD-2-Clause
#
# What survey.sh prints.  Reads its lists of files, of their fates and of the
# missing names; exits with 1 when something is missing or fails.

function short(path) {
	if (index(path, sysdir "/") == 1)
		return substr(path, length(sysdir) + 2)
	if (index(path, root "/") == 1)
		return substr(path, length(root) + 2)
	return path
}
FILENAME == ARGV[1] {
	if (!($1 in files))
		order[++folders] = $1
	files[$1]++
	next
}
FILENAME == ARGV[2] {
	if ($3 == "plain")
		pass[$1]++
	else if ($3 != "-") {
		option[$1]++
		with[++nwith] = short($2) " with " $3
	} else {
		fail[$1]++
		failing[++nfailing] = short($2) ": " $4
	}
	next
}
{
	n = split($2, who, ",")
	line = sprintf("  %-34s %-28s", $1, $4)
	for (i = 1; i <= n && i <= 4; i++)
		line = line " " short(who[i])
	if (n > 4)
		line = line " and " n - 4 " more"
	lines[$3] = lines[$3] "\n" line
	count[$3]++
}
function row(name, a, b, c, d) {
	printf "%-20s %6d %6d %8d %6d\n", name, a, b, c, d
}
function files_list(title, text, n,   i) {
	print "\n" title ": " n + 0
	for (i = 1; i <= n; i++)
		print "  " text[i]
}
function names_list(title, kind) {
	if (!(kind in count) && kind != "core")
		return
	print "\n" title ": " count[kind] + 0 (quiet ? "" : lines[kind])
}
END {
	print "Tree of version " version ", " cc
	print "Options: " options
	print ""
	printf "%-20s %6s %6s %8s %6s\n", "folder", "files", "pass", "+option", "fail"
	for (i = 1; i <= folders; i++) {
		name = order[i]
		if (name == "providers" || name ~ /^libvnet/)
			continue
		row(name, files[name], pass[name], option[name], fail[name])
		a += files[name]; b += pass[name]; c += option[name]; d += fail[name]
	}
	row("all", a, b, c, d)
	for (i = 1; i <= folders; i++)
		if (order[i] == "providers" || order[i] ~ /^libvnet/)
			row(order[i], files[order[i]], pass[order[i]], option[order[i]], fail[order[i]])
	if (nwith > 0)
		files_list("Files that pass with an option", with, nwith)
	files_list("Files that fail", failing, nfailing)
	names_list("Names that net, netinet, netinet6 and netpfil want and nobody has", "core")
	names_list("Names that only others of the survey want", "rest")
	names_list("Names that only files want which are linked on demand", "demand")
	names_list("Names of the survey's own files, which fail or lack an option", "stack")
	names_list("Foreign names", "foreign")
	print ""
	exit (nfailing > 0 || count["core"] + count["rest"] + count["demand"] > 0)
}
