/* SPDX-License-Identifier: BSD-2-Clause */
void	seen_work(int n);
void	seen_forget(void);
void	seen_arm(void);
void	seen_sleep(void);
void	seen_panic(void);
