//! rc20: error=use-after-free line=@use text="allocation" text="Node* const made = new Node"
// The place where the memory was allocated is shown, too.
#include <atomic>
#include <thread>

struct Node {
  int value;
};
std::atomic<Node*> head;

int main() {
  Node* const made = new Node{1};
  head = made;
  std::thread owner([] { delete head.load(); });
  std::thread user([] {
    volatile int value = head.load()->value;  // @use
    (void)value;
  });
  owner.join();
  user.join();
}
