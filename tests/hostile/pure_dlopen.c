// A library loaded.
//! options: --pure dlopen
//! outcome: error forbidden-call
#include <dlfcn.h>
int main(void) { return dlopen("/lib/x86_64-linux-gnu/libBrokenLocale.so.1", RTLD_NOW) != 0; }
