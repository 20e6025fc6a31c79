//! rc20: verified executions=1 flags="--leaks -- -std=c++17"
// <memory>, <functional>, <optional>, <variant>, <tuple>, <any>, <chrono>, <algorithm>, <utility>.
#include <algorithm>
#include <any>
#include <cassert>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

struct Node : std::enable_shared_from_this<Node> {
  std::shared_ptr<Node> child;
  std::weak_ptr<Node> parent;
  int value = 1;
};

int main() {
  auto root = std::make_shared<Node>();
  root->child = std::make_shared<Node>();
  root->child->parent = root;
  assert(root.use_count() == 1 && root->child->parent.lock()->value == 1);
  assert(root->shared_from_this() == root);
  std::weak_ptr<Node> watcher = root->child;
  root.reset();
  assert(watcher.expired());
  int deleted = 0;
  {
    std::unique_ptr<int, std::function<void(int*)>> owned(new int(3), [&](int* p) {
      ++deleted;
      delete p;
    });
  }
  assert(deleted == 1);

  std::function<int(int)> add = std::bind(std::plus<int>(), std::placeholders::_1, 10);
  assert(add(5) == 15 && std::invoke(add, 1) == 11);
  std::optional<std::string> maybe;
  assert(!maybe && maybe.value_or("none") == "none");
  maybe.emplace(100, 'x');
  assert(maybe->size() == 100);
  std::variant<int, std::string> either = "text";
  assert(std::get<std::string>(either) == "text" && either.index() == 1);
  assert(std::visit([](const auto& v) { return sizeof v; }, either) == sizeof(std::string));
  std::any anything = 3.5;
  assert(std::any_cast<double>(anything) == 3.5);
  const auto [left, right] = std::tuple<int, char>(4, 'c');
  assert(left == 4 && right == 'c');
  bool empty = false;
  try {
    (void)std::optional<int>().value();
  } catch (const std::bad_optional_access&) {
    empty = true;
  }
  assert(empty);

  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  const auto later = std::chrono::steady_clock::now();
  assert(later >= start && 1500ms == 1.5s);
  assert(std::chrono::duration_cast<std::chrono::minutes>(3h).count() == 180);
  std::vector<int> heap = {3, 1, 4, 1, 5};
  std::make_heap(heap.begin(), heap.end());
  assert(heap.front() == 5);
  std::stable_sort(heap.begin(), heap.end(), std::greater<>());
  assert(std::binary_search(heap.rbegin(), heap.rend(), 4));
}
