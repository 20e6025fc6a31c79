// A shell.
//! options: --pure system
//! outcome: error forbidden-call
#include <stdlib.h>
int main(void) { return system("touch /tmp/heddle-hostile"); }
