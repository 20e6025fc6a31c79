//! rc20: error=unsupported line=@unknown text="does not understand: xgetbv"
//! rc20: verified executions=1 flags="-- -DHARMLESS"
//! rc20: verified executions=1 flags="-- -DUNREACHED"
//! rc20: error=unsupported line=@memory text="does not understand: incl" flags="-- -DMEMORY"
//! rc20: error=unsupported line=@jump flags="-- -DJUMP"
// Any other assembly stops the program where it is reached, with its text and its place, and is not skipped.
#ifdef UNREACHED
static volatile int reached;
#else
static volatile int reached = 1;
#endif
static int counter;

static int jump(void) {
  __asm__ goto("jmp %l0" : : : : out);  // @jump
  return 0;
out:
  return 1;
}

int main(void) {
#ifdef HARMLESS
  __asm__ volatile("" ::: "memory");
#elif defined(MEMORY)
  if (reached) __asm__ volatile("incl %0" : "+m"(counter));  // @memory
#elif defined(JUMP)
  if (reached) return jump();
#else
  if (reached) __asm__ volatile("xgetbv" : : "c"(0) : "eax", "edx");  // @unknown
#endif
  return 0;
}
