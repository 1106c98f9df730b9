/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing.
 * Fidelity: mostly
 * Differs: --
 */
int odd_fidelity;
