/* SPDX-License-Identifier: BSD-2-Clause */
/* As a kernel tree's header has uma_zalloc(). */
static __inline __always_inline void *
zalloc_of_a_header(uma_zone_t z)
{
	return (uma_zalloc(z, M_WAITOK));
}
