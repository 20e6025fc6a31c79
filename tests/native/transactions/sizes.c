//! sc,rc20: verified executions=4 blocked=0
//! sc,rc20: verified executions=4 blocked=0 flags="-j 2"
// Parts of a word and the whole of it in transactions, plainly and with copies: a transaction is all or nothing for each size.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

static struct {
  uint16_t low, high;
  uint32_t rest[3];
} word;

static void *parts(void *p) {
  heddle_transaction_begin();
  word.low = 1;
  word.high = 1;
  word.rest[2] = 1;
  heddle_transaction_end();
  return p;
}

static void *whole(void *p) {
  uint32_t both;
  uint32_t last;
  heddle_transaction_begin();
  memcpy(&both, &word, sizeof both);
  last = word.rest[2];
  heddle_transaction_end();
  assert((both == 0 && last == 0) || (both == 0x10001 && last == 1));
  heddle_transaction_begin();
  word.rest[0] += both;
  heddle_transaction_end();
  return p;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, parts, 0);
  pthread_create(&other, 0, whole, 0);
  heddle_transaction_begin();
  const int seen = word.rest[2];
  heddle_transaction_end();
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(word.low == 1 && word.high == 1 && (word.rest[0] == 0 || word.rest[0] == 0x10001));
  (void)seen;
  return 0;
}
