#!/bin/sh
# Fails when the pages that --html writes do not work in a browser: Debian's chromium, driven by the npm package puppeteer-core, which is
# fetched once, into the folder that is given.
#
# check-page.sh HEDDLE FOLDER: with this heddle.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
if [ ! -d "$folder/node_modules/puppeteer-core" ]; then
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts puppeteer-core@23.11.1
fi

cat >"$folder/sb.litmus" <<'LITMUS'
C SB
{ }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r0=0 /\ 1:r0=0)
LITMUS
cat >"$folder/hostile.c" <<'C'
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
int main(void) {
  atomic_store(&x, 1);  // </script><script>window.attacked = 1</script>
  assert(atomic_load(&x) == 2 && "</script><img src=x onerror=window.attacked=1>");
}
C
# Each finds an error, or answers its question.
run() {
  code=0
  "$heddle" "$@" >/dev/null || code=$?
  [ "$code" -le 1 ] || { echo "check-page: heddle $* exits with $code" >&2; exit 1; }
}
cd "$root"
run check --html "$folder/race.html" examples/check/spsc_ring.cpp -- -DBUG
run check --html "$folder/weak.html" examples/check/chase_lev_deque.c -- -DBUG
run check --html "$folder/locks.html" examples/check/bank_transfer.cpp -- -DBUG
run check --html "$folder/hostile.html" "$folder/hostile.c"
run litmus --html "$folder/states.html" --compare sc,rc20 "$folder/sb.litmus"
exec node "$root/tests/page/page_test.mjs" "$(command -v chromium)" "$folder"
