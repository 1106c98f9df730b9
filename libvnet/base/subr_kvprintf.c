/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Models: kvprintf(), the formatter of FreeBSD's kern/subr_prf.c.
 * Fidelity: exact
 * Differs: there is no %r and so no radix; a NULL function is not taken for
 * "write to arg".
 */
#include <sys/param.h>
#include <sys/systm.h>
#include <machine/stdarg.h>

#include "subr_prf.h"

#define DIGITS_MAX 65		/* a 64-bit number in base 2, and its end */

struct out {
	void (*o_func)(int, void *);
	void *o_arg;
	int o_total;		/* characters written so far */
};

/* A va_list that can be handed on by reference, whatever type it is. */
struct args {
	va_list ap;
};

/* One conversion: what stood between % and its letter. */
struct spec {
	int width;
	int prec;
	char pad;
	bool left, sharp, dot;
	enum { S_INT, S_CHAR, S_SHORT, S_LONG, S_QUAD, S_MAX, S_PTRDIFF,
	    S_SIZE } size;
};

static void
put(struct out *o, char c)
{
	o->o_func((u_char)c, o->o_arg);
	o->o_total++;
}

static void
put_n(struct out *o, char c, int n)
{
	while (n-- > 0)
		put(o, c);
}

/* ---- conversions */

static uintmax_t
arg_unsigned(const struct spec *sp, struct args *a)
{
	switch (sp->size) {
	case S_MAX:
		return (va_arg(a->ap, uintmax_t));
	case S_QUAD:
		return (va_arg(a->ap, u_quad_t));
	case S_PTRDIFF:
		return ((uintmax_t)va_arg(a->ap, ptrdiff_t));
	case S_LONG:
		return (va_arg(a->ap, u_long));
	case S_SIZE:
		return (va_arg(a->ap, size_t));
	case S_SHORT:
		return ((u_short)va_arg(a->ap, int));
	case S_CHAR:
		return ((u_char)va_arg(a->ap, int));
	default:
		return (va_arg(a->ap, u_int));
	}
}

static intmax_t
arg_signed(const struct spec *sp, struct args *a)
{
	switch (sp->size) {
	case S_SHORT:
		return ((short)va_arg(a->ap, int));
	case S_CHAR:
		return ((signed char)va_arg(a->ap, int));
	case S_INT:
		return (va_arg(a->ap, int));
	default:
		return ((intmax_t)arg_unsigned(sp, a));
	}
}

/* Digits of `num', most significant first; returns how many. */
static int
digits(char *out, uintmax_t num, u_int base, bool upper)
{
	const char *set = upper ? "0123456789ABCDEF" : "0123456789abcdef";
	char rev[DIGITS_MAX];
	int n = 0;

	do {
		rev[n++] = set[num % base];
		num /= base;
	} while (num != 0);
	for (int i = 0; i < n; i++)
		out[i] = rev[n - 1 - i];
	return (n);
}

/* Everything of a number but the padding behind it, whose width is returned. */
static int
put_number(struct out *o, const struct spec *sp, uintmax_t num, bool neg,
    u_int base, bool upper)
{
	const char *prefix = "";
	char text[DIGITS_MAX];
	int n, width, prec = sp->prec, lead = neg;

	if (sp->sharp && num != 0)
		prefix = base == 8 ? "0" : base == 16 ? "0x" : "";
	lead += (int)strlen(prefix);
	n = digits(text, num, base, upper);
	if (!sp->left && sp->pad == '0')
		prec = sp->width - lead;
	width = sp->width - lead - imax(prec, n);
	if (!sp->left)
		put_n(o, ' ', width);
	if (neg)
		put(o, '-');
	while (*prefix != '\0')
		put(o, *prefix++);
	put_n(o, '0', prec - n);
	for (int i = 0; i < n; i++)
		put(o, text[i]);
	return (sp->left ? width : 0);
}

static void
put_unsigned(struct out *o, const struct spec *sp, struct args *a, u_int base,
    bool upper)
{
	put_n(o, ' ', put_number(o, sp, arg_unsigned(sp, a), false, base,
	    upper));
}

static void
put_signed(struct out *o, const struct spec *sp, struct args *a, u_int base)
{
	intmax_t v = arg_signed(sp, a);
	uintmax_t num = (uintmax_t)v;

	put_n(o, ' ', put_number(o, sp, v < 0 ? 0 - num : num, v < 0, base,
	    false));
}

static void
put_text(struct out *o, const struct spec *sp, const char *text, int len)
{
	int pad = sp->width - len;

	if (!sp->left)
		put_n(o, sp->pad, pad);
	for (int i = 0; i < len; i++)
		put(o, text[i]);
	if (sp->left)
		put_n(o, sp->pad, pad);
}

static void
put_string(struct out *o, const struct spec *sp, struct args *a)
{
	const char *text = va_arg(a->ap, const char *);

	if (text == NULL)
		text = "(null)";
	put_text(o, sp, text, (int)(sp->dot ?
	    strnlen(text, (size_t)imax(sp->prec, 0)) : strlen(text)));
}

/*
 * %b: a number, then in angle brackets the names of the bits that are set.
 * The first byte of the second argument is the base; each name follows the
 * byte that numbers its bit, from 1.
 */
static void
put_bits(struct out *o, struct spec *sp, struct args *a)
{
	uintmax_t num = arg_unsigned(sp, a);
	const char *q = va_arg(a->ap, const char *);
	int before;
	bool any = false, set;
	int pad;

	sp->left = true;
	pad = put_number(o, sp, num, false, (u_int)*q++, false);
	before = o->o_total;
	while (num != 0 && *q != '\0') {
		set = ((num >> (*q++ - 1)) & 1) != 0;
		if (set) {
			put(o, any ? ',' : '<');
			any = true;
		}
		for (; *q > ' '; q++)
			if (set)
				put(o, *q);
	}
	if (any)
		put(o, '>');
	put_n(o, ' ', pad - (o->o_total - before));
}

/* %D: `width' bytes in hex (16 when not given), a string between them. */
static void
put_dump(struct out *o, const struct spec *sp, struct args *a)
{
	const u_char *p = va_arg(a->ap, const u_char *);
	const char *between = va_arg(a->ap, const char *);
	int n = sp->width != 0 ? sp->width : 16;
	char text[DIGITS_MAX];

	for (int i = 0; i < n; i++) {
		for (const char *b = between; i > 0 && *b != '\0'; b++)
			put(o, *b);
		(void)digits(text, 0x100U | p[i], 16, false);
		put(o, text[1]);
		put(o, text[2]);
	}
}

static void
put_pointer(struct out *o, struct spec *sp, struct args *a)
{
	sp->sharp = sp->width == 0;
	put_n(o, ' ', put_number(o, sp, (uintptr_t)va_arg(a->ap, void *),
	    false, 16, false));
}

/* ---- the format */

static const char *
parse_width(const char *fmt, struct spec *sp, struct args *a)
{
	int n = 0;

	if (*fmt == '*') {
		n = va_arg(a->ap, int);
		fmt++;
	} else
		for (; isdigit(*fmt); fmt++)
			n = n * 10 + (*fmt - '0');
	if (sp->dot)
		sp->prec = n;
	else {
		sp->left ^= n < 0;
		sp->width = n < 0 ? -n : n;
	}
	return (fmt);
}

/* From behind the % up to the letter, which is what is returned points at. */
static const char *
parse_spec(const char *fmt, struct spec *sp, struct args *a)
{
	for (;; fmt++) {
		switch (*fmt) {
		case '.': sp->dot = true; continue;
		case '#': sp->sharp = true; continue;
		case '-': sp->left = true; continue;
		case '+': continue;
		case 'h': sp->size = sp->size == S_SHORT ? S_CHAR : S_SHORT;
			continue;
		case 'l': sp->size = sp->size == S_LONG ? S_QUAD : S_LONG;
			continue;
		case 'j': sp->size = S_MAX; continue;
		case 'q': sp->size = S_QUAD; continue;
		case 't': sp->size = S_PTRDIFF; continue;
		case 'z': sp->size = S_SIZE; continue;
		case '0':
			if (!sp->dot) {
				sp->pad = '0';
				continue;
			}
			/* FALLTHROUGH */
		case '*': case '1': case '2': case '3': case '4': case '5':
		case '6': case '7': case '8': case '9':
			fmt = parse_width(fmt, sp, a) - 1;
			continue;
		default:
			return (fmt);
		}
	}
}

/* False: no such conversion. */
static bool
convert(struct out *o, struct spec *sp, struct args *a, char letter)
{
	char c;

	switch (letter) {
	case '%': put(o, '%'); break;
	case 'c':
		c = (char)va_arg(a->ap, int);
		put_text(o, sp, &c, 1);
		break;
	case 's': put_string(o, sp, a); break;
	case 'd': case 'i': put_signed(o, sp, a, 10); break;
	case 'y': put_signed(o, sp, a, 16); break;
	case 'u': put_unsigned(o, sp, a, 10, false); break;
	case 'o': put_unsigned(o, sp, a, 8, false); break;
	case 'x': put_unsigned(o, sp, a, 16, false); break;
	case 'X': put_unsigned(o, sp, a, 16, true); break;
	case 'p': put_pointer(o, sp, a); break;
	case 'b': put_bits(o, sp, a); break;
	case 'D': put_dump(o, sp, a); break;
	case 'n':
		/* Nothing is ever written through a format. */
		(void)va_arg(a->ap, void *);
		break;
	default:
		return (false);
	}
	return (true);
}

static void
format(struct out *o, const char *fmt, struct args *a)
{
	const char *percent;

	for (; *fmt != '\0'; fmt++) {
		struct spec sp = { .pad = ' ' };

		if (*fmt != '%') {
			put(o, *fmt);
			continue;
		}
		percent = fmt;
		fmt = parse_spec(fmt + 1, &sp, a);
		if (*fmt != '\0' && convert(o, &sp, a, *fmt))
			continue;
		/*
		 * Which argument belongs to what is not known from here on:
		 * the rest is text.
		 */
		for (fmt = percent; *fmt != '\0'; fmt++)
			put(o, *fmt);
		return;
	}
}

int
kvprintf(const char *fmt, void (*func)(int, void *), void *arg, va_list ap)
{
	struct out o = { .o_func = func, .o_arg = arg };
	struct args a;

	va_copy(a.ap, ap);
	format(&o, fmt != NULL ? fmt : "(fmt null)\n", &a);
	va_end(a.ap);
	return (o.o_total);
}
