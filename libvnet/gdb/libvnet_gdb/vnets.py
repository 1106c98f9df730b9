# SPDX-License-Identifier: BSD-2-Clause
"""Virtual network stacks and their variables."""
import fnmatch

import gdb

from .world import (Complaint, command, current_vnet, need_memory,
                    need_vimage, symbol, text)

LINE = 100  # characters of a value in a list


def vnets():
    """All live vnets, vnet0 first."""
    need_vimage()
    found = []
    head = need_memory(symbol("vnet_head"))
    vnet = head["lh_first"]
    while int(vnet) != 0:
        found.append(vnet)
        vnet = vnet["vnet_le"]["le_next"]
    return sorted(found, key=lambda v: int(v["vnet_number"]))


def vnet_numbered(word):
    every = vnets()
    for vnet in every:
        if str(int(vnet["vnet_number"])) == word:
            return vnet
    raise Complaint("there is no vnet %s; there are: %s" % (
        word, " ".join(str(int(v["vnet_number"])) for v in every) or "none"))


def vnet_chosen():
    """The current one, else vnet0."""
    every, now = vnets(), current_vnet()
    for vnet in every:
        if int(vnet) == now:
            return vnet
    if not every:
        raise Complaint("there is no vnet yet")
    return every[0]


def prison(vnet):
    if int(vnet["vnet_prison"]) == 0:
        return "-"
    try:
        return text(vnet["vnet_prison"].dereference()["pr_name"])
    except gdb.error:
        return "?"


@command("vnets")
def list_vnets(_arguments):
    """List the live vnets; * is the selected thread's current one."""
    every, now = vnets(), current_vnet()
    print("  %-5s %-18s %-10s %-10s %s" % (
        "vnet", "address", "state", "jail", "interfaces sockets"))
    for vnet in every:
        print("%s %-5d %-18s %-10s %-10s %d %d%s" % (
            "*" if int(vnet) == now else " ", int(vnet["vnet_number"]),
            "%#x" % int(vnet), "%#x" % int(vnet["vnet_state"]), prison(vnet),
            int(vnet["vnet_ifcnt"]), int(vnet["vnet_sockcnt"]),
            " (being destroyed)" if vnet["vnet_shutdown"] else ""))


# ---- variables


def variables():
    """(name, offset, size) of every V_ variable, in their order."""
    entry = symbol("vnh_manifest")["vars"]
    while int(entry["name"]) != 0:
        yield (entry["name"].string(), int(entry["offset"]),
               int(entry["size"]))
        entry += 1


def type_of(name, offset):
    """From the debugging information of vnet_entry_NAME, or None."""
    master = int(symbol("vnh_manifest")["vnet"]) + offset
    found = gdb.lookup_static_symbols("vnet_entry_" + name)
    whole = gdb.lookup_global_symbol("vnet_entry_" + name)
    if whole is not None:
        found = [whole] + list(found)
    for each in found:
        value = each.value()
        if value.address is not None and int(value.address) == master:
            return value.type
    return None


def value_in(vnet, name, offset, size):
    kind = type_of(name, offset)
    if kind is None:
        kind = gdb.lookup_type("unsigned char").array(size - 1)
    place = gdb.Value(int(vnet["vnet_data_mem"]) + offset)
    return place.cast(kind.pointer()).dereference()


def total(counter):
    """counter(9): the sum over all CPUs."""
    base, sum_ = int(counter), 0
    unsigned = gdb.lookup_type("unsigned long").pointer()
    pcpus = symbol("cpuid_to_pcpu")
    for cpu in range(int(symbol("mp_ncpus"))):
        place = base + int(pcpus[cpu]["pc_zpcpu_offset"])
        sum_ += int(gdb.Value(place).cast(unsigned).dereference())
    return sum_ & ((1 << 64) - 1)


def readable(value):
    kind = value.type
    if str(kind) == "counter_u64_t" and int(value) != 0:
        return "counter, total %d" % total(value)
    if kind.code == gdb.TYPE_CODE_ARRAY and \
            str(kind.target()) == "counter_u64_t":
        low, high = kind.range()
        return "counters, totals {%s}" % ", ".join(
            str(total(value[i])) if int(value[i]) != 0 else "-"
            for i in range(low, high + 1))
    return value.format_string(styling=False, pretty_structs=False,
                               repeat_threshold=8)


def shown(value):
    try:
        return readable(value)
    except gdb.error as error:
        return "<%s>" % error


@command("vars")
def list_vars(arguments):
    """List V_ variables of a vnet: libvnet vars [VNET] [PATTERN].

VNET is a number; without it the current vnet is taken, or vnet0.  PATTERN
has * and ?, and is compared with names without their V_."""
    need_vimage()
    words = list(arguments)
    if words and words[0].isdigit():
        vnet = vnet_numbered(words.pop(0))
    else:
        vnet = vnet_chosen()
    if len(words) > 1:
        raise Complaint("say: libvnet vars [VNET] [PATTERN]")
    pattern = words[0] if words else "*"
    print("vnet %d:" % int(vnet["vnet_number"]))
    some = False
    for name, offset, size in variables():
        if not fnmatch.fnmatchcase(name, pattern):
            continue
        value = value_in(vnet, name, offset, size)
        line = " ".join(shown(value).split())
        if len(line) > LINE:
            line = line[:LINE] + "..."
        print("  V_%s: %s = %s" % (name, value.type, line))
        some = True
    if not some:
        print("  no V_ variable matches %s" % pattern)


@command("var")
def show_var(arguments):
    """Show one V_ variable of a vnet: libvnet var VNET NAME.

It also becomes the value $V, for further expressions."""
    need_vimage()
    if len(arguments) != 2:
        raise Complaint("say: libvnet var VNET NAME")
    vnet = vnet_numbered(arguments[0])
    wanted = arguments[1]
    if wanted.startswith("V_"):
        wanted = wanted[2:]
    for name, offset, size in variables():
        if name != wanted:
            continue
        value = value_in(vnet, name, offset, size)
        gdb.set_convenience_variable("V", value)
        print("V_%s: %s = %s" % (name, value.type, shown(value)))
        return
    raise Complaint("there is no variable V_%s; `libvnet vars' lists them"
                    % wanted)
