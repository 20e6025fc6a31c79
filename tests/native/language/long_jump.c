//! rc20: verified executions=4 blocked=0
//! sc: verified executions=3 blocked=0
//! rc20: verified executions=4 blocked=0 flags="--races off"
//! rc20: verified executions=4 blocked=0 flags="--volatile relaxed"
// Errors that leave functions by longjmp: out of functions with variables of their own, out of a callback of a library function, out
// of a signal-aware setjmp, again and again to the same place, and from one handler to the next. Each thread has buffers of its own.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_int x, y;

struct parser {
  jmp_buf failed;
  int depth, code;
};

static void fail(struct parser *parser, int code) {
  char text[32];  // frames between are left
  memset(text, code, sizeof text);
  parser->code = text[7];
  longjmp(parser->failed, code);
}

static int nest(struct parser *parser, int levels) {
  int here[4] = {levels, levels + 1, levels + 2, levels + 3};
  int *volatile pointer = here;
  if (levels == 0) fail(parser, pointer[1] + 6);
  parser->depth++;
  return nest(parser, levels - 1) + pointer[2];
}

static int parse(int levels) {
  struct parser parser;
  memset(&parser, 0, sizeof parser);
  const int code = setjmp(parser.failed);
  if (code == 0) return nest(&parser, levels);
  assert(parser.depth == levels && parser.code == code);
  return code;
}

static _Thread_local jmp_buf sorting;

static int compare(const void *a, const void *b) {
  const int left = *(const int *)a, right = *(const int *)b;
  if (left == 3 || right == 3) longjmp(sorting, 3);
  return left - right;
}

static int sort(void) {
  int numbers[] = {5, 4, 3, 2, 1};
  if (_setjmp(sorting)) return 1;
  qsort(numbers, 5, sizeof numbers[0], compare);
  return 0;
}

static int retry(void) {
  sigjmp_buf again;
  volatile int rounds = 0;
  const int kept = 5;
  const int round = sigsetjmp(again, 1);
  assert(round == rounds && kept == 5);
  if (rounds < 4) {
    rounds = rounds + 1;
    siglongjmp(again, rounds);
  }
  return round;
}

static int nested(void) {
  jmp_buf outer, inner;
  volatile int steps = 0;
  const int way = setjmp(outer);
  if (way == 0) {
    const int second = setjmp(inner);
    if (second == 0) {
      steps = steps * 10 + 1;
      longjmp(inner, 2);
    }
    steps = steps * 10 + second;
    longjmp(outer, 0);  // setjmp returns 1
  }
  return steps * 10 + way;
}

static int jumpAfterLoad(atomic_int *other) {
  jmp_buf seen;
  volatile int value = -1;
  switch (setjmp(seen)) {
    case 0: value = atomic_load_explicit(other, memory_order_relaxed); longjmp(seen, value + 1);
    case 1: return 0;
    case 2: return 1;
    default: abort();
  }
}

static void *first(void *result) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  *(int *)result = jumpAfterLoad(&y);
  assert(parse(3) == 7);
  return result;
}

static void *second(void *result) {
  assert(sort());
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  *(int *)result = jumpAfterLoad(&x);
  return result;
}

int main(void) {
  int results[2];
  pthread_t threads[2];
  assert(retry() == 4);
  assert(nested() == 121);
  pthread_create(&threads[0], NULL, first, &results[0]);
  pthread_create(&threads[1], NULL, second, &results[1]);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  assert(parse(1) == 7);
  return 0;
}
