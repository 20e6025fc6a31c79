// A shell.
//! options: --pure system
#include <stdlib.h>
int main(void) { return system("touch /tmp/heddle-hostile"); }
