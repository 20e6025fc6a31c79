//! sc: verified executions=5 blocked=0 flags="--persistency strict -- -DN=4"
//! sc: verified executions=16 blocked=0 flags="--persistency weakest -- -DN=4"
//! sc: verified executions=2 blocked=0 flags="--persistency weakest -- -DN=4 -DONE"
//! sc: verified executions=3 blocked=0 flags="--persistency strict -- -DN=2 -DASSERT"
//! sc: error=recovery line=@order flags="--persistency weakest -- -DN=2 -DASSERT"
//! rc20: error=recovery line=@order flags="--persistency weakest -- -DN=2 -DASSERT"
// N writes of one thread to N locations: N + 1 snapshots under strict persistency, 2^N under the weakest, and two if recovery reads one
// of them only.
#include <heddle/heddle.h>

HEDDLE_PERSISTENT int x[N][16];

int main(void) {
  for (int i = 0; i < N; ++i) x[i][0] = 1;
  return 0;
}

void heddle_recovery(void) {
#ifdef ONE
  int only = x[N - 1][0];
  (void)only;
#else
  int found[N];
  for (int i = N - 1; i >= 0; --i) found[i] = x[i][0];
#ifdef ASSERT
  for (int i = 1; i < N; ++i) heddle_assert(found[i - 1] >= found[i]);  // @order
#endif
  (void)found;
#endif
}
