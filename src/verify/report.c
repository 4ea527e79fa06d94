// Printing of the report of `scree verify`, see report.h.

#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { QUANTITY_SIZE = 160 };

// Prints a JSON string; control characters are replaced by spaces.
static void print_string(const char *text)
{
    putchar('"');
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    putchar('"');
}

// Prints a JSON number; null if not finite, which JSON cannot represent.
static void print_number(const char *key, double value)
{
    if (isfinite(value))
        printf(", \"%s\": %.17g", key, value);
    else
        printf(", \"%s\": null", key);
}

static void print_json_row(const struct scree_report *report, const char *quantity, const double numbers[4],
                           const char *verdict)
{
    static const char *const keys[4] = {"expected", "computed", "error", "tolerance"};
    printf("%s\n      {\"quantity\": ", report->rows_in_case ? "," : "");
    print_string(quantity);
    for (int k = 0; k < 4; ++k)
        print_number(keys[k], numbers[k]);
    printf(", \"verdict\": \"%s\"}", verdict);
}

static void print_text_row(const char *quantity, const double numbers[4], const char *verdict)
{
    static const char *const formats[4] = {" %12.6g", " %12.6g", " %9.2e", " %9.2e"};
    static const int widths[4] = {12, 12, 9, 9};
    printf("  %-58s", quantity);
    for (int k = 0; k < 4; ++k)
        if (isnan(numbers[k]))
            printf(" %*s", widths[k], "-");
        else
            printf(formats[k], numbers[k]);
    printf("  %s\n", verdict);
}

static void print_row(struct scree_report *report, const char *quantity, const double numbers[4],
                      const char *verdict)
{
    if (report->json)
        print_json_row(report, quantity, numbers, verdict);
    else
        print_text_row(quantity, numbers, verdict);
    ++report->rows_in_case;
}

static void add_checked_row(struct scree_report *report, const char *quantity, double expected,
                            double computed, double tolerance)
{
    const double error = fabs(computed - expected);
    const bool passes = error <= tolerance;
    ++*(passes ? &report->passed : &report->failed);
    report->failed_in_case += !passes;
    print_row(report, quantity, (const double[4]){expected, computed, error, tolerance},
              passes ? "pass" : "FAIL");
}

#define FORMAT_QUANTITY(quantity, format)                                                                    \
    char quantity[QUANTITY_SIZE];                                                                            \
    do {                                                                                                     \
        va_list arguments;                                                                                   \
        va_start(arguments, format);                                                                         \
        vsnprintf(quantity, sizeof quantity, format, arguments);                                             \
        va_end(arguments);                                                                                   \
    } while (0)

void scree_report_near(struct scree_trial *trial, double expected, double computed, double tolerance,
                       const char *format, ...)
{
    FORMAT_QUANTITY(quantity, format);
    add_checked_row(trial->report, quantity, expected, computed, trial->report->tolerance_scale * tolerance);
}

void scree_report_at_most(struct scree_trial *trial, double limit, double computed, const char *format, ...)
{
    FORMAT_QUANTITY(quantity, format);
    add_checked_row(trial->report, quantity, 0, computed, trial->report->tolerance_scale * limit);
}

void scree_report_zero(struct scree_trial *trial, size_t computed, const char *format, ...)
{
    FORMAT_QUANTITY(quantity, format);
    add_checked_row(trial->report, quantity, 0, (double)computed, 0);
}

void scree_report_unchecked(struct scree_trial *trial, double expected, double computed, const char *format,
                            ...)
{
    FORMAT_QUANTITY(quantity, format);
    ++trial->report->unchecked;
    print_row(trial->report, quantity,
              (const double[4]){expected, computed, fabs(computed - expected), (double)NAN}, "info");
}

double scree_report_larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

double scree_report_order(const double *errors, int count)
{
    return log2(errors[0] / errors[count - 1]) / (count - 1);
}

void scree_report_begin(struct scree_report *report)
{
    if (report->json) {
        printf("{\n  \"program\": \"scree\",\n  \"version\": \"%s\",\n  \"cases\": [", SCREE_VERSION);
        return;
    }
    printf("  %-58s %12s %12s %9s %9s  verdict\n", "quantity", "expected", "computed", "error", "tolerance");
}

void scree_report_open_case(struct scree_report *report, const char *name, const char *about)
{
    if (report->json) {
        printf("%s\n    {\"name\": \"%s\", \"about\": ", report->cases ? "," : "", name);
        print_string(about);
        printf(", \"rows\": [");
    } else {
        printf("\n%s: %s\n", name, about);
    }
    ++report->cases;
    report->rows_in_case = report->failed_in_case = 0;
}

void scree_report_close_case(struct scree_report *report, scree_status status, double seconds)
{
    if (status != SCREE_OK) {
        char quantity[QUANTITY_SIZE + 256];
        snprintf(quantity, sizeof quantity, "stopped by an error (%s): %s", scree_status_name(status),
                 scree_status_message());
        const double none = (double)NAN;
        print_row(report, quantity, (const double[4]){none, none, none, none}, "FAIL");
    }
    // a case without rows fails, since it has not checked anything
    const bool empty = status == SCREE_OK && report->rows_in_case == 0;
    report->failed += status != SCREE_OK || empty;
    report->failed_in_case += status != SCREE_OK || empty;
    report->failed_cases += report->failed_in_case > 0;
    if (report->json)
        printf("\n    ], \"seconds\": %.3f, \"verdict\": \"%s\"}", seconds,
               report->failed_in_case ? "FAIL" : "pass");
    fflush(stdout);
}

void scree_report_end(struct scree_report *report, double seconds)
{
    const char *verdict = report->failed ? "FAIL" : "pass";
    if (report->json)
        printf("\n  ],\n  \"passed\": %zu,\n  \"failed\": %zu,\n  \"unchecked\": %zu,\n  \"seconds\": %.3f,\n"
               "  \"verdict\": \"%s\"\n}\n",
               report->passed, report->failed, report->unchecked, seconds, verdict);
    else
        printf("\n%s: %zu cases, %zu rows passed, %zu failed, %zu not checked, in %.1f s\n", verdict,
               report->cases, report->passed, report->failed, report->unchecked, seconds);
}
