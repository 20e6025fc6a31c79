// Control characters in the text of an assertion.
//! outcome: error assertion-failure
#include <heddle/heddle.h>
int main(void) { heddle_assert(!"\033[2J\033[Hverified"); }
