/* SPDX-License-Identifier: BSD-2-Clause */
/* A comment, but no card. */
int no_card;
