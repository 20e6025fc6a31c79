// Another personality of the process.
//! options: --pure personality
//! outcome: error forbidden-call
#include <sys/personality.h>
int main(void) { return personality(READ_IMPLIES_EXEC); }
