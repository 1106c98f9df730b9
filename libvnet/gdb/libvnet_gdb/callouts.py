# SPDX-License-Identifier: BSD-2-Clause
"""Pending callouts."""
from .world import (Complaint, code, command, need_memory, need_world,
                    seconds, static, symbol)


def in_order(callout):
    """Of the tree of one CPU: what fires first comes first."""
    path = []
    while int(callout) != 0 or path:
        while int(callout) != 0:
            path.append(callout)
            callout = callout["c_links"]["rbe_left"]
        callout = path.pop()
        yield callout
        callout = callout["c_links"]["rbe_right"]


@command("callouts")
def list_callouts(_arguments):
    """List the pending callouts: when, on which CPU, handler and argument."""
    need_world()
    cpus = static("kern_timeout.c", "callout_cpus")
    if cpus is None:
        raise Complaint("this program's callouts are the tree's own; only "
                        "libvnet's are known here")
    now = int(need_memory(static("kern_tc.c", "now")))
    some = False
    for cpu in range(int(symbol("mp_ncpus"))):
        for callout in in_order(cpus[cpu]["cc_tree"]["rbh_root"]):
            at = int(callout["c_time"])
            print("CPU %d: at %s (in %s) %s arg %#x callout %#x" % (
                cpu, seconds(at), seconds(max(0, at - now)),
                code(callout["c_func"]), int(callout["c_arg"]),
                int(callout)))
            some = True
        running = cpus[cpu]["cc_curr"]
        if int(running) != 0:
            print("CPU %d: runs callout %#x now" % (cpu, int(running)))
            some = True
    if not some:
        print("no callout is pending")
