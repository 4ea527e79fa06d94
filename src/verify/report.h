// The report of `scree verify`: rows with expected and computed values, and a verdict for each.
//
// A row passes if its error is within its tolerance; a NaN error fails. Rows are printed immediately, as an
// aligned table or as one JSON document.

#ifndef SCREE_VERIFY_REPORT_H
#define SCREE_VERIFY_REPORT_H

#include "trial.h"

struct scree_report {
    bool json;
    double tolerance_scale; // factor of every tolerance
    size_t cases, failed_cases;
    size_t passed, failed, unchecked; // rows of all cases
    size_t rows_in_case, failed_in_case;
};

void scree_report_begin(struct scree_report *report);
void scree_report_end(struct scree_report *report, double seconds);

void scree_report_open_case(struct scree_report *report, const char *name, const char *about);
void scree_report_close_case(struct scree_report *report, scree_status status, double seconds);

// The following functions add a row to the report of a trial.

// Adds a number that must be within `tolerance` of the expected number.
void scree_report_near(struct scree_trial *trial, double expected, double computed, double tolerance,
                       const char *format, ...) SCREE_PRINTF(5, 6);

// Adds an error that must be at most `limit`.
void scree_report_at_most(struct scree_trial *trial, double limit, double computed, const char *format, ...)
    SCREE_PRINTF(4, 5);

// Adds a count of differences that must be 0, independent of the scale of tolerances.
void scree_report_zero(struct scree_trial *trial, size_t computed, const char *format, ...)
    SCREE_PRINTF(3, 4);

// Adds a value for information, which can neither pass nor fail.
void scree_report_unchecked(struct scree_trial *trial, double expected, double computed, const char *format,
                            ...) SCREE_PRINTF(4, 5);

// Returns the larger of two errors, or NaN if either is NaN.
double scree_report_larger(double a, double b);

// Returns the measured order of accuracy: the mean over all halvings, for errors at steps h, h/2, h/4, ...
double scree_report_order(const double *errors, int count);

#endif
