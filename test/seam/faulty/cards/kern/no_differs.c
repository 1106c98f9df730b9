/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: nothing.
 * Fidelity: exact
 */
int no_differs;
