/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing is wrong with this one. */
#ifndef SOUND_H
#define SOUND_H
struct sound {
	int	 member;
};
#endif
