//! rc20: verified executions=1
//! rc20: error=uninitialised-read line=@error flags="-- -DUSE"
// `(void)x;` tells the compiler that a variable is left unused on purpose. That is no use of its value.
int main(void) {
  int unused;
  (void)unused;
#ifdef USE
  int used;
  if (used) return 1;  // @error
#endif
  return 0;
}
