// A header that never ends.
//! options: --time 5
#include "/dev/zero"
int main(void) {}
