# SPDX-License-Identifier: BSD-2-Clause
#
# NAME FILE for what the files seem to define, by the looks of their lines
# (style(9) has a function's name first on its line).  Only for telling where
# something that is missing would come from, and that it is FreeBSD's.

FNR == 1 {
	file = FILENAME
	sub(/^\.\//, "", file)
}
/^[ \t#{}\/*]/ || /^(extern|typedef|static)/ || $0 == "" { next }
match($0, /^[A-Za-z_][A-Za-z0-9_]* ?\(/) {
	name = substr($0, 1, RLENGTH - 1)
	sub(/ /, "", name)
	if (name ~ /^(MALLOC_DEFINE|VNET_DEFINE|DPCPU_DEFINE|SYSCTL_NODE|SYSCTL_ROOT_NODE)$/) {
		n = split(substr($0, RLENGTH + 1), f, /[ \t]*[,()][ \t]*/)
		if (name == "MALLOC_DEFINE")
			print f[1] "\t" file
		else if (name == "VNET_DEFINE")
			print "vnet_entry_" f[2] "\t" file
		else if (name == "DPCPU_DEFINE")
			print "pcpu_entry_" f[2] "\t" file
		else if (name == "SYSCTL_NODE")
			print "sysctl__" f[1] "_" f[3] "\t" file
		next
	}
	print name "\t" file
	next
}
# Data: the last word before what ends its declarator.
{
	sub(/[ \t]*(=|\[|;|,|__).*/, "")
	if (match($0, /[A-Za-z_][A-Za-z0-9_]*$/) && RSTART > 1)
		print substr($0, RSTART) "\t" file
}
