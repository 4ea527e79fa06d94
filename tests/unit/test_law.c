// The interface of contact laws in double, see support/law_claims.h.

#include "support/law_claims.h"

int main(void)
{
    return run_law_claims();
}
