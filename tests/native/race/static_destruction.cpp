//! rc20: error=data-race|use-after-free
//! rc20: verified executions=1 blocked=0 flags="-- -DJOIN"
// Main returns, and globals are destroyed, while a detached thread still uses them.
#include <string>
#include <thread>

std::string text = "a text that is long enough to be stored elsewhere";

int main() {
  std::thread reader([] {
    volatile char sink = text[5];
    (void)sink;
  });
#ifdef JOIN
  reader.join();
#else
  reader.detach();
#endif
}
