//! rc20: verified executions=1
//! rc20: error=out-of-bounds line=@unterminated flags="-- -DUNTERMINATED"
//! rc20: error=out-of-bounds line=@overflow flags="-- -DOVERFLOW"
//! rc20: error=unsupported line=@file flags="-- -DINPUT"
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int format(char* buffer, size_t n, const char* text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int result = vsnprintf(buffer, n, text, arguments);
  va_end(arguments);
  return result;
}

int main(void) {
  char text[64];
  assert(snprintf(text, sizeof text, "%d %5.2f %s %c %lx %%", -7, 3.14159, "abc", 'z', 0xfeedUL) == 21);
  assert(strcmp(text, "-7  3.14 abc z feed %") == 0);
  assert(snprintf(text, 4, "%s", "abcdef") == 6 && strcmp(text, "abc") == 0);
  assert(snprintf(0, 0, "%d", 12345) == 5);
  assert(sprintf(text, "%*d|%-4d|%.*s", 5, 42, 7, 2, "xyz") == 13 && strcmp(text, "   42|7   |xy") == 0);
  assert(format(text, sizeof text, "%zu %p %lld", (size_t)9, (void*)0, 1LL << 40) > 0);
  char* made;
  assert(asprintf(&made, "%s-%d", "a", 1) == 3 && strcmp(made, "a-1") == 0);
  free(made);
  char letters[3] = {'a', 'b', 'c'};
  printf("%.3s\n", letters);
  printf("plain\n");
  puts("line");
  putchar('x');
  fputs("err\n", stderr);
  fprintf(stderr, "%d\n", 5);
  assert(fwrite(letters, 1, 3, stdout) == 3 && fflush(stdout) == 0);
  char big[400];
  memset(big, 'b', sizeof big - 1);
  big[399] = 0;
  assert(printf("%s", big) == 399);
#ifdef UNTERMINATED
  printf("%s\n", letters);  // @unterminated
#endif
#ifdef OVERFLOW
  sprintf(letters, "%d", 1234);  // @overflow
#endif
#ifdef INPUT
  fputs("no", stdin);  // @file
#endif
}
