// The same interface, the same law, the same claims, in float.

#define SCREE_REAL float
#include "support/law_claims.h"

int main(void)
{
    return run_law_claims();
}
