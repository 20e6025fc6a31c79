//! lkmm: verified
//! rc11: verified
// A list to which two threads add, and from which one takes all that is there: nothing is lost, and what is in a node is known.
#include <heddle/linux.h>

struct item {
  struct llist_node node;
  int value;
};

static LLIST_HEAD(list);
static struct item items[2];

static int adder(void *argument) {
  struct item *const item = argument;
  item->value = 1;
  llist_add(&item->node, &list);
  return 0;
}

static int take(void) {
  struct llist_node *position;
  int sum = 0;
  llist_for_each(position, llist_del_all(&list)) sum += llist_entry(position, struct item, node)->value;
  return sum;
}

int main(void) {
  struct task_struct *a = kthread_run(adder, &items[0], "a"), *b = kthread_run(adder, &items[1], "b");
  int sum = take();
  kthread_stop(a);
  kthread_stop(b);
  sum += take();
  BUG_ON(sum != 2 || !llist_empty(&list));
  return 0;
}
