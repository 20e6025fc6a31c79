//! sc,rc20: error=deadlock line=@wait|@join
//! sc,rc20: verified executions=1 blocked=1 flags="-- -DNOTIFY"
// A thread that waits for a word, half of which changes without a notification, may sleep for ever.
#include <atomic>
#include <thread>

union Word {
  Word() : whole(0) {}
  std::atomic<unsigned> whole;
  std::atomic<unsigned short> half[2];
} word;

int main() {
  std::thread thread([] { word.whole.wait(0); });  // @wait
  word.half[0] = 1;
#ifdef NOTIFY
  word.whole.notify_one();
#endif
  thread.join();  // @join
}
