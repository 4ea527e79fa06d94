// The interface of contact laws in float, see support/law_claims.h.

#define SCREE_REAL float
#include "support/law_claims.h"

int main(void)
{
    return run_law_claims();
}
