# SPDX-License-Identifier: BSD-2-Clause
"""Findings, as host world keeps them."""
from .world import command, lines_of, need_memory, need_world, symbol


def show(finding):
    print("%s: %s (%s)" % (
        finding["kind"].string(),
        finding["message"].string(errors="replace"),
        str(finding["fate"]).replace("HOST_", "").lower()))
    facts = []
    if int(finding["vnet"]) >= 0:
        facts.append("vnet %d" % int(finding["vnet"]))
    if int(finding["object"]) != 0:
        facts.append('object "%s"' %
                     finding["object"].string(errors="replace"))
    if int(finding["cpu"]) >= 0:
        facts.append("CPU %d" % int(finding["cpu"]))
    facts.append("seed %d" % int(finding["seed"]))
    print("    " + ", ".join(facts))
    if int(finding["file"]) != 0:
        print("    at %s:%d" % (finding["file"].string(errors="replace"),
                                int(finding["line"])))
    for name, label in (("pc", "allocated"), ("freed", "freed")):
        if int(finding[name]) != 0:
            print("    %s by %s" % (label, lines_of(int(finding[name]))))
    for i in range(int(finding["depth"])):
        print("    #%-2d %s" % (i, lines_of(int(finding["trace"][i]))))


@command("findings")
def list_findings(_arguments):
    """List the findings since boot, and the last panic, with backtraces."""
    need_world()
    some = False
    for start in ("host_finding_list", "host_last_panic"):
        finding = symbol(start)
        if finding is None:
            continue
        need_memory(finding)
        while int(finding) != 0:
            show(finding)
            some = True
            finding = finding["next"]
    if not some:
        print("no finding")
