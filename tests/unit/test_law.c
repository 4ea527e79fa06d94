// The contact-law interface in double.

#include "support/law_claims.h"

int main(void)
{
    return run_law_claims();
}
