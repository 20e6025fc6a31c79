// setjmp, as far as nobody jumps: longjmp is not modelled.

extern "C" {

int _setjmp(void*) { return 0; }
int setjmp(void*) { return 0; }
int __sigsetjmp(void*, int) { return 0; }

}  // extern "C"
