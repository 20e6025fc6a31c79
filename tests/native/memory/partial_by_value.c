//! rc20: verified executions=1 flags="-- -DSHAPE=1"
//! rc20: verified executions=1 flags="-- -DSHAPE=2"
//! rc20: error=uninitialised-read line=@use flags="-- -DSHAPE=3"
//! rc20: verified executions=1 flags="-- -DSHAPE=4"
//! rc20: verified executions=1 flags="-- -DSHAPE=5"
// A structure that is initialised in part is copied, passed and returned. That is no use of what is missing; to look at it is. Holes between members are missing,
// too, and are copied with them.
#include <assert.h>
#include <string.h>

struct pair {
  int first, second;
};
union word {
  struct pair pair;
  long word;
};

static struct pair same(struct pair value) { return value; }
static int first(struct pair value) { return value.first; }

int main(void) {
  struct pair part;
  part.first = 1;
#if SHAPE == 1
  assert(first(part) == 1);
#elif SHAPE == 2
  const struct pair copy = part;
  const struct pair other = same(copy);
  assert(other.first == 1);
#elif SHAPE == 3
  const struct pair copy = part;
  assert(copy.second != 1);  // @use
#elif SHAPE == 4
  union word word;
  word.pair = part;
  part = word.pair;
  assert(part.first == 1);
#else
  struct hole {
    char first;
    int second;
  } hole, other;
  hole.first = 1;
  hole.second = 2;
  long words;
  memcpy(&words, &hole, sizeof words);
  memcpy(&other, &words, sizeof words);
  assert(other.second == 2);
#endif
  return 0;
}
