# SPDX-License-Identifier: BSD-2-Clause
INTERFACE quota;
METHOD int speed;
METHOD int duplex;
