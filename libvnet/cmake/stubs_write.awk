# SPDX-License-Identifier: BSD-2-Clause
#
# Writes stubs.c for stubs.sh.  Reads FACTS (NAME C-NAME KIND SIZE ALIGN WHERE,
# apart by tabs), the names of sysctl nodes that exist, PARENT NAME pairs of
# nodes that some source has, and the C-NAMEs that have a default.

FILENAME == ARGV[1] { known[$1]; next }
FILENAME == ARGV[2] { leaf[$1 "_" $2] = $2; next }
FILENAME == ARGV[3] { given[$1]; next }
FNR == 1 { begin() }

function begin() {
	FS = "\t"
	$0 = $0
	print "/* Made by stubs.sh. */"
	print "#include <sys/param.h>"
	print "#include <sys/systm.h>"
	print "#include <sys/kernel.h>"
	print "#include <sys/linker_set.h>"
	print "#include <sys/lock.h>"
	print "#include <sys/mutex.h>"
	print "#include <sys/rwlock.h>"
	print "#include <sys/sx.h>"
	print "#include <sys/rmlock.h>"
	print "#include <sys/epoch.h>"
	print "#include <sys/malloc.h>"
	print "#include <sys/pcpu.h>"
	print "#include <sys/counter.h>"
	print "#include <sys/sysctl.h>"
	print "#include <net/vnet.h>"
	print "#include \"" seam "/seam_stub.h\"\n"
	print "#ifdef __clang__	/* which knows only the arguments that were passed */"
	print "#define UNJUDGED __attribute__((no_sanitize(\"memory\")))"
	print "#else"
	print "#define UNJUDGED"
	print "#endif"
	if (mbufs)
		print "void libvnet_stub_m_freem(void *) __asm__(\"m_freem\");\n#define FREEM libvnet_stub_m_freem"
	else
		print "#define FREEM 0"
	print "#define STUB(n, symbol, cname, def)\t\t\t\t\t\\"
	print "\tstatic struct vnh_stub libvnet_stub_##n = {\t\t\t\\"
	print "\t\t.name = cname, .given = def, .freem = FREEM,\t\t\\"
	print "\t\t.whole = " (mode == "panic") "\t\t\t\t\t\t\\"
	print "\t};\t\t\t\t\t\t\t\t\\"
	print "\tDATA_SET(libvnet_stubs, libvnet_stub_##n);\t\t\t\\"
	print "\tlong libvnet_stub_f##n(long, long, long, long, long, long)\t\\"
	print "\t    __asm__(symbol) __attribute__((__weak__));\t\t\t\\"
	print "\tUNJUDGED long\t\t\t\t\t\t\t\\"
	print "\tlibvnet_stub_f##n(long a, long b, long c, long d, long e, long f) \\"
	print "\t{\t\t\t\t\t\t\t\t\\"
	print "\t\tlong args[VNH_STUB_ARGS] = { a, b, c, d, e, f };\t\\"
	print "\t\treturn (lvk_stub_called(&libvnet_stub_##n, args,\t\\"
	print "\t\t    (vnh_uptr)__builtin_return_address(0)));\t\t\\"
	print "\t}\t\t\t\t\t\t\t\t\\"
	print "\tstruct libvnet_stub_##n##_end"
	print "/* Zeroed storage, by the size of the type that a source saw. */"
	print "#define DATA(n, symbol, bytes, alignment)\t\t\t\t\\"
	print "\textern char libvnet_data_##n[bytes] __asm__(symbol);\t\t\\"
	print "\tchar libvnet_data_##n[bytes]\t\t\t\t\t\\"
	print "\t    __attribute__((__weak__, __aligned__(alignment)))"
	print "#define TYPE(n, bytes, alignment)\t\t\t\t\t\\"
	print "\ttypedef char libvnet_type_##n[bytes] __aligned(alignment)\n"
}

# A sysctl node, and those above it that nobody has.  The parts of a name are
# joined by what they may contain: a source that has the node knows better.
function node(name,   cut, parent, rest) {
	if (name in known)
		return
	known[name]
	if (name in leaf)
		parent = substr(name, 1, length(name) - length(leaf[name]) - 1)
	else {
		parent = name
		while (sub(/_[^_]*$/, "", parent) && parent != "" && !(parent in known))
			;
		if (parent == "" && index(substr(name, 2), "_") == 0)
			parent = ""
		else if (index(substr(name, length(parent) + 2), "_") > 0) {
			# What lies between is taken for nodes of one word each.
			parent = name
			sub(/_[^_]*$/, "", parent)
		}
	}
	rest = substr(name, length(parent) + 2)
	if (parent == "") {
		print "SYSCTL_ROOT_NODE(OID_AUTO, " rest ", CTLFLAG_RW | CTLFLAG_MPSAFE, 0, \"stub\");"
		return
	}
	node(parent)
	print "SYSCTL_DECL(" parent ");"
	print "SYSCTL_NODE(" parent ", OID_AUTO, " rest ", CTLFLAG_RW | CTLFLAG_MPSAFE, 0, \"stub\");"
}

{
	n = FNR
	bytes = $4 > 0 ? $4 : 1
	vnet = $1 ~ /^vnet_entry_/
	short = $1
	sub(/^(vnet|pcpu)_entry_/, "", short)
}
$3 == "function" {
	def = "0"
	if ($2 in given) {
		def = "libvnet_stub_default_" $2
		print "long " def "(const long *);"
	}
	print "STUB(" n ", \"" $1 "\", \"" $2 "\", " def ");"
	next
}
# What must be made before it is used: at boot, or with each vnet.
function made(n, name, type, vnet, init, fini,   lvalue) {
	if (vnet) {
		print "VNET_DEFINE(" type ", " name ");"
		lvalue = "VNET(" name ")"
	} else {
		lvalue = "libvnet_data_" n
		print "extern " type " " lvalue " __asm__(\"" name "\");"
		print type " " lvalue " __attribute__((__weak__));"
	}
	gsub(/@/, lvalue, init)
	gsub(/@/, lvalue, fini)
	print "static void\nlibvnet_make_" n "(const void *unused __unused)\n{\n\t" init ";\n}"
	print (vnet ? "VNET_" : "") "SYSINIT(libvnet_make_" n ", " (vnet ? "SI_SUB_INIT_IF" : type ~ /^struct/ ? "SI_SUB_LOCK" : "SI_SUB_EPOCH") ","
	print "    " (vnet ? "SI_ORDER_FIRST" : "SI_ORDER_ANY") ", libvnet_make_" n ", NULL);"
	if (!vnet)
		return
	print "static void\nlibvnet_unmake_" n "(const void *unused __unused)\n{\n\t" fini ";\n}"
	print "VNET_SYSUNINIT(libvnet_make_" n ", SI_SUB_INIT_IF, SI_ORDER_FIRST,"
	print "    libvnet_unmake_" n ", NULL);"
}
$3 == "node" {
	node(substr($1, 9))
	next
}
$3 == "type" {
	print "MALLOC_DEFINE(" $1 ", \"" tolower(substr($1, 3)) "\", \"stub\");"
	next
}
$3 == "counters" {
	count = int(bytes / 8)
	print "typedef counter_u64_t libvnet_type_" n "[" count "];"
	made(n, short, "libvnet_type_" n, vnet, "COUNTER_ARRAY_ALLOC(@, " count ", M_WAITOK)", "COUNTER_ARRAY_FREE(@, " count ")")
	next
}
$3 == "epoch" {
	made(n, short, "epoch_t", vnet, "@ = epoch_alloc(\"" $2 "\", EPOCH_PREEMPT)", "epoch_free(@)")
	next
}
$3 == "mtx" {
	made(n, short, "struct mtx", vnet, "mtx_init(&@, \"" $2 "\", NULL, MTX_DEF)", "mtx_destroy(&@)")
	next
}
$3 == "rwlock" {
	made(n, short, "struct rwlock", vnet, "rw_init(&@, \"" $2 "\")", "rw_destroy(&@)")
	next
}
$3 == "sx" {
	made(n, short, "struct sx", vnet, "sx_init(&@, \"" $2 "\")", "sx_destroy(&@)")
	next
}
$3 == "rmlock" {
	made(n, short, "struct rmlock", vnet, "rm_init(&@, \"" $2 "\")", "rm_destroy(&@)")
	next
}
$3 == "data" && (vnet || $1 ~ /^pcpu_entry_/) {
	print "TYPE(" n ", " bytes ", " $5 ");"
	print (vnet ? "VNET" : "DPCPU") "_DEFINE(libvnet_type_" n ", " short ");"
	next
}
$3 == "data" {
	print "DATA(" n ", \"" $1 "\", " bytes ", " $5 ");"
}
