//! rc20: error=dead-frame line=@use flags="-- -DBLOCK"
//! rc20: error=dead-frame line=@use flags="-- -DARRAY"
//! rc20: error=dead-frame line=@atomic flags="-- -DATOMIC"
//! rc20: error=dead-frame line=@round flags="-- -DROUND"
//! rc20: error=dead-frame line=@atomic-round flags="-- -DATOMIC_ROUND"
//! rc20: error=dead-frame line=@temporary flags="-- -DTEMPORARY"
//! rc20: error=dead-frame line=@use flags="-- -DRANGE"
//! rc20: error=dead-frame line=@use flags="-- -DFOR"
//! rc20: error=dead-frame line=@use flags="-- -DIF"
//! rc20: error=dead-frame line=@use flags="-- -DSWITCH"
//! rc20: error=dead-frame line=@try flags="-- -DTRY"
//! rc20: error=dead-frame line=@use flags="-- -DHANDLER"
//! rc20: error=dead-frame line=@use flags="-- -DLAMBDA"
//! rc20: error=dead-frame line=@use flags="-- -DGOTO"
//! sc: error=dead-frame line=@use flags="-j 2 -- -DBLOCK"
//! tso: error=dead-frame line=@use flags="--equivalence rf -- -DBLOCK"
//! rc20: error=dead-frame line=@use flags="--races off -- -DBLOCK"
// A local variable ends with its block, a temporary object with its expression. Pointers to them that stay behind must not
// be used, in later rounds of a loop neither.
#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

const int* kept;
std::atomic<int>* keptAtomic;

[[gnu::noinline]] void keep(const int* pointer) { kept = pointer; }
[[gnu::noinline]] void keep(std::atomic<int>* pointer) { keptAtomic = pointer; }
[[gnu::noinline]] int fail() { throw std::runtime_error("failed"); }

struct View {
  const int& number;
};

int main(int argc, char**) {
#if defined(BLOCK)
  {
    int x = argc;
    kept = &x;
  }
#elif defined(ARRAY)
  {
    int x[8] = {argc};
    keep(x + 3);
  }
#elif defined(ATOMIC)
  {
    std::atomic<int> x{argc};
    x.store(2);
    keep(&x);
  }
  return keptAtomic->load();  // @atomic
#elif defined(ROUND)
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    int x = i;
    if (i == 1) sum += *kept;  // @round
    keep(&x);
  }
  return sum;
#elif defined(ATOMIC_ROUND)
  int sum = 0;
  for (int i = 0; i < 2; ++i) {
    std::atomic<int> x{i};
    if (i == 1) sum += keptAtomic->load();  // @atomic-round
    keep(&x);
    x.store(3);
  }
  return sum;
#elif defined(TEMPORARY)
  const View view{std::max(argc, argc + 1)};
  return view.number;  // @temporary
#elif defined(RANGE)
  for (const int& element : std::vector<int>{1, 2}) {
    int x = element;
    keep(&x);
  }
#elif defined(FOR)
  for (int i = 0; i < 2; ++i) keep(&i);
#elif defined(IF)
  if (int x = argc) keep(&x);
#elif defined(SWITCH)
  switch (argc) {
    case 1: {
      int x = 1;
      keep(&x);
      break;
    }
    default: return 0;
  }
#elif defined(TRY)
  try {
    int x = argc;
    keep(&x);
    fail();
  } catch (const std::runtime_error&) {
    return *kept;  // @try
  }
#elif defined(HANDLER)
  try {
    fail();
  } catch (const std::runtime_error&) {
    int x = argc;
    keep(&x);
  }
#elif defined(LAMBDA)
  auto read = [] { return 0; };
  int result = read();
  {
    int x = argc;
    auto other = [&x] { keep(&x); };
    other();
  }
  if (result) return 1;
#elif defined(GOTO)
  {
    int x = argc;
    keep(&x);
    if (argc == 1) goto out;
    keep(static_cast<const int*>(nullptr));
  }
out:
#endif
  return *kept;  // @use
}
