//! rc20: verified executions=1
// Virtual functions, several and virtual bases, dynamic_cast, typeid, member pointers.
#include <cassert>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Named {
  virtual ~Named() = default;
  virtual std::string name() const { return "nobody"; }
};
struct Square : Shape, Named {
  int side;
  explicit Square(int s) : side(s) {}
  int area() const override { return side * side; }
  std::string name() const override { return "square"; }
};
struct Line : Shape {
  int area() const override { return 0; }
};
struct Root {
  int value = 3;
};
struct Left : virtual Root {};
struct Right : virtual Root {};
struct Both : Left, Right {};

int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Square>(3));
  shapes.push_back(std::make_unique<Line>());
  int total = 0;
  std::string names;
  for (const auto& shape : shapes) {
    total += shape->area();
    if (const auto* named = dynamic_cast<const Named*>(shape.get())) names += named->name();
  }
  assert(total == 9 && names == "square");
  assert(typeid(*shapes[0]) == typeid(Square) && typeid(*shapes[1]) != typeid(Square));
  int (Shape::*member)() const = &Shape::area;
  assert((shapes[0].get()->*member)() == 9);
  Both both;
  static_cast<Left&>(both).value = 5;
  assert(static_cast<Right&>(both).value == 5);
  bool thrown = false;
  try {
    (void)dynamic_cast<const Line&>(*shapes[0]);
  } catch (const std::bad_cast&) {
    thrown = true;
  }
  assert(thrown);
}
