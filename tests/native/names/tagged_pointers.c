// Pointers with a mark in their low bits, a version in their high ones, or a counter beside them.
//! rc20: error=assertion-failure line=@error text="&node#1 | 1" flags="-- -DLOW"
//! rc20: error=assertion-failure line=@error text="&node#1 | 1" flags="-- -DLOW -DINTEGER"
//! rc20: error=assertion-failure line=@error text="&node#1, tag 0x3" flags="-- -DHIGH"
//! rc20: error=assertion-failure line=@error text="{&node#1, 3}" flags="-- -DWIDE -mcx16"
//! rc20: error=assertion-failure line=@error text="{null, 3}" flags="-- -DWIDE -DNOTHING -mcx16"
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node { int value; struct node* next; };

#if defined WIDE
struct counted { struct node* node; uint64_t count; };
_Atomic(struct counted) head;
#elif defined INTEGER
atomic_uintptr_t head;
#else
_Atomic(struct node*) head;
#endif

int main(void) {
  struct node* made = malloc(sizeof *made);
  made->value = 1;
#ifdef NOTHING
  made = NULL;
#endif
#if defined WIDE
  struct counted value = {made, 3};
  atomic_store(&head, value);
#elif defined INTEGER
  atomic_store(&head, (uintptr_t)made | 1);
#elif defined LOW
  atomic_store(&head, (struct node*)((uintptr_t)made | 1));
#else
  atomic_store(&head, (struct node*)((uintptr_t)made | (uintptr_t)3 << 48));
#endif
  assert(0);  // @error
}
