//! rc20: verified executions=1 flags="--unroll 1"
//! rc20: incomplete executions=0 blocked=1 text="no execution ran to its end" flags="--unroll 1 -- -DVISIBLE"
// A loop in which nothing visible happens is not cut, although it is not known to end; also if it calls functions.
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *next;
};

static atomic_int x;

static struct node *push(struct node *list) {
  struct node *node = malloc(sizeof *node);
  node->next = list;
  return node;
}

static void clear(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

static unsigned length(const struct node *list) {
  unsigned n = 0;
  for (; list; list = list->next) {
    n++;
#ifdef VISIBLE
    atomic_fetch_add(&x, 1);
#endif
  }
  return n;
}

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 5; i++) list = push(list);
  assert(length(list) == 5);
  clear(list);
  const char *words = "to be or not";
  unsigned blanks = 0;
  while ((words = strchr(words, ' '))) words++, blanks++;
  assert(blanks == 3);
  atomic_fetch_add(&x, 1);
  return 0;
}
