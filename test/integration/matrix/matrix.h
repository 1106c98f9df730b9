/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef MATRIX_H
#define MATRIX_H

struct m_pair {
	int	 a, b;
};
struct m_wide {
	char	 bytes[65];
} __aligned(64);
struct m_item {
	LIST_ENTRY(m_item) link;
};

VNET_DECLARE(int, m_initialised);
VNET_DECLARE(int, m_zero);
VNET_DECLARE(char, m_odd[13]);
VNET_DECLARE(char, m_text[5]);
VNET_DECLARE(struct m_pair, m_pair);
VNET_DECLARE(struct m_wide, m_wide);
VNET_DECLARE(struct m_wide, m_wide_initialised);
#define V_m_initialised VNET(m_initialised)
#define V_m_zero VNET(m_zero)
#define V_m_odd VNET(m_odd)
#define V_m_text VNET(m_text)
#define V_m_pair VNET(m_pair)
#define V_m_wide VNET(m_wide)
#define V_m_wide_initialised VNET(m_wide_initialised)

extern int matrix_ran;

int	matrix_check(struct vnet *v);
int	matrix_other_twin(void);
int	matrix_sysinits(void);
void	matrix_write(char *p);

#endif
