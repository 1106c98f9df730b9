# SPDX-License-Identifier: BSD-2-Clause
#
# gdb commands for programs with libvnet in them, running or dead:
#
#	(gdb) source .../share/libvnet/gdb/libvnet.py
#	(gdb) help libvnet
#
# Beside each program that CMake links lies PROGRAM-gdb.py, which gdb loads by
# itself where `add-auto-load-safe-path' allows it.
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
if _here not in sys.path:
    sys.path.insert(0, _here)

import libvnet_gdb  # noqa: E402,F401
