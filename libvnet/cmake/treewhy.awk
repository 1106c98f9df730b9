# SPDX-License-Identifier: BSD-2-Clause
#
# Reads what a compiler (gcc or clang, LC_ALL=C) said of a file that did not
# compile and writes one line: the cause, and what to do.  In: shown, the
# file; sysdir, the kernel tree if any.

function short(path) {
	if (sysdir != "" && index(path, sysdir "/") == 1)
		return substr(path, length(sysdir) + 2)
	return path
}
function say(text) {
	print "libvnet: " text
	done = 1
	exit
}
function header(name,   stem) {
	if (name ~ /^opt_[A-Za-z0-9_]+\.h$/)
		say(at " includes \"" name "\", which is new here: run cmake again")
	if (name ~ /_if\.h$/) {
		stem = name
		sub(/\.h$/, "", stem)
		say(at " includes \"" name "\", and there is no " stem ".m in the tree to make it from")
	}
	say(at " includes <" name ">, which " (sysdir != "" ? "neither the tree nor libvnet has" : "libvnet has not") \
	    "; give its folder as INCLUDES (libvnet-cc: --include DIR)" (sysdir != "" ? "" : ", or a kernel tree as SYSDIR (libvnet-cc: --sysdir)"))
}
# The condition under which line `n' of a file is compiled.
function condition(path, n,   i, line, depth, stack) {
	depth = 0
	for (i = 1; i < n && (getline line < path) > 0; i++) {
		if (line ~ /^[ \t]*#[ \t]*if/)
			stack[++depth] = line
		else if (line ~ /^[ \t]*#[ \t]*else/ && depth > 0) {
			if (!sub(/#[ \t]*ifdef/, "#ifndef", stack[depth]) && !sub(/#[ \t]*if[ \t]+defined/, "#if !defined", stack[depth]))
				stack[depth] = line
		} else if (line ~ /^[ \t]*#[ \t]*elif/ && depth > 0)
			stack[depth] = line
		else if (line ~ /^[ \t]*#[ \t]*endif/ && depth > 0)
			depth--
	}
	if ((getline line < path) <= 0)
		line = ""
	close(path)
	the_line = line
	return depth > 0 ? stack[depth] : ""
}
# A line with #error.
function error(path, n, text,   why, name) {
	why = condition(path, n)
	if (the_line !~ /^[ \t]*#[ \t]*error/)
		return
	gsub(/^[ \t]*#[ \t]*|[ \t]*\/\*.*/, "", why)
	name = why
	if (why ~ /^(ifndef|if[ \t]*!)/) {
		sub(/^(ifndef|if)[ \t]+/, "", name)
		gsub(/!|defined|[()]/, " ", name)
		gsub(/&&|\|\|/, " or ", name)
		gsub(/[ \t]+/, " ", name)
		gsub(/^ | $/, "", name)
		if (name ~ /^[A-Z][A-Z0-9_]*( or [A-Z][A-Z0-9_]*)*$/)
			say(short(path) " needs an option that is not set, " name " (#error " text "); give OPTIONS (libvnet-cc: --option)")
	}
	say(short(path) " refuses these options (#error " text (why != "" ? ", under #" why : "") ")")
}
match($0, /error: /) {
	if (done)
		next
	split($0, f, ":")
	at = short(f[1])
	text = substr($0, RSTART + RLENGTH)
	if (f[2] ~ /^[0-9]+$/ && match(text, /: No such file or directory$/))
		header(substr(text, 1, RSTART - 1))
	if (text ~ /^'[^']*' file not found/) {
		split(text, q, "'")
		header(q[2])
	}
	sub(/^#error /, "", text)
	if (f[2] ~ /^[0-9]+$/)
		error(f[1], f[2], text)
	if (short(f[1]) ~ /^libvnet\/kern\// || f[1] ~ /\/libvnet\/(kern|net)\//)
		say("libvnet's own " substr(f[1], match(f[1], /libvnet\/(kern|net)\//)) " does not compile against this tree (above)")
	say(shown " does not compile (above)")
}
END {
	if (!done)
		print "libvnet: " shown " does not compile (above)"
}
