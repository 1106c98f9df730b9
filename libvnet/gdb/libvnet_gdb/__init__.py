# SPDX-License-Identifier: BSD-2-Clause
"""gdb commands for libvnet: `help libvnet' lists them."""
from . import world  # the prefix command comes first
from . import callouts, core, findings, threads, vnets

__all__ = ["callouts", "core", "findings", "threads", "vnets", "world"]
