// Objects in memory without a type are called what they are.
//! sc: error=data-race line=@error text="Node#1.next" flags="-- -DPOOL"
//! sc: error=data-race line=@error text="Node#1.next" flags="-- -DVOID"
//! sc: error=data-race line=@error text="buffer.next" flags="-- -DBUFFER"
//! sc: error=data-race line=@error text="slots[1].storage.next" flags="-- -DSLOT"
//! sc: error=data-race line=@error text="Node#1[2].next" flags="-- -DARRAY"
#include <cstdlib>
#include <new>
#include <thread>

struct Node {
  Node(int v) : value(v), next(nullptr) {}
  ~Node() { value = 0; }
  int value;
  Node* next;
};

struct Slot {
  int state;
  alignas(Node) unsigned char storage[sizeof(Node)];
};

#if defined POOL
struct Pool {
  char* memory = static_cast<char*>(std::malloc(1000));
  std::size_t used = 0;
  void* allocate(std::size_t size) {
    void* result = memory + used;
    used += (size + 15) & ~std::size_t{15};
    return result;
  }
} pool;
Node* first = new (pool.allocate(sizeof(Node))) Node(1);
Node* node = new (pool.allocate(sizeof(Node))) Node(2);
#elif defined VOID
void* memory = std::malloc(sizeof(Node));
Node* node = new (memory) Node(1);
#elif defined BUFFER
alignas(Node) char buffer[sizeof(Node)];
Node* node = new (buffer) Node(1);
#elif defined SLOT
Slot slots[3];
Node* node = new (slots[1].storage) Node(1);
#else
Node* nodes = new Node[3]{1, 2, 3};
Node* node = nodes + 2;
#endif

int main() {
  std::thread thread([] { node->next = nullptr; });
  node->next = node;  // @error
  thread.join();
}
