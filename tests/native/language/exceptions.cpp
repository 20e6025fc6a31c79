//! rc20: verified executions=1
// Thrown across frames with destructors, caught by base class, by value, by ellipsis; rethrown; nested.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>

int alive = 0;

struct Guard {
  Guard() { ++alive; }
  ~Guard() { --alive; }
};

struct Base {
  virtual ~Base() = default;
  virtual int code() const { return 1; }
};
struct Derived : Base {
  int code() const override { return 2; }
};

void deep(int depth) {
  Guard guard;
  if (depth == 0) throw std::runtime_error("from the bottom, with a text of some length");
  deep(depth - 1);
}

int throughBase() {
  try {
    throw Derived();
  } catch (const Base& base) {
    return base.code();
  }
}

int rethrown() {
  try {
    try {
      throw 5;
    } catch (int& number) {
      ++number;
      throw;
    }
  } catch (int number) {
    return number;
  }
}

int notThisOne() {
  try {
    try {
      throw 'x';
    } catch (int) {
      return 1;
    }
  } catch (...) {
    return 2;
  }
}

void wrap() {
  try {
    deep(2);
  } catch (...) {
    std::throw_with_nested(std::logic_error("outer"));
  }
}

int main() {
  try {
    deep(5);
    assert(false);
  } catch (const std::exception& error) {
    assert(std::string(error.what()) == "from the bottom, with a text of some length");
  }
  assert(alive == 0);
  assert(throughBase() == 2);
  assert(rethrown() == 6);
  assert(notThisOne() == 2);
  try {
    wrap();
  } catch (const std::logic_error& error) {
    assert(std::string(error.what()) == "outer");
    try {
      std::rethrow_if_nested(error);
      assert(false);
    } catch (const std::runtime_error& inner) {
      assert(std::string(inner.what()).find("bottom") != std::string::npos);
    }
  }
  std::exception_ptr kept;
  try {
    throw std::out_of_range("kept");
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    std::rethrow_exception(kept);
  } catch (const std::out_of_range& error) {
    assert(std::string(error.what()) == "kept");
  }
}
