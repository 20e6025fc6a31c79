// A virtual table made by the program.
//! outcome: error wild-call
#include <cstring>
struct Base { virtual void act() {} virtual ~Base() = default; };
struct Other : Base { void act() override {} };
void *table[4] = {reinterpret_cast<void *>(0x401000), reinterpret_cast<void *>(0x401000), nullptr, nullptr};
int main() {
  Base *object = new Other;
  void **fake = table;
  std::memcpy(static_cast<void *>(object), &fake, sizeof fake);
  object->act();
}
