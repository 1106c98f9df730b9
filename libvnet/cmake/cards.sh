#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The card at the top of each kernel-world source says what it models, how
# faithfully, and how it differs from FreeBSD.  This makes one table of them.
#
#   cards.sh ROOT [README]
#
# ROOT has the folders kern, base and net.  Without README the table goes to
# standard output, with it into that file, between its two "cards" lines.
# Fails, naming the files, where a card is missing or not understood.
set -eu
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo "usage: cards.sh ROOT [README]" >&2; exit 2; }
readme=${2:-}
case $readme in
'' | /*) ;;
*) readme=$PWD/$readme ;;
esac
cd "$1"
table() {
	find kern base net -name '*.c' 2>/dev/null | LC_ALL=C sort | while IFS= read -r file; do
		awk -v file="$file" '
		function field(name) { sub("^ \\* " name ": *", ""); now = name; text[now] = $0 }
		NR == 1 && !/^\/\* SPDX-License-Identifier: / { exit }
		NR == 2 && !/^\/\*$/ { exit }
		NR < 3 { next }
		/^ \*\// || /^ \*$/ { exit }
		/^ \* Models: / { field("Models"); next }
		/^ \* Fidelity: / { field("Fidelity"); next }
		/^ \* Differs: / { field("Differs"); next }
		now != "" { sub(/^ \* */, ""); text[now] = text[now] " " $0 }
		END {
			why = ""
			if (text["Models"] == "") why = "no \"Models:\""
			else if (text["Fidelity"] !~ /^(exact|modelled|stub)$/)
				why = "\"Fidelity:\" is not exact, modelled or stub"
			else if (text["Differs"] == "") why = "no \"Differs:\" (-- for: in nothing)"
			if (why != "") {
				print file ": " why > "/dev/stderr"
				exit 1
			}
			gsub(/\|/, "\\|", text["Models"]); gsub(/\|/, "\\|", text["Differs"])
			printf "| %s | %s | %s | %s |\n", file, text["Models"], text["Fidelity"], text["Differs"]
		}' "$file" || echo bad
	done
}
rows=$(table)
case "
$rows
" in
*"
bad
"*) exit 1 ;;
esac
head='| file | models | fidelity | differs |
|---|---|---|---|'
if [ -z "$readme" ]; then
	printf '%s\n%s\n' "$head" "$rows"
	exit 0
fi
{
	sed '/^<!-- cards -->$/q' "$readme"
	printf '%s\n%s\n' "$head" "$rows"
	sed -n '/^<!-- end of cards -->$/,$p' "$readme"
} >"$readme.new"
mv "$readme.new" "$readme"
