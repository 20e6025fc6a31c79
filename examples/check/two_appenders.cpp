//! rc20: verified flags="--persistency ext4"
//! rc20: error=recovery line=@told flags="--persistency ext4 -- -DBUG"
//
// Two threads append to one log. The kernel's lock keeps their records whole, in whichever order. A thread that has synced its record says
// so in a file of its own; after a crash what was said to be there is there.
//
// BUG: a thread says so without a sync.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <unistd.h>

#include <thread>

static void append(int log, int answer, char name) {
  const char record[2] = {name, name};
  write(log, record, sizeof record);
#ifndef BUG
  fsync(log);
#endif
  write(answer, "!", 1);
}

extern "C" void heddle_recovery() {
  char found[4] = {};
  const int log = open("log", O_RDONLY), first = open("a", O_RDONLY), second = open("b", O_RDONLY);
  char byte;
  const bool a = read(first, &byte, 1) == 1, b = read(second, &byte, 1) == 1;
  const long size = read(log, found, sizeof found);
  bool hasA = false, hasB = false;
  for (long i = 0; i + 1 < size; i += 2) {
    heddle_assert(found[i] == found[i + 1]);
    (found[i] == 'a' ? hasA : hasB) = true;
  }
  heddle_assert((!a || hasA) && (!b || hasB));  // @told
}

int main() {
  const int log = open("log", O_CREAT | O_WRONLY | O_APPEND, 0644);
  const int a = open("a", O_CREAT | O_WRONLY, 0644), b = open("b", O_CREAT | O_WRONLY, 0644);
  heddle_persisted();
  std::thread other(append, log, b, 'b');
  append(log, a, 'a');
  other.join();
}
