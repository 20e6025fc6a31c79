//! rc20: error=double-free|data-race line=@delete
// Two threads delete the same object, each as what it is.
#include <thread>

int* shared = new int(3);

int main() {
  const auto release = [] { delete shared; };  // @delete
  std::thread other(release);
  release();
  other.join();
}
