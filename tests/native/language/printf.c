//! rc20: verified executions=1
//! rc20: error=assertion-failure line=@end flags="-- -DFAIL"
// The printf family; snprintf says what it would have written, and cuts.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char out[16];
  printf("%d %u %s %c %5.2f %p\n", -1, 2u, "three", '4', 5.0, (void *)out);
  fprintf(stderr, "%s\n", "to standard error");
  puts("a line");
  putchar('x');
  fflush(stdout);
  assert(snprintf(out, 4, "%s", "truncated") == 9);
  assert(strcmp(out, "tru") == 0);
  assert(sprintf(out, "%04x", 0xbeef) == 4 && strcmp(out, "beef") == 0);
  assert(snprintf(out, sizeof out, "%ld:%c:%%", 123456L, 'z') == 10 && strcmp(out, "123456:z:%") == 0);
#ifdef FAIL
  assert(out[0] == '2');  // @end
#endif
  return 0;
}
