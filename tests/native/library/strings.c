//! rc20: verified executions=1
//! rc20: error=out-of-bounds line=@copy flags="-- -DLONG"
//! rc20: error=null-pointer line=@null flags="-- -DNULL_STRING"
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  char a[16], b[8];
  strcpy(a, "hello");
  assert(strlen(a) == 5 && strnlen(a, 3) == 3 && strcmp(a, "hello") == 0);
  assert(sign(strcmp("a", "b")) == -1 && sign(strcmp("b", "a")) == 1 && strncmp("abc", "abd", 2) == 0);
  assert(strcasecmp("HeLLo", "hEllO") == 0 && sign(strncasecmp("A", "b", 1)) == -1);
  strcat(a, " you");
  assert(strcmp(a, "hello you") == 0 && strchr(a, 'y') == a + 6 && strrchr(a, 'o') == a + 7 && strchr(a, 'z') == 0);
  assert(strstr(a, "lo") == a + 3 && strstr(a, "nope") == 0 && strspn(a, "hel") == 4 && strcspn(a, " ") == 5);
  strncpy(b, "abc", sizeof b);
  assert(memcmp(b, "abc\0\0\0\0\0", 8) == 0 && sign(memcmp("ab", "ac", 2)) == -1);
  assert(memchr(b, 'c', 8) == b + 2 && memchr(b, 'x', 8) == 0);
  strncat(b, "defghijk", 4);
  assert(strcmp(b, "abcdefg") == 0 && *stpcpy(a, "x") == 0 && strpbrk(b, "fe") == b + 4);
  memmove(b + 1, b, 6);
  assert(strcmp(b, "aabcdef") == 0);
  char list[] = "one,two,,three";
  int n = 0;
  for (char* p = strtok(list, ","); p; p = strtok(0, ",")) ++n;
  assert(n == 3);
  char* copy = strdup("copy");
  assert(strcmp(copy, "copy") == 0);
  free(copy);
  assert(isalpha('a') && !isalpha('1') && isdigit('7') && isspace('\t') && toupper('q') == 'Q' && tolower('Q') == 'q');
  assert(isxdigit('F') && ispunct('!') && !isprint('\n') && isupper('A') && !islower('A'));
#ifdef LONG
  strcpy(b, "too long");  // @copy
#endif
#ifdef NULL_STRING
  char* volatile null = 0;
  return (int)strlen(null);  // @null
#endif
}
