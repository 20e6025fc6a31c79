//! rc20: verified flags="--persistency ext4"
//! rc20: error=recovery text="recovery writes" flags="--persistency ext4 -- -DOPENS"
//! rc20: verified flags="--persistency ext4 --recovery-writes -- -DOPENS"
// The name of a file is a global string, which recovery uses, too. A constructor that makes a file makes it whenever the program starts.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <unistd.h>

#include <string>

const std::string kName = "database";

#ifdef OPENS
const int lock = open("lock", O_CREAT | O_RDWR, 0644);
#endif

int main() {
  const int file = open(kName.c_str(), O_CREAT | O_WRONLY, 0644);
  write(file, "1", 1);
}

extern "C" void heddle_recovery() {
  const int file = open(kName.c_str(), O_RDONLY);
  char byte = '1';
  if (file >= 0) read(file, &byte, 1);
  heddle_assert(byte == '1');
#ifdef OPENS
  heddle_assert(lock >= 0);
#endif
}
