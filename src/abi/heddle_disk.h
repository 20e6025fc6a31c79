/* The disk of a checked program: what of its files survives a crash (docs/persistency.md).
 *
 * Plain C, because both sides know it: the models of file calls (src/native/library/files.cpp) access it atomically, and the
 * persistency model (src/persist/ext4.h) tells by an address what is there.
 *
 *     data[n]     DATA(i, n)   the bytes of the file, each with HEDDLE_DISK_WRITTEN; 0: nothing has been written there
 *     size        SIZE(i)      its size: the low half. The high half: from which byte on the data goes with it
 *     journal     JNL(i)       1 while a transaction is open
 *     directory   DIR(name)    a number for each name: that of an inode and one more, or 0 for none
 */
#pragma once

#define HEDDLE_DISK_INODES 16
#define HEDDLE_DISK_NAMES 256
#define HEDDLE_DISK_FILE 256 /* bytes of a file, at most */
#define HEDDLE_DISK_WRITTEN 0x100

struct heddle_inode {
  unsigned short data[HEDDLE_DISK_FILE];
  unsigned long long size;
  int journal;
};

struct heddle_disk_image {
  struct heddle_inode inodes[HEDDLE_DISK_INODES];
  int directory[HEDDLE_DISK_NAMES];
  int journal; /* of the directory */
};

/* How the file system works. */
enum heddle_journal_mode { heddle_journal_ordered, heddle_journal_writeback, heddle_journal_data };
struct heddle_disk_options {
  int journal; /* a heddle_journal_mode */
  int delayed_allocation;
  int block_size;
  int most_bytes;     /* of a file */
  int files;          /* that are there at first: the first so many inodes */
  int reports_errors; /* calls that fail end the run */
  int has_zeros;      /* where nothing has been written: to read there is no error */
};

/* The place of a name in the directory. Two names that have the same one cannot be told apart, which is noticed. */
static inline unsigned heddle_name_slot(const char* name) {
  unsigned hash = 2166136261u;
  for (; *name; ++name) hash = (hash ^ (unsigned char)*name) * 16777619u;
  return (hash ^ (hash >> 16)) % HEDDLE_DISK_NAMES;
}
