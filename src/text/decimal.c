// Doubles as decimal text, see decimal.h.
//
// A double is m 2^e and a decimal number w 10^q, with integers m and w. For |q| up to 27 the power 5^|q| fits
// into 63 bits, so w 5^q, or the quotient w / 5^|q| with its remainder, is exact in 128 bits and is rounded
// only once, at the end. Other exponents use the C library.

#include "text/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { POWERS = 28, DIGITS = 17 };

// Returns 5^power, for 0 <= power < POWERS.
static uint64_t power_of_five(int power)
{
    static const uint64_t squares[] = {5, 25, 625, 390625, 152587890625};
    uint64_t product = 1;
    for (int k = 0; k < 5; ++k)
        product *= power >> k & 1 ? squares[k] : 1;
    return product;
}

static int bits_of(wide number)
{
    const uint64_t high = (uint64_t)(number >> 64), low = (uint64_t)number;
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

// Returns the double nearest to number * 2^exponent. `more` is the sticky bit: the true value is slightly
// larger than `number`. The result is neither subnormal nor infinite.
static double round_wide(wide number, bool more, int exponent)
{
    int excess = bits_of(number) - 53;
    if (excess > 0) {
        const wide rest = number & (((wide)1 << excess) - 1), half = (wide)1 << (excess - 1);
        number >>= excess;
        if (rest > half || (rest == half && (more || (number & 1))))
            ++number;
        exponent += excess;
    }
    if (number == 0)
        return 0;
    // rounded up to the next power of two
    if (number >> 53) {
        number >>= 1;
        ++exponent;
    }
    excess = 53 - bits_of(number);
    const uint64_t fraction = (uint64_t)number << excess;
    const uint64_t bits = (uint64_t)(exponent - excess + 1075) << 52 | (fraction & (((uint64_t)1 << 52) - 1));
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Returns the double nearest to digits * 10^power, for |power| < POWERS.
static double nearest(uint64_t digits, int power)
{
    if (power >= 0)
        return round_wide((wide)digits * power_of_five(power), false, power);
    if (digits == 0)
        return 0;
    // the quotient has at least 64 bits, so the remainder only matters as a sticky bit
    const int shift = 127 - bits_of(digits);
    const wide numerator = (wide)digits << shift, divisor = power_of_five(-power);
    const wide quotient = numerator / divisor;
    return round_wide(quotient, quotient * divisor != numerator, power - shift);
}

// --- reading

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_exponent(char c)
{
    return c == 'e' || c == 'E' || c == 'd' || c == 'D';
}

size_t scree_decimal_length(const char *text, size_t length)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0, digits = 0;
    for (; at < length && is_digit(text[at]); ++at)
        ++digits;
    if (at < length && text[at] == '.')
        for (++at; at < length && is_digit(text[at]); ++at)
            ++digits;
    if (digits == 0)
        return 0;
    if (at < length && is_exponent(text[at])) {
        size_t end = at + 1;
        end += end < length && (text[end] == '-' || text[end] == '+');
        if (end < length && is_digit(text[end])) {
            while (end < length && is_digit(text[end]))
                ++end;
            at = end;
        }
    }
    return at;
}

// Reads with strtod, in the C locale.
static double read_by_library(const char *text, size_t mantissa, long exponent)
{
    char copy[SCREE_DECIMAL_MAX_LENGTH + 32];
    snprintf(copy, sizeof copy, "%.*se%ld", (int)mantissa, text, exponent);
    // newlocale is expensive: call it only if the locale has another decimal point
    const bool other_point = strcmp(localeconv()->decimal_point, ".") != 0;
    const locale_t c_locale = other_point ? newlocale(LC_NUMERIC_MASK, "C", (locale_t)0) : (locale_t)0;
    const locale_t before = c_locale ? uselocale(c_locale) : (locale_t)0;
    const double value = strtod(copy, NULL);
    if (c_locale) {
        uselocale(before);
        freelocale(c_locale);
    }
    return value;
}

double scree_decimal_value(const char *text, size_t length, int shift)
{
    const bool negative = text[0] == '-';
    size_t at = negative || text[0] == '+';
    uint64_t digits = 0;
    int count = 0;
    long power = shift;
    for (bool point = false; at < length && !is_exponent(text[at]); ++at) {
        if (text[at] == '.') {
            point = true;
            continue;
        }
        digits = count < 19 ? 10 * digits + (uint64_t)(text[at] - '0') : digits;
        count += count > 0 || text[at] != '0';
        power -= point;
    }
    const size_t mantissa = at;
    if (at < length) {
        const bool minus = text[++at] == '-';
        long exponent = 0;
        for (at += minus || text[at] == '+'; at < length; ++at)
            exponent = exponent < 100000 ? 10 * exponent + (text[at] - '0') : exponent;
        power += minus ? -exponent : exponent;
        shift += (int)(minus ? -exponent : exponent);
    }
    if (count > 19 || power <= -POWERS || power >= POWERS)
        return read_by_library(text, mantissa, shift);
    const double value = nearest(digits, (int)power);
    return negative ? -value : value;
}

bool scree_decimal_read(const char *text, size_t length, double *value)
{
    if (length == 0 || length > SCREE_DECIMAL_MAX_LENGTH || scree_decimal_length(text, length) != length)
        return false;
    *value = scree_decimal_value(text, length, 0);
    return isfinite(*value);
}

// --- writing

static size_t write_by_library(char *text, double value)
{
    for (int digits = 15; digits <= DIGITS; ++digits) {
        snprintf(text, SCREE_DECIMAL_SIZE, "%.*g", digits, value);
        // some locales write a decimal comma
        for (char *comma = text; (comma = strchr(comma, ',')); *comma = '.')
            ;
        double reread;
        if (scree_decimal_read(text, strlen(text), &reread) && reread == value)
            break;
    }
    return strlen(text);
}

// Returns the 17 digits of a number from 1e-11 to 1e17; `power` gets the power of ten of the first digit.
static uint64_t find_digits(uint64_t fraction, int exponent, int *power)
{
    // first guess, with log10(2) = 1233 / 4096; it may be off by one and is corrected below
    *power = ((exponent + 52) * 1233) >> 12;
    for (;;) {
        const int scale = DIGITS - 1 - *power;
        if (scale < 0 || scale >= POWERS)
            return 0;
        const int shift = -(exponent + scale);
        wide number = (wide)fraction * power_of_five(scale);
        if (shift > 0) {
            const wide rest = number & (((wide)1 << shift) - 1), half = (wide)1 << (shift - 1);
            number >>= shift;
            number += rest > half || (rest == half && (number & 1));
        } else {
            number <<= -shift;
        }
        if (number >= (wide)100000000000000000u)
            ++*power;
        else if (number < (wide)10000000000000000u)
            --*power;
        else
            return (uint64_t)number;
    }
}

static size_t write_digits(char *text, uint64_t digits, int power)
{
    char row[24];
    size_t count = 0, at = 0;
    for (uint64_t rest = digits; rest > 0; rest /= 10)
        ++count;
    for (size_t k = count; k > 0; digits /= 10)
        row[--k] = (char)('0' + digits % 10);
    while (count > 1 && row[count - 1] == '0')
        --count;
    if (power < -4 || power > DIGITS - 1) {
        text[at++] = row[0];
        if (count > 1)
            text[at++] = '.';
        memcpy(text + at, row + 1, count - 1);
        at += count - 1;
        return at + (size_t)snprintf(text + at, 8, "e%+03d", power);
    }
    if (power < 0) {
        memcpy(text, "0.0000", 6);
        at = (size_t)(1 - power);
    }
    for (size_t k = 0; k < count || (int)k <= power; ++k) {
        if (power >= 0 && (int)k == power + 1)
            text[at++] = '.';
        text[at++] = k < count ? row[k] : '0';
    }
    text[at] = 0;
    return at;
}

size_t scree_decimal_write(char text[SCREE_DECIMAL_SIZE], double value)
{
    uint64_t bits;
    int power;
    memcpy(&bits, &value, sizeof bits);
    const bool negative = bits >> 63;
    const int exponent = (int)(bits >> 52 & 0x7ff);
    const uint64_t fraction = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    text[0] = '-';
    if (value == 0) {
        memcpy(text + negative, "0", 2);
        return 1 + (size_t)negative;
    }
    // find_digits accepts numbers from 2^-36 to 2^56
    if (exponent < 1023 - 36 || exponent > 1023 + 55)
        return write_by_library(text, value);
    const uint64_t all = find_digits(fraction, exponent - 1075, &power);
    if (all == 0)
        return write_by_library(text, value);
    const double magnitude = negative ? -value : value;
    uint64_t digits = (all + 50) / 100;
    if (nearest(digits, power - 14) != magnitude) {
        digits = (all + 5) / 10;
        if (nearest(digits, power - 15) != magnitude)
            digits = all;
    }
    // rounding may have carried into one more digit
    power += digits == 1000000000000000u || digits == 10000000000000000u;
    return (size_t)negative + write_digits(text + negative, digits, power);
}
