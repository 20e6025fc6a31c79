//! rc20: verified flags="--persistency ext4"
//! rc20: error=recovery line=@whole flags="--persistency ext4 -- -DBUG"
//
// A write-ahead log: a transaction changes two bytes of a table. They go to the log first, with a mark behind them that the transaction is
// complete, and the log is synced. Only then the table is overwritten, and synced, and the log is emptied. Recovery takes what a
// complete log says in place of what is in the table.
//
// BUG: the log is not synced before the table is overwritten.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <unistd.h>

static void transact(int log, int table, const char values[2]) {
  char entry[3] = {values[0], values[1], '!'};
  pwrite(log, entry, sizeof entry, 0);
#ifndef BUG
  fsync(log);
#endif
  pwrite(table, &values[0], 1, 0);
  pwrite(table, &values[1], 1, 2);  // another block
  fsync(table);
  ftruncate(log, 0);
}

int main(void) {
  int log = open("log", O_CREAT | O_RDWR, 0644), table = open("table", O_CREAT | O_RDWR, 0644);
  pwrite(table, "a-b-", 4, 0);
  heddle_persisted();
  transact(log, table, "AB");
  return 0;
}

void heddle_recovery(void) {
  char entry[3] = {0}, content[4] = {0};
  read(open("table", O_RDONLY), content, sizeof content);
  long logged = read(open("log", O_RDONLY), entry, sizeof entry);
  char first = content[0], second = content[2];
  if (logged == 3 && entry[2] == '!') {
    first = entry[0];
    second = entry[1];
  }
  heddle_assert((first == 'a' && second == 'b') || (first == 'A' && second == 'B'));  // @whole
}
