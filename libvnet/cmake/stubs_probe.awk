# SPDX-License-Identifier: BSD-2-Clause
#
# What the compiler knows of names, for stubs.sh.  Reads NAME C-NAME lines.
#
#   kind=where	a file that declares each name anew, as something else: the
#		error's note says where it was declared, or there is none
#   kind=what	a file that says of each what it is, in strings of assembler
#
# source is included first.  Each name has four lines, so that an error's line
# says whose it is.

BEGIN {
	print "#include \"" source "\""
	if (kind == "where")
		print "struct libvnet_stub_other { int other; };"
	else
		print "#define LIBVNET_STUB_SAY(what, value) __asm__ volatile (\".ascii \\\"->\" what \" %c0 <-\\\"\" : : \"i\" (value)); struct sysctl_oid; struct malloc_type; struct epoch; struct mtx; struct rwlock; struct sx; struct rmlock"
}

kind == "where" {
	print "#undef " $2
	print "struct libvnet_stub_other *" $2 ";"
	next
}

function say(what, value) {
	return " LIBVNET_STUB_SAY(\"" $1 " " what "\", " value ");"
}
function same(a, b) {
	return "__builtin_types_compatible_p(" a ", " b ")"
}
# A number for each kind that stubs.sh knows to make.
function kinds(name,   address, type, text) {
	address = "__typeof__(&" name ")"
	type = "__typeof__(" name ")"
	# A function is its own address; no object is.
	text = same(address, "__typeof__(0 ? " name " : " name ")") " ? 1 : "
	text = text same(type, "struct epoch *") " ? 2 : "
	text = text same(type, "struct mtx") " ? 3 : " same(type, "struct rwlock") " ? 4 : "
	text = text same(type, "struct sx") " ? 5 : " same(type, "struct rmlock") " ? 6 : "
	if (name ~ /^sysctl___/)
		text = text same(type, "struct sysctl_oid") " ? 7 : "
	else if (name ~ /^M_/)
		text = text same(address, "struct malloc_type (*)[1]") " ? 8 : "
	else
		text = text same(address, "__UINT64_TYPE__ *(*)[sizeof(" name ") / sizeof(void *)]") " ? 9 : "
	return text "0"
}
{
	print "#undef " $2
	print "void libvnet_stub_probe_" NR "(void); void libvnet_stub_probe_" NR "(void) { (void)&" $2 ";"
	print say("kind", kinds($2)) say("size", "sizeof(" $2 ")") say("align", "__alignof__(" $2 ")") " }"
	print ""
}
