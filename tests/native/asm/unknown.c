//! rc20: rejected text="cpuid" text="unknown.c:8"
//! rc20: verified executions=1 flags="-- -DHARMLESS"
// Any other assembly is refused, with its text and its place, and not skipped.
int main(void) {
#ifdef HARMLESS
  __asm__ volatile("" ::: "memory");
#else
  __asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
#endif
  return 0;
}
