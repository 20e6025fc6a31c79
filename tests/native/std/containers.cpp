//! rc20: verified executions=1 flags="--leaks -- -std=c++17"
// The containers of the standard library, with the parts of them that are in the compiled library: red-black trees,
// hash policies, list hooks, strings.
#include <algorithm>
#include <array>
#include <cassert>
#include <deque>
#include <list>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

int main() {
  std::vector<std::string> words = {"one", "two", "three"};
  for (int i = 0; i < 20; ++i) words.push_back("a word that is too long to be stored in place " + std::to_string(i));
  std::sort(words.begin(), words.end());
  assert(words.front() < words.back() && words.size() == 23);
  words.erase(words.begin() + 3, words.end());
  assert(words.size() == 3);

  std::map<int, std::string> tree;
  for (int i = 0; i < 50; ++i) tree[(i * 17) % 50] = std::to_string(i);
  for (int i = 0; i < 25; ++i) tree.erase(i * 2);
  assert(tree.size() == 25 && tree.begin()->first == 1 && tree.rbegin()->first == 49);
  int previous = -1;
  for (const auto& [key, value] : tree) {
    assert(key > previous && !value.empty());
    previous = key;
  }

  std::unordered_map<std::string, int> counts;
  for (int i = 0; i < 40; ++i) ++counts["key" + std::to_string(i % 13)];
  assert(counts.size() == 13 && counts.at("key0") == 4 && counts.count("none") == 0);
  counts.erase("key0");
  std::unordered_set<int> numbers = {1, 2, 3, 3};
  assert(numbers.size() == 3);
  std::multiset<int> many = {3, 1, 3};
  assert(many.count(3) == 2);

  std::list<int> list = {3, 1, 2};
  list.sort();
  std::list<int> other = {9, 8};
  list.splice(list.begin(), other);
  list.reverse();
  assert(list.front() == 3 && list.back() == 9 && other.empty());

  std::deque<int> deque;
  for (int i = 0; i < 300; ++i) i % 2 ? deque.push_back(i) : deque.push_front(i);
  assert(deque.size() == 300 && deque.front() == 298 && deque.back() == 299);

  std::array<int, 5> array{};
  std::iota(array.begin(), array.end(), 1);
  assert(std::accumulate(array.begin(), array.end(), 0) == 15);
  assert(std::any_of(array.begin(), array.end(), [](int x) { return x == 4; }));
  std::string text = "hello world";
  text.replace(0, 5, "goodbye, dear and wide");
  assert(text.find("wide world") != std::string::npos && text.substr(0, 7) == "goodbye");
}
