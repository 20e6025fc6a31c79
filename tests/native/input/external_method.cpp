//! rc20: rejected text="shapes::Circle::area(double) const" text="external_method.cpp:14"
// The name as it stands in the source, not the linker's.
namespace shapes {
struct Circle {
  double radius;
  double area(double pi) const;
};
}  // namespace shapes

int main() {
  const shapes::Circle circle{2.0};
  double total = 0;
  for (int i = 0; i < 2; ++i) {
    total += circle.area(3.0);
  }
  return total > 100;
}
