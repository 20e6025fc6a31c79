// A loop that walks a list of five nodes and counts them in an atomic, for docs/loops.md.
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node* next;
};

static atomic_int count;

int main(void) {
  struct node* list = NULL;
  for (int i = 0; i < 5; ++i) {
    struct node* node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  for (struct node* node = list; node; node = node->next) atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
}
