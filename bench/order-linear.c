// order.c for worlds of the linear law.

#define ORDER_LINEAR
#include "order.c"
