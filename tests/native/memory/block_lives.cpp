//! rc20: verified executions=4 blocked=0 flags="--no-spurious"
//! sc: verified executions=4 blocked=0 flags="--no-spurious -j 2"
//! tso: verified executions=4 blocked=0 flags="--no-spurious --equivalence rf"
//! rc20: verified executions=4 blocked=0 flags="--no-spurious --races off"
// Variables of blocks and temporary objects, used as they may be: each round of a loop has new ones, a reference keeps a
// temporary object alive, and all ways out of a block end what is in it.
#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

const int* kept;
[[gnu::noinline]] void keep(const int* pointer) { kept = pointer; }
[[gnu::noinline]] int use() { return *kept; }
[[gnu::noinline]] void mayThrow(int i) {
  if (i % 2) throw std::runtime_error("odd");
}

struct Guard {
  int* counter;
  explicit Guard(int* c) : counter(c) { keep(c); }
  ~Guard() { ++*counter; }
};

struct Node {
  Node* self = this;  // escapes from its constructor
  int value;
  explicit Node(int v) : value(v) {}
  Node(const Node& other) : value(other.value) {}
  ~Node() { assert(self == this); }
};

Node make(int v) { return Node(v); }
const Node& same(const Node& node) { return node; }

int rounds() {
  int sum = 0;
  for (int i = 0; i < 20; ++i) {
    int x = i;
    keep(&x);
    if (i == 3) continue;
    {
      int y = use();
      keep(&y);
      if (i == 15) break;
      sum += use();
    }
    keep(&x);
    sum += use();
  }
  return sum;
}

int jumps(int n) {
  int sum = 0;
again : {
  int x = n;
  keep(&x);
  sum += use();
  if (--n > 0) goto again;
}
  switch (n) {
    int bypassed;
    case 0:
      bypassed = 1;
      keep(&bypassed);
      sum += use();
      [[fallthrough]];
    default:
      bypassed = 2;
      keep(&bypassed);
      sum += use();
  }
  return sum;
}

int exceptions() {
  int ended = 0;
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    int outer = 10;
    keep(&outer);
    try {
      int inner = 1;
      Guard guard(&ended);
      keep(&inner);
      mayThrow(i);
      sum += use();
    } catch (const std::runtime_error&) {
      keep(&outer);
      sum += use();
    }
    keep(&outer);
    sum += use();
  }
  assert(ended == 4);
  return sum;
}

int temporaries() {
  int sum = make(1).value + same(make(2)).value;
  const Node& extended = make(3);
  sum += extended.value;
  const Node& choice = sum > 5 ? make(4) : make(5);
  sum += choice.value;
  for (const Node& node : std::vector<Node>{Node(1), Node(2)}) sum += node.value;
  for (int i = 0; const Node& node : std::vector<Node>{Node(1), Node(2)}) sum += node.value * i++;
  if (const Node node(6); node.value == 6) sum += same(node).value;
  sum += [&](const Node& node) { return same(node).value; }(Node(7));
  std::function<int(int)> add = [sum](int n) { return sum + n; };
  return add(std::max(1, 2));
}

int dynamic(int n) {
  int sum = 0;
  for (int i = 1; i < n; ++i) {
    int array[i];
    array[i - 1] = i;
    keep(&array[i - 1]);
    try {
      int inner = i;
      keep(&inner);
      mayThrow(i);
      sum += use();
    } catch (const std::runtime_error&) {
      sum += array[i - 1];
    }
    sum += ({ int last = i; keep(&last); use(); });
  }
  return sum;
}

int recursive(int n) {
  if (n == 0) return 0;
  int sum = 0;
  {
    int x = n;
    keep(&x);
    sum = recursive(n - 1);
    keep(&x);
    sum += use();
  }
  return sum;
}

std::string texts() {
  std::map<std::string, std::vector<std::string>> words;
  for (const char* text : {"a b", "b c d", "a"}) {
    std::istringstream in(text);
    std::string word;
    while (in >> word) words[word].push_back(std::string(text) + "!");
  }
  std::string all;
  for (const auto& [word, lines] : words) {
    std::string line = word + ":";
    for (const std::string& each : lines) line += std::string("<") + each + ">";
    std::swap(all, line);
    all = line + all;
  }
  return all;
}

void threads() {
  std::mutex mutex;
  std::condition_variable changed;
  int total = 0;
  for (int i = 0; i < 2; ++i) {
    std::atomic<int> state{0};
    int result = 0;
    std::thread worker([&] {
      result = i + 1;
      {
        std::unique_lock<std::mutex> lock(mutex);
        state.store(1);
      }
      changed.notify_one();
    });
    {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return state.load() == 1; });
    }
    worker.join();
    total += result;
  }
  assert(total == 3);
}

int main() {
  assert(rounds() == 204);
  assert(jumps(3) == 6 + 1 + 2);
  assert(exceptions() == 2 * 1 + 2 * 10 + 4 * 10);
  assert(temporaries() == 30);
  assert(dynamic(4) == 12);
  assert(recursive(5) == 15);
  assert(texts() == "a:<a b!><a!>b:<a b!><b c d!>c:<b c d!>d:<b c d!>");
  threads();
}
