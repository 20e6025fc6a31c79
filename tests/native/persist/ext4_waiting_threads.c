//! rc20: error=recovery flags="--persistency ext4"
//! rc20: verified blocked=0 flags="--persistency ext4 -- -DRIGHT"
// A thread that writes a file, and then waits in a loop when the program ends.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

atomic_int go;

static void* writer(void* unused) {
  write(open("file", O_CREAT | O_WRONLY, 0644), "1", 1);
  while (!atomic_load(&go)) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  pthread_detach(thread);
  return 0;
}

void heddle_recovery(void) {
  const int file = open("file", O_RDONLY);
#ifndef RIGHT
  heddle_assert(file < 0);
#else
  char byte = '1';
  if (file >= 0) read(file, &byte, 1);
  heddle_assert(byte == '1');
#endif
}
