// The contact-law interface in float, with the law and tests of test_law.c.

#define SCREE_REAL float
#include "support/law_claims.h"

int main(void)
{
    return run_law_claims();
}
