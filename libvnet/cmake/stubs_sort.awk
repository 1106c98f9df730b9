# SPDX-License-Identifier: BSD-2-Clause
#
# Sorts out for stubs.sh who wants which name and who supplies it.  Reads
# kern_names.h, the names that libc and the runtime supply (NAME or NAME FILE,
# one a line), and the objects' symbols: OBJECT, U (undefined), W (weakly so)
# or D (defined), NAME, apart by tabs;
# N where an object has none.  wraps: names that are wrapped.  own: so many
# objects, the first, are the program's own.
#
# Writes lines apart by tabs, objects by their number:
#	missing NAME C-NAME OBJECT,OBJECT ...
#	interface OBJECT C-NAME FILE-OR-OBJECT	given OBJECT C-NAME OBJECT
#	wrapped OBJECT C-NAME NAME	default C-NAME NAME OBJECT FATE [OBJECT]
#	wrong TEXT
# where FATE is what became of a NAME that is no stub.

function cname(name) {
	return name in source ? source[name] : name
}
# What compilers, libvnet's host side and cmocka bring.
function hosts(name) {
	return name ~ /^(__start_|__stop_|__(asan|ubsan|tsan|msan|hwasan|lsan|sanitizer|sancov|gcov|llvm|afl|cyg_profile|aarch64)_|libvnet_|vn[hk]_|_GLOBAL_OFFSET_TABLE_$|_?_Unwind_|__gcc_personality)/ ||
	    name ~ /^__(stack_chk_fail|tls_get_addr|popcount[ds]i2|[a-z]*[dst]i[23])$/ ||
	    name ~ /^(_(assert|expect|check_expected|mock|will_return|function_called|fail|skip|cmocka|test)(_|$)|mock_assert$|print_(message|error)$|_setjmp$|longjmp$|lvk_stub_called$)/
}
BEGIN {
	FS = "\t"
}
FILENAME == ARGV[1] {
	split($0, f, " ")
	if (f[1] == "#pragma" && f[2] == "redefine_extname") {
		source[f[4]] = f[3]
		object[f[3]] = f[4]
	}
	next
}
FILENAME == ARGV[2] || FILENAME == ARGV[3] {
	split($0, f, /[ \t]+/)
	if (f[1] != "" && f[1] !~ /^#/ && !(f[1] in supplied))
		supplied[f[1]] = f[2] == "" ? "the host side" : f[2]
	next
}
!($1 in number) {
	number[$1] = ++objects
	name_of[objects] = $1
}
$2 == "N" { next }
$2 == "D" {
	if (!($3 in definer))
		definer[$3] = number[$1]
	if ($3 ~ /^libvnet_stub_default_/)
		defaults[++ndefaults] = $3
	next
}
{
	nwants++
	want[nwants] = $3
	by[nwants] = number[$1]
	weak[nwants] = $2 == "W"
}

function wanted(name, o,   c) {
	c = cname(name)
	if (name in definer) {
		if (o <= own)
			print (definer[name] <= own ? "given" : "interface") "\t" o "\t" c "\t" definer[name]
	} else if (name in supplied) {
		if (o <= own)
			print "interface\t" o "\t" c "\t" supplied[name]
	} else if (!(name in list)) {
		order[++nmissing] = name
		list[name] = o
	} else
		list[name] = list[name] "," o
}

END {
	n = split(wraps, w, " ")
	for (i = 1; i <= n; i++)
		wrap[w[i] in object ? object[w[i]] : w[i]]
	for (i = 1; i <= nwants; i++) {
		name = want[i]
		if (name ~ /^__real_/ && substr(name, 8) in wrap)
			wanted(substr(name, 8), by[i])
		else if (name in wrap) {
			print "wrapped\t" by[i] "\t" cname(name) "\t" name
			wrapped[name]
		} else if (!weak[i] && !hosts(name))
			wanted(name, by[i])
		called[name]
	}
	for (i = 1; i <= nmissing; i++)
		print "missing\t" order[i] "\t" cname(order[i]) "\t" list[order[i]]
	for (i = 1; i <= ndefaults; i++) {
		c = substr(defaults[i], 22)
		name = c in object ? object[c] : c
		if (name in list)
			fate = ""
		else if (name in definer)
			fate = "is defined in\t" definer[name]
		else if (name in supplied && name in called)
			fate = "is supplied by " supplied[name]
		else
			fate = "is called by none of the program's files"
		print "default\t" c "\t" name "\t" definer[defaults[i]] "\t" fate
	}
	for (name in wrap) {
		if (!(name in wrapped))
			print "wrong\t" cname(name) " is to be wrapped, but no file calls it but the one that defines it"
		else if (!(("__wrap_" name) in definer))
			print "wrong\t" cname(name) " is to be wrapped: define __wrap_" name " in a test file"
	}
}
