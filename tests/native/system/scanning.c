//! rc20: verified executions=1 blocked=0
//! rc20: error=out-of-bounds line=@small flags="-- -DSMALL"
//! rc20: error=uninitialised-read line=@text flags="-- -DUNINITIALISED"
// sscanf.
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int a = 0, b = 0;
  assert(sscanf("12 -34", "%d %d", &a, &b) == 2 && a == 12 && b == -34);
  assert(sscanf("x=0x1f", "x=%i", &a) == 1 && a == 31);
  unsigned u;
  long l;
  unsigned char tiny;
  assert(sscanf("ff 4294967296 300", "%x %ld %hhu", &u, &l, &tiny) == 3 && u == 255 && l == 4294967296 && tiny == 44);
  char word[8] = "", rest[8] = "", c = 0;
  assert(sscanf("  abc, def!", "%7[^,], %3s%c", word, rest, &c) == 3);
  assert(strcmp(word, "  abc") == 0 && strcmp(rest, "def") == 0 && c == '!');
  assert(sscanf("12345", "%2d%*1d%d", &a, &b) == 2 && a == 12 && b == 45);
  float f;
  double d;
  int length;
  assert(sscanf("1.5 -2e3%", "%f %lf%%%n", &f, &d, &length) == 2 && f == 1.5f && d == -2000 && length == 9);
  assert(sscanf("", "%d", &a) == EOF && sscanf("z", "%d", &a) == 0 && sscanf("7 z", "%d %d", &a, &b) == 1);
  assert(sscanf("k9", "%1[a-z]%d", word, &a) == 2 && word[0] == 'k' && a == 9);
#ifdef SMALL
  char small[2];
  sscanf("long", "%s", small);  // @small
#endif
#ifdef UNINITIALISED
  char text[4];
  sscanf(text, "%d", &a);  // @text
#endif
  return 0;
}
