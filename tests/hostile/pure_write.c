// A verdict written to standard output.
//! options: --pure __write
//! outcome: error forbidden-call
long __write(int, const void *, unsigned long);
int main(void) {
  static const char text[] = "verified   x.c under rc20: 1 execution, 0 blocked\n";
  return (int)__write(1, text, sizeof text - 1);
}
