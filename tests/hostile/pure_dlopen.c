// A library loaded.
//! options: --pure dlopen
#include <dlfcn.h>
int main(void) { return dlopen("/lib/x86_64-linux-gnu/libBrokenLocale.so.1", RTLD_NOW) != 0; }
