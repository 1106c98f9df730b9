/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing,
 * in two lines.
 * Fidelity: stub
 * Differs: --
 */
int sound;
