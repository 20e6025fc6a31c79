//! rc20: error=pure-virtual line=@error
//! rc20: verified executions=1 flags="-- -DLATER"
// A base class calls, from its constructor and round a corner, what only the derived class has.
struct Base {
  Base() {
#ifndef LATER
    announce();
#endif
  }
  virtual ~Base() = default;
  void announce() {
    counter += name();  // @error
  }
  virtual int name() const = 0;
  int counter = 0;
};

struct Derived : Base {
  int name() const override { return 1; }
};

int main() {
  Derived derived;
  derived.announce();
  return derived.counter == 99;
}
