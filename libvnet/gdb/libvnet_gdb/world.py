# SPDX-License-Identifier: BSD-2-Clause
"""The prefix command, and how the kernel world's data are found."""
import functools

import gdb

SBT_1S = 1 << 32


class Complaint(Exception):
    """What is to be said in one sentence, instead of a traceback."""


def symbol(name):
    """The value of a global or of a file's own variable, or None."""
    for lookup in (gdb.lookup_global_symbol, gdb.lookup_static_symbol):
        found = lookup(name)
        if found is not None:
            return found.value()
    return None


def static(file, name):
    """A variable whose name others may have too."""
    try:
        return gdb.parse_and_eval("'%s'::%s" % (file, name))
    except gdb.error:
        return None


def need_world():
    if symbol("vnh_manifest") is None:
        raise Complaint("there is no libvnet in this program, or it has no "
                        "debugging information")


def need_memory(value):
    """Fetch it now; a program that was not started has none to fetch."""
    try:
        value.fetch_lazy()
    except gdb.MemoryError as error:
        raise Complaint("cannot read the kernel world's memory (%s); has "
                        "the program been started?" % error)
    return value


def need_vimage():
    need_world()
    if symbol("vnet_head") is None:
        raise Complaint("built without option VIMAGE: there are no vnets, "
                        "and V_ variables are plain globals")


def current_thread():
    """struct thread of the host thread that gdb looks at, or None."""
    try:
        td = gdb.parse_and_eval("lvk_curthread")
        return td if int(td) != 0 else None
    except gdb.error:
        return None


def current_vnet():
    td = current_thread()
    if td is None:
        return 0
    try:
        return int(td["td_vnet"])
    except gdb.error:
        return 0


def text(array):
    """What stands in a char array, up to its NUL."""
    return array.string(errors="replace")


def seconds(sbt):
    """sbintime_t as people read it."""
    sbt = int(sbt)
    return "%d.%09d s" % (sbt >> 32, ((sbt & (SBT_1S - 1)) * 10**9) >> 32)


def code(pointer):
    """An address in the program as a name."""
    return pointer.format_string(styling=False, symbols=True)


def lines_of(pc):
    """function at file:line of a return address."""
    block = gdb.block_for_pc(pc - 1)
    while block is not None and block.function is None:
        block = block.superblock
    name = block.function.name if block is not None else "%#x" % pc
    where = gdb.find_pc_line(pc - 1)
    if where.symtab is None:
        return name
    return "%s at %s:%d" % (name, where.symtab.filename, where.line)


class Libvnet(gdb.Command):
    """Look into a program with libvnet in it, running or dead."""

    def __init__(self):
        super().__init__("libvnet", gdb.COMMAND_DATA, prefix=True)


Libvnet()


def command(name):
    """Make a function with a list of arguments into `libvnet NAME'."""

    def make(function):
        @functools.wraps(function)
        def invoke(_self, argument, _from_tty):
            try:
                function(gdb.string_to_argv(argument))
            except Complaint as complaint:
                raise gdb.GdbError("libvnet: %s" % complaint)

        kind = type("Libvnet_" + name, (gdb.Command,),
                    {"__doc__": function.__doc__, "invoke": invoke})
        kind("libvnet " + name, gdb.COMMAND_DATA)
        return function

    return make


@command("clock")
def clock(_arguments):
    """Show the virtual clock: uptime, ticks, and each CPU's next event."""
    need_world()
    now = static("kern_tc.c", "now")
    if now is None:
        raise Complaint("this program has no virtual clock")
    need_memory(now)
    print("uptime %s, ticks %d, hz %d, wall clock %d" % (
        seconds(now), int(symbol("ticks")), int(symbol("hz")),
        int(symbol("time_second"))))
    events = static("kern_tc.c", "next_event")
    for cpu in range(int(symbol("mp_ncpus"))):
        at = int(events[cpu])
        if at == (1 << 63) - 1:
            print("CPU %d: no event" % cpu)
        else:
            print("CPU %d: next event at %s, in %s" % (
                cpu, seconds(at), seconds(max(0, at - int(now)))))
