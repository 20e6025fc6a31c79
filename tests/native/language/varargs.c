//! rc20: verified executions=1
// Variable arguments of every class: integers, doubles, pointers, structs, more than there are registers; and a
// va_list that is passed on.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair {
  long a, b;
};

static double sum(const char *kinds, ...) {
  va_list arguments;
  va_start(arguments, kinds);
  double total = 0;
  for (; *kinds; kinds++) {
    switch (*kinds) {
      case 'i': total += va_arg(arguments, int); break;
      case 'l': total += (double)va_arg(arguments, long); break;
      case 'd': total += va_arg(arguments, double); break;
      case 's': total += (double)strlen(va_arg(arguments, const char *)); break;
      case 'p': {
        struct pair pair = va_arg(arguments, struct pair);
        total += (double)(pair.a + pair.b);
      }
    }
  }
  va_end(arguments);
  return total;
}

static int format(char *out, size_t size, const char *text, ...) {
  va_list arguments, copy;
  va_start(arguments, text);
  va_copy(copy, arguments);
  int first = vsnprintf(out, size, text, arguments);
  int second = vsnprintf(NULL, 0, text, copy);
  va_end(copy);
  va_end(arguments);
  assert(first == second);
  return first;
}

int main(void) {
  struct pair pair = {10, 20};
  assert(sum("iilldd", 1, 2, 3L, 4L, 0.5, 1.5) == 12.0);
  assert(sum("iiiiiiiiiiii", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 12.0);
  assert(sum("dddddddddddd", 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.) == 12.0);
  assert(sum("spi", "four", pair, 1) == 35.0);
  char out[32];
  assert(format(out, sizeof out, "%d-%s-%.1f", 7, "x", 2.5) == 7);
  assert(strcmp(out, "7-x-2.5") == 0);
  return 0;
}
