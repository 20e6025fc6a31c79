//! rc20: verified flags="--persistency ext4"
//! rc20: verified flags="--persistency ext4 -- -DWITHOUT=1"
//! rc20: error=recovery line=@whole flags="--persistency ext4 -- -DWITHOUT=2"
//! rc20: verified flags="--persistency ext4 -- -DWITHOUT=3"
//! rc20: error=recovery line=@whole flags="--persistency ext4 -- -DWITHOUT=4"
//! rc20: error=recovery line=@committed flags="--persistency ext4 -- -DWITHOUT=5"
//
// How SQLite commits with a rollback journal (sqlite.org/atomiccommit.html), as a database of two pages of two bytes.
//
//   begin     the old pages go to a journal, which is synced; then the number of pages in it goes to its header, which is synced,
//             too; and so is the directory, in which the journal is new
//   change    the pages are overwritten in the database, which is synced
//   commit    the journal is deleted, and the directory synced: from then on the change is there to stay
//
// A journal that recovery finds, with a header that is not zero, is hot: the pages in it are those of the database. Pages have a checksum in the
// journal, so that a torn one is not taken for a page.
//
// WITHOUT=N leaves out one of the syncs: 1 that of the pages in the journal, 2 that of its header, 3 that of the directory before the change, 4
// that of the database, 5 that of the directory after the commit. Two are not needed here: where pages have checksums the sync of the header does
// for both, and to sync a new file on ext4 makes its entry durable as well.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <string.h>
#include <unistd.h>

#ifndef WITHOUT
#define WITHOUT 0
#endif

enum { page_size = 2, pages = 2, header = 2, record_size = 4 };

typedef struct {
  char content[pages][page_size];
} database;

static void sync_file(int number, int file) {
  if (number != WITHOUT) fsync(file);
}

static void sync_directory(int number) {
  int directory = open(".", O_RDONLY);
  sync_file(number, directory);
  close(directory);
}

static char checksum(const char *page, int number) { return (char)(page[0] * 3 + page[1] * 5 + number + 1); }

// ---- Before the crash.

static void begin(const database *old) {
  int journal = open("db-journal", O_CREAT | O_EXCL | O_WRONLY, 0644);
  for (int number = 0; number < pages; ++number) {
    char record[record_size] = {(char)number, old->content[number][0], old->content[number][1],
                                checksum(old->content[number], number)};
    pwrite(journal, record, record_size, header + number * record_size);
  }
  sync_file(1, journal);
  char count = pages;
  pwrite(journal, &count, 1, 0);
  sync_file(2, journal);
  close(journal);
  sync_directory(3);
}

static void change(const database *next) {
  int file = open("db", O_WRONLY);
  for (int number = 0; number < pages; ++number) pwrite(file, next->content[number], page_size, number * page_size);
  sync_file(4, file);
  close(file);
}

static void commit(void) {
  unlink("db-journal");
  sync_directory(5);
}

static const database first = {{"ab", "cd"}}, second = {{"AB", "CD"}};

int main(void) {
  int file = open("db", O_CREAT | O_WRONLY, 0644);
  write(file, first.content, sizeof first.content);
  close(file);
  int screen = open("screen", O_CREAT | O_WRONLY, 0644);
  pwrite(screen, "-", 1, 0);
  heddle_persisted();
  begin(&first);
  change(&second);
  commit();
  pwrite(screen, "!", 1, 0);  // the user is told
  return 0;
}

// ---- After it.

static void roll_back(int journal, database *state) {
  char count = 0, record[record_size];
  if (pread(journal, &count, 1, 0) != 1 || count == 0) return;
  for (int i = 0; i < count; ++i) {
    if (pread(journal, record, record_size, header + i * record_size) != record_size) return;
    if (record[3] != checksum(&record[1], record[0])) return;
    memcpy(state->content[(int)record[0]], &record[1], page_size);
  }
}

void heddle_recovery(void) {
  database state;
  char screen = 0;
  read(open("screen", O_RDONLY), &screen, 1);
  int file = open("db", O_RDONLY);
  heddle_assert(read(file, state.content, sizeof state.content) == sizeof state.content);
  int journal = open("db-journal", O_RDONLY);
  if (journal >= 0) roll_back(journal, &state);
  int is_first = memcmp(&state, &first, sizeof state) == 0, is_second = memcmp(&state, &second, sizeof state) == 0;
  heddle_assert(is_first || is_second);       // @whole
  heddle_assert(screen != '!' || is_second);  // @committed
}
