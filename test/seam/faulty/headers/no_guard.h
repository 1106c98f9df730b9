/* SPDX-License-Identifier: BSD-2-Clause */
/* Cannot be included twice. */
struct no_guard {
	int	 member;
};
