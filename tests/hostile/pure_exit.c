// The process ended by the C library.
//! options: --pure __chk_fail
//! outcome: error forbidden-call
void __chk_fail(void);
int main(void) { __chk_fail(); }
