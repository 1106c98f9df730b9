# SPDX-License-Identifier: BSD-2-Clause
#
# Decides which of a tree's own files a program is linked with, as a linker
# does with an archive: one that defines what something wants.
#
# In, all of them files: have, the symbols (symbols.awk) of what is linked
# anyway; pool, those of what may be; outside, names that the last link knows.
# Out: objects, the pool's objects that are wanted; undefined, names that
# nobody has; absent, bounds of linker sets that have no part; clashes, "name object object" where a wanted object defines
# again what is there; table, "name supplier wanter" for each wanted name.

function want(name, object) {
	if (!(name in wanted)) {
		wanted[name] = object
		queue[++nqueue] = name
	}
}
function pull(object,   n, i, list, name) {
	if (object in pulled)
		return
	pulled[object]
	print object > objects
	n = split(defines[object], list, "\n")
	for (i = 2; i <= n; i++) {
		name = list[i]
		if (name in strong && !((object, name) in weakly))
			print name, strong[name], object > clashes
		else if (!(name in supplier))
			supplier[name] = object
		if (!((object, name) in weakly) && !(name in strong))
			strong[name] = object
	}
	n = split(sets[object], list, "\n")
	for (i = 2; i <= n; i++)
		set[list[i]]
	n = split(uses[object], list, "\n")
	for (i = 2; i <= n; i++)
		want(list[i], object)
}
function rest(line) {	# the object, which may have spaces
	sub(/^[^ ]+ [^ ]+ /, "", line)
	return line
}
BEGIN {
	printf "" > objects; printf "" > undefined; printf "" > clashes; printf "" > absent; printf "" > table
	while ((getline line < outside) > 0)
		known[line]
	while ((getline line < have) > 0) {
		split(line, f, " ")
		object = rest(line)
		if (f[1] == "D")
			strong[f[2]] = supplier[f[2]] = object
		else if (f[1] == "W") {
			if (!(f[2] in supplier))
				supplier[f[2]] = object
		} else if (f[1] == "U")
			want(f[2], object)
		else if (f[1] == "S")
			set[f[2]]
	}
	while ((getline line < pool) > 0) {
		split(line, f, " ")
		object = rest(line)
		if (f[1] == "D" || f[1] == "W") {
			defines[object] = defines[object] "\n" f[2]
			if (f[1] == "W")
				weakly[object, f[2]]
			if (!(f[2] in offer))
				offer[f[2]] = object
		} else if (f[1] == "U")
			uses[object] = uses[object] "\n" f[2]
		else if (f[1] == "S")
			sets[object] = sets[object] "\n" f[2]
	}
	for (i = 1; i <= nqueue; i++) {
		name = queue[i]
		if (name in supplier || name in known || name ~ /^__(start|stop)_/)
			continue
		if (name in offer)
			pull(offer[name])
		else
			print name > undefined
	}
	for (i = 1; i <= nqueue; i++) {
		name = queue[i]
		if (match(name, /^__(start|stop)_/)) {
			if (!(substr(name, RLENGTH + 1) in set))
				print name > absent
			continue
		}
		who = name in supplier ? supplier[name] : name in known ? "host" : "nobody"
		print name "\t" who "\t" wanted[name] > table
	}
}
