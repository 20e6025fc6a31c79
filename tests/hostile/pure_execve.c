// Another program in the place of heddle.
//! options: --pure execve
//! outcome: error forbidden-call
#include <unistd.h>
int main(void) { char *words[] = {"/bin/true", 0}; return execve("/bin/true", words, words + 1); }
