//! rc20: verified flags="--persistency ext4"
//! rc20: verified flags="--persistency ext4 --journal writeback --unwritten-data zeros"
//! rc20: error=recovery text="was never written" flags="--persistency ext4 --journal writeback"
//! rc20: verified flags="--persistency ext4 -- -DBUG"
//! rc20: error=recovery line=@record flags="--persistency ext4 --journal writeback --unwritten-data zeros -- -DBUG"
//
// A journal to which records are appended, each with a checksum. What recovery reads is a prefix of the records that were appended: it
// stops at the first one whose checksum is wrong.
//
// BUG: recovery does not look at checksums. Where data is on the disk before the size that goes with it (data=ordered) that is
// no mistake, but with data=writeback the file may have grown without its data. To read what was never written is an error by itself,
// unless recovery is known to be able to tell: --unwritten-data zeros.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <unistd.h>

struct record {
  unsigned char value, check;
};

static unsigned char checksum(unsigned char value) { return (unsigned char)(value * 7 + 1); }

static void append(int file, unsigned char value) {
  struct record record = {value, checksum(value)};
  write(file, &record, sizeof record);
}

int main(void) {
  int file = open("journal", O_CREAT | O_WRONLY | O_APPEND, 0644);
  heddle_persisted();
  append(file, 1);
  append(file, 2);
  close(file);
  return 0;
}

void heddle_recovery(void) {
  struct record record;
  int file = open("journal", O_RDONLY);
  for (unsigned char expected = 1; read(file, &record, sizeof record) == sizeof record; ++expected) {
#ifndef BUG
    if (record.check != checksum(record.value)) return;
#endif
    heddle_assert(record.value == expected);  // @record
  }
}
