// The array at the end of a structure goes on as far as there is memory.
//! sc: error=data-race line=@error text="array#1.items[2].value" flags="-- -DITEM"
//! sc: error=data-race line=@error-2 text="array#1.size" flags="-- -DSIZE"
//! sc: error=data-race line=@error-3 text="old#1.bytes[5]" flags="-- -DOLD"
//! sc: error=data-race line=@error-4 text="header#1[1].size" flags="-- -DARRAY"
#include <pthread.h>
#include <stdlib.h>

struct item { int key, value; };
struct array { size_t size; struct item items[]; };
struct old { size_t size; char bytes[1]; };
struct header { size_t size; };

struct array* array;
struct old* old;
struct header* headers;

void* writer(void* unused) {
#if defined ITEM
  array->items[2].value = 1;  // @error
#elif defined SIZE
  array->size = 4;  // @error-2
#elif defined OLD
  old->bytes[5] = 1;  // @error-3
#else
  headers[1].size = 1;  // @error-4
#endif
  return unused;
}

int main(void) {
  array = malloc(sizeof *array + 4 * sizeof(struct item));
  old = malloc(sizeof *old + 20);
  headers = malloc(3 * sizeof *headers);
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  writer(NULL);
  pthread_join(thread, NULL);
}
