// Files, on a disk that survives a crash: ext4 as PerSeVerE models it (Kokologiannakis, Kaysin, Raad and Vafeiadis, POPL 2021).
//
// A call does to the disk (abi/heddle_disk.h) what the kernel does, step by step, and src/persist/ext4.h says in which order the steps
// become durable. Steps are atomic accesses: writes release, reads acquire. The kernel's locks are here, too: of the directory, of
// each inode, and of the position of each open file; so two threads that write to one file behave as POSIX says.
//
//   create       JNL(i) = 0, SIZE(i) = 0, then the entry
//   an entry     FSYNC(directory) first; where data goes to the journal, after it, too
//   write        block by block: DATA, and SIZE if the file grows. A write that grows the file inside its last block first makes
//                room there: zeros, and their size (delayed allocation). Without that each SIZE is followed by FSYNC(i).
//                Where data goes to the journal, JNL(i) is 1 around a block, and FSYNC(i) comes after it
//   rename       JNL(directory) = 1, the new entry, the old one away, JNL(directory) = 0
//   truncate     zeros if the file grows, SIZE, and FSYNC(i) unless the mode is writeback
//
// After the crash there is no memory of the kernel left. So recovery finds the size on the disk, and waits for ever, which is to say that
// nothing more is explored, where a transaction is open: the file system would have taken that back.
//
// Where memory persists, and not a disk, a file is memory: it can be opened and mapped (mapped_files.cpp), and that is all.

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "heddle_disk.h"
#include "mapped_files.h"

using heddle::library::fail;
using heddle::library::Failure;

extern "C" {
// What is on the disk at first, and the sizes that the kernel knows, is filled in before the program runs.
__attribute__((section("heddle_persistent"), aligned(64))) heddle_disk_image heddle_disk;
uint32_t heddle_file_sizes[HEDDLE_DISK_INODES];
heddle_disk_options heddle_file_options;
// There is no disk: files are persistent memory.
int heddle_files_are_mapped;
// Of file_status.cpp and file_calls.cpp, if the program uses them: a name of the inode comes or goes; and the last descriptor of an open
// file is closed.
[[gnu::weak]] void heddle_count_link(int inode, int change);
[[gnu::weak]] void heddle_give_up_file_lock(const void* file, int inode);
}

namespace {

constexpr int kFirstDescriptor = 3, kMostOpen = 16;
constexpr int kDirectory = -1;  // as an inode

// What open makes. Descriptors are numbers of it, several after dup.
struct OpenFile {
  int uses;
  int inode, flags;
  uint32_t positionLock;
  uint32_t position;
};

OpenFile files[kMostOpen];
int openFiles[kMostOpen];  // by descriptor: the number of the open file and one more, or 0
uint32_t tableLock, directoryLock, inodeLocks[HEDDLE_DISK_INODES];
int inodesCreated;  // under directoryLock

class Locked {
 public:
  explicit Locked(uint32_t& lock) : lock_(lock) { heddle_lock(&lock_); }
  ~Locked() { heddle_unlock(&lock_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  uint32_t& lock_;
};

bool areMapped() { return heddle_files_are_mapped; }

const heddle_disk_options& options() {
  if (areMapped()) {
    fail(
        Failure::unsupported,
        "a file is persistent memory here, to be opened and mapped (mmap, pmem_map_file): other calls need --persistency ext4");
  }
  if (heddle_file_options.block_size == 0) {
    fail(Failure::unsupported,
         "a checked program has no files: define a stub of this function in the program, between `#ifdef __HEDDLE__` and "
         "`#endif`; or, to explore files on a disk and crashes, add --persistency ext4");
  }
  return heddle_file_options;
}
// For calls that there are in both cases.
void requireFiles() {
  if (!areMapped()) options();
}

int failed(int error) {
  if (heddle_file_options.reports_errors) fail(Failure::misuse, strerror(error));
  errno = error;
  return -1;
}

template <class T>
void put(T& where, T value) {
  __atomic_store_n(&where, value, __ATOMIC_RELEASE);
}
template <class T>
T get(T& where) {
  return __atomic_load_n(&where, __ATOMIC_ACQUIRE);
}

heddle_inode& inodeOf(int inode) { return heddle_disk.inodes[inode]; }

// ---- What waits for the disk.

enum Flush : uint32_t { kFile = 4, kFiles = 5 };  // of program/operation.h

void syncFile(int inode) { heddle_flush(&inodeOf(inode), kFile); }
void syncDirectory() { heddle_flush(heddle_disk.directory, kFile); }

bool isJournalled() { return options().journal == heddle_journal_data; }

// ---- The directory, which is flat.

const char* nameOf(const char* path) {
  while (path[0] == '.' && path[1] == '/') path += 2;
  if (*path == 0 || strchr(path, '/')) fail(Failure::unsupported, "the disk has one directory: use names without a `/`");
  return path;
}

int& entryOf(const char* path) {
  const char* const name = nameOf(path);
  heddle_note_name(name);
  return heddle_disk.directory[heddle_name_slot(name)];
}

// The inode of a name, or -1.
int find(int& entry) {
  heddle_assume_hook(get(heddle_disk.journal) == 0);
  return get(entry) - 1;
}

void setEntry(int& entry, int inode) {
  syncDirectory();
  put(entry, inode + 1);
  if (isJournalled()) syncDirectory();
}

// Who runs after a crash does not know which inodes the program has used. So it has two for itself, as has who runs after a second one.
int unusedInode() {
  constexpr int kForRecovery = 2, kForProgram = HEDDLE_DISK_INODES - 2 * kForRecovery;
  const int crashes = heddle_recovers();
  const int first = crashes == 0 ? options().files : kForProgram + (crashes - 1) * kForRecovery;
  const int end = kForProgram + crashes * kForRecovery;
  if (first + inodesCreated >= end) {
    fail(Failure::unsupported, crashes == 0 ? "there are more than 12 files" : "recovery creates more than 2 files");
  }
  return first + inodesCreated++;
}

void countLink(int inode, int change) {
  if (heddle_count_link) heddle_count_link(inode, change);
}

int create(int& entry) {
  const int inode = unusedInode();
  put(inodeOf(inode).journal, 0);
  put(inodeOf(inode).size, 0ull);
  setEntry(entry, inode);
  countLink(inode, 1);
  return inode;
}

// ---- Data. The caller has the lock of the inode.

uint32_t sizeOf(int inode) {
  return heddle_recovers() ? static_cast<uint32_t>(get(inodeOf(inode).size)) : heddle_file_sizes[inode];
}

void setSize(int inode, uint32_t from, uint32_t size) {
  if (!heddle_recovers()) heddle_file_sizes[inode] = size;
  put(inodeOf(inode).size, static_cast<unsigned long long>(from) << 32 | size);
  if (options().journal == heddle_journal_ordered && !options().delayed_allocation) syncFile(inode);
}

void putByte(int inode, uint32_t at, unsigned char byte) {
  put(inodeOf(inode).data[at], static_cast<unsigned short>(HEDDLE_DISK_WRITTEN | byte));
}

void putZeros(int inode, uint32_t begin, uint32_t end) {
  for (uint32_t at = begin; at < end; ++at) putByte(inode, at, 0);
}

void writeBlock(int inode, const unsigned char* data, uint32_t begin, uint32_t end, bool isFirstSize) {
  if (isJournalled()) put(inodeOf(inode).journal, 1);
  for (uint32_t at = begin; at < end; ++at) putByte(inode, at, data[at - begin]);
  const uint32_t size = sizeOf(inode);
  if (end > size) setSize(inode, isFirstSize ? 0 : size, end);
  if (!isJournalled()) return;
  put(inodeOf(inode).journal, 0);
  syncFile(inode);
}

void writeAt(int inode, const unsigned char* data, uint32_t position, uint32_t n) {
  const auto block = static_cast<uint32_t>(options().block_size);
  const uint32_t end = position + n, size = sizeOf(inode);
  if (position > size) putZeros(inode, size, position);
  bool isFirstSize = true;
  const bool growsLastBlock = end > size && size % block != 0 && position / block == size / block;
  if (options().journal == heddle_journal_ordered && options().delayed_allocation && growsLastBlock) {
    const uint32_t blockEnd = (size / block + 1) * block, room = end < blockEnd ? end : blockEnd;
    putZeros(inode, size, room);
    setSize(inode, 0, room);
    isFirstSize = false;
  }
  for (uint32_t at = position; at < end;) {
    const uint32_t blockEnd = (at / block + 1) * block, next = end < blockEnd ? end : blockEnd;
    const uint32_t before = sizeOf(inode);
    writeBlock(inode, data + (at - position), at, next, isFirstSize);
    if (next > before) isFirstSize = false;
    at = next;
  }
}

// Where the size has reached the disk before the data there is anything.
uint32_t readAt(int inode, unsigned char* data, uint32_t position, uint32_t n) {
  const uint32_t size = sizeOf(inode);
  const uint32_t end = position + n < size ? position + n : size;
  bool isWritten = true;
  for (uint32_t at = position; at < end; ++at) {
    const unsigned short found = get(inodeOf(inode).data[at]);
    isWritten = isWritten && (found & HEDDLE_DISK_WRITTEN);
    data[at - position] = static_cast<unsigned char>(found);
  }
  if (isJournalled()) heddle_assume_hook(get(inodeOf(inode).journal) == 0);
  if (!isWritten && !options().has_zeros) {
    fail(
        Failure::uninitialisedRead,
        "the data that is read from the file was never written: its size has reached the disk before its data. If recovery can "
        "tell that by itself, add --unwritten-data zeros");
  }
  return end > position ? end - position : 0;
}

int resize(int inode, off_t size) {
  if (size < 0) return failed(EINVAL);
  if (size > options().most_bytes) return failed(EFBIG);
  const Locked lock(inodeLocks[inode]);
  putZeros(inode, sizeOf(inode), static_cast<uint32_t>(size));
  if (!heddle_recovers()) heddle_file_sizes[inode] = static_cast<uint32_t>(size);
  put(inodeOf(inode).size, static_cast<unsigned long long>(size));
  if (options().journal != heddle_journal_writeback) syncFile(inode);
  return 0;
}

bool isEmpty(int inode) {
  const Locked lock(inodeLocks[inode]);
  return sizeOf(inode) == 0;
}

// ---- Open files.

OpenFile* fileOf(int descriptor) {
  const int place = descriptor - kFirstDescriptor;
  return place >= 0 && place < kMostOpen && openFiles[place] != 0 ? &files[openFiles[place] - 1] : nullptr;
}
bool isReadable(const OpenFile& file) { return file.inode != kDirectory && (file.flags & O_ACCMODE) != O_WRONLY; }
bool isWritable(const OpenFile& file) { return file.inode != kDirectory && (file.flags & O_ACCMODE) != O_RDONLY; }

// Leaves the position behind what was written.
ssize_t writeTo(OpenFile& file, const void* data, size_t n, off_t& position) {
  if (position < 0) return failed(EINVAL);
  const Locked lock(inodeLocks[file.inode]);
  if (file.flags & O_APPEND) position = sizeOf(file.inode);
  const auto most = static_cast<size_t>(options().most_bytes);
  if (n > most || static_cast<size_t>(position) > most - n) return failed(EFBIG);
  if (n != 0)
    writeAt(file.inode, static_cast<const unsigned char*>(data), static_cast<uint32_t>(position), static_cast<uint32_t>(n));
  if (file.flags & (O_SYNC | O_DSYNC)) syncFile(file.inode);
  position += static_cast<off_t>(n);
  return static_cast<ssize_t>(n);
}

ssize_t readFrom(OpenFile& file, void* data, size_t n, off_t position) {
  if (position < 0) return failed(EINVAL);
  const Locked lock(inodeLocks[file.inode]);
  const auto most = static_cast<size_t>(options().most_bytes);
  if (static_cast<size_t>(position) >= most) return 0;
  return readAt(file.inode, static_cast<unsigned char*>(data), static_cast<uint32_t>(position),
                static_cast<uint32_t>(n < most ? n : most));
}

// The caller has the lock of the table.
int freeDescriptor(int least) {
  for (int i = least < kFirstDescriptor ? 0 : least - kFirstDescriptor; i < kMostOpen; ++i) {
    if (openFiles[i] == 0) return i;
  }
  return -1;
}
int freeFile() {
  int i = 0;
  while (files[i].uses != 0) ++i;  // each is in use by a descriptor, so one is free where a descriptor is
  return i;
}

int descriptorFor(int inode, int flags) {
  const Locked lock(tableLock);
  const int place = freeDescriptor(0);
  if (place < 0) return failed(EMFILE);
  const int file = freeFile();
  files[file] = {.uses = 1, .inode = inode, .flags = flags, .positionLock = 0, .position = 0};
  openFiles[place] = file + 1;
  return kFirstDescriptor + place;
}

// The caller has the lock of the table.
void closeDescriptor(int place) {
  OpenFile& file = files[openFiles[place] - 1];
  openFiles[place] = 0;
  if (--file.uses == 0 && heddle_give_up_file_lock) heddle_give_up_file_lock(&file, file.inode);
}

int duplicate(int descriptor, int least) {
  const Locked lock(tableLock);
  OpenFile* const file = fileOf(descriptor);
  if (!file) return failed(EBADF);
  const int place = freeDescriptor(least);
  if (place < 0) return failed(EMFILE);
  openFiles[place] = static_cast<int>(file - files) + 1;
  ++file->uses;
  return kFirstDescriptor + place;
}

int openMapped(const char* path, int flags) {
  const unsigned place = heddle::library::mapped::placeOf(path);
  const bool isThere = heddle::library::mapped::sizeOf(place) != 0;
  if (!isThere && !(flags & O_CREAT)) return failed(ENOENT);
  if (isThere && (flags & O_CREAT) && (flags & O_EXCL)) return failed(EEXIST);
  return descriptorFor(static_cast<int>(place), flags);
}

int openFile(const char* path, int flags) {
  requireFiles();
  if (areMapped()) return openMapped(path, flags);
  if (strcmp(path, ".") == 0) {
    return (flags & O_ACCMODE) == O_RDONLY && !(flags & O_CREAT) ? descriptorFor(kDirectory, flags) : failed(EISDIR);
  }
  int& entry = entryOf(path);
  int inode = -1;
  if (flags & O_CREAT) {
    const Locked lock(directoryLock);
    inode = find(entry);
    if (inode >= 0 && (flags & O_EXCL)) return failed(EEXIST);
    if (inode < 0) inode = create(entry);
  } else {
    inode = find(entry);
    if (inode < 0) return failed(ENOENT);
  }
  if (flags & O_DIRECTORY) return failed(ENOTDIR);
  if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY && !isEmpty(inode)) resize(inode, 0);
  return descriptorFor(inode, flags);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) { return openFile(path, flags); }
int open64(const char* path, int flags, ...) { return openFile(path, flags); }
int creat(const char* path, mode_t) { return openFile(path, O_CREAT | O_WRONLY | O_TRUNC); }

// For mapped_files.cpp.
int heddle_mapped_of(int descriptor) {
  if (!areMapped()) fail(Failure::unsupported, "mmap of a file is explored where memory persists: with --persistency px86");
  const OpenFile* const file = fileOf(descriptor);
  return file ? file->inode : -1;
}

int close(int descriptor) {
  requireFiles();
  const Locked lock(tableLock);
  if (!fileOf(descriptor)) return failed(EBADF);
  closeDescriptor(descriptor - kFirstDescriptor);
  return 0;
}

ssize_t write(int descriptor, const void* data, size_t n) {
  if (descriptor == 1 || descriptor == 2) {
    heddle_check_read(data, n);
    heddle_output(static_cast<const char*>(data), n, descriptor);
    return static_cast<ssize_t>(n);
  }
  options();
  OpenFile* const file = fileOf(descriptor);
  if (!file || !isWritable(*file)) return failed(EBADF);
  const Locked lock(file->positionLock);
  off_t position = file->position;
  const ssize_t written = writeTo(*file, data, n, position);
  if (written >= 0) file->position = static_cast<uint32_t>(position);
  return written;
}
ssize_t pwrite(int descriptor, const void* data, size_t n, off_t position) {
  options();
  OpenFile* const file = fileOf(descriptor);
  if (!file || !isWritable(*file)) return failed(EBADF);
  return writeTo(*file, data, n, position);
}
ssize_t pwrite64(int descriptor, const void* data, size_t n, off64_t position) { return pwrite(descriptor, data, n, position); }

ssize_t read(int descriptor, void* data, size_t n) {
  options();
  OpenFile* const file = fileOf(descriptor);
  if (file && file->inode == kDirectory) return failed(EISDIR);
  if (!file || !isReadable(*file)) return failed(EBADF);
  const Locked lock(file->positionLock);
  const ssize_t got = readFrom(*file, data, n, file->position);
  if (got > 0) file->position += static_cast<uint32_t>(got);
  return got;
}
ssize_t pread(int descriptor, void* data, size_t n, off_t position) {
  options();
  OpenFile* const file = fileOf(descriptor);
  if (file && file->inode == kDirectory) return failed(EISDIR);
  if (!file || !isReadable(*file)) return failed(EBADF);
  return readFrom(*file, data, n, position);
}
ssize_t pread64(int descriptor, void* data, size_t n, off64_t position) { return pread(descriptor, data, n, position); }

off_t lseek(int descriptor, off_t offset, int whence) {
  options();
  OpenFile* const file = fileOf(descriptor);
  if (!file) return failed(EBADF);
  const Locked lock(file->positionLock);
  off_t base = 0;
  if (whence == SEEK_CUR) base = file->position;
  if (whence == SEEK_END && file->inode != kDirectory) {
    const Locked inode(inodeLocks[file->inode]);
    base = sizeOf(file->inode);
  }
  if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END) return failed(EINVAL);
  if (base + offset < 0) return failed(EINVAL);
  if (base + offset > INT32_MAX) return failed(EOVERFLOW);
  file->position = static_cast<uint32_t>(base + offset);
  return base + offset;
}
off64_t lseek64(int descriptor, off64_t offset, int whence) { return lseek(descriptor, offset, whence); }

int fsync(int descriptor) {
  options();
  const OpenFile* const file = fileOf(descriptor);
  if (!file) return failed(EBADF);
  if (file->inode == kDirectory) {
    const Locked lock(directoryLock);
    syncDirectory();
    return 0;
  }
  const Locked lock(inodeLocks[file->inode]);
  syncFile(file->inode);
  return 0;
}
int fdatasync(int descriptor) { return fsync(descriptor); }
void sync(void) {
  options();
  heddle_flush(&heddle_disk, kFiles);
}
int syncfs(int) { return sync(), 0; }

int ftruncate(int descriptor, off_t size) {
  requireFiles();
  OpenFile* const file = fileOf(descriptor);
  if (!file) return failed(EBADF);
  if (!isWritable(*file) || size < 0) return failed(EINVAL);
  if (!areMapped()) return resize(file->inode, size);
  heddle::library::mapped::setSize(static_cast<unsigned>(file->inode), static_cast<uint64_t>(size));
  return 0;
}
int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }
int truncate(const char* path, off_t size) {
  options();
  const int inode = find(entryOf(path));
  return inode < 0 ? failed(ENOENT) : resize(inode, size);
}
int truncate64(const char* path, off64_t size) { return truncate(path, size); }

int link(const char* from, const char* to) {
  options();
  int &old = entryOf(from), &entry = entryOf(to);
  const Locked lock(directoryLock);
  const int inode = find(old);
  if (inode < 0) return failed(ENOENT);
  if (find(entry) >= 0) return failed(EEXIST);
  setEntry(entry, inode);
  countLink(inode, 1);
  return 0;
}
int unlink(const char* path) {
  options();
  int& entry = entryOf(path);
  const Locked lock(directoryLock);
  const int inode = find(entry);
  if (inode < 0) return failed(ENOENT);
  setEntry(entry, -1);
  countLink(inode, -1);
  return 0;
}
int remove(const char* path) { return unlink(path); }
int rename(const char* from, const char* to) {
  options();
  int &old = entryOf(from), &entry = entryOf(to);
  const Locked lock(directoryLock);
  const int inode = find(old);
  if (inode < 0) return failed(ENOENT);
  const int replaced = find(entry);
  if (&old == &entry || replaced == inode) return 0;  // two names of one file stay
  syncDirectory();
  put(heddle_disk.journal, 1);
  put(entry, inode + 1);
  put(old, 0);
  put(heddle_disk.journal, 0);
  if (isJournalled()) syncDirectory();
  if (replaced >= 0) countLink(replaced, -1);
  return 0;
}

int access(const char* path, int) {
  options();
  return find(entryOf(path)) < 0 ? failed(ENOENT) : 0;
}

// For file_status.cpp and file_calls.cpp.
int heddle_fill_status(int inode, struct stat* result) {
  memset(result, 0, sizeof *result);
  if (inode == kDirectory) {
    result->st_mode = S_IFDIR | 0755;
    result->st_blksize = options().block_size;
    return 0;
  }
  result->st_mode = S_IFREG | 0644;
  if (areMapped()) {
    result->st_size = heddle::library::mapped::sizeOf(static_cast<unsigned>(inode));
    return 0;
  }
  const Locked lock(inodeLocks[inode]);
  result->st_ino = static_cast<ino_t>(inode + 1);
  result->st_size = sizeOf(inode);
  result->st_blksize = options().block_size;
  return 0;
}
int heddle_inode_of(int descriptor, int* inode) {
  requireFiles();
  const OpenFile* const file = fileOf(descriptor);
  if (!file) return failed(EBADF);
  *inode = file->inode;
  return 0;
}
int heddle_inode_of_path(const char* path, int* inode) {
  options();
  *inode = strcmp(path, ".") == 0 ? kDirectory : find(entryOf(path));
  return *inode == kDirectory && strcmp(path, ".") != 0 ? failed(ENOENT) : 0;
}
int heddle_files_at_first() { return heddle_file_options.files; }
// The open file of a descriptor, and the flags that it was opened with; or null.
const void* heddle_open_file(int descriptor, int** flags) {
  requireFiles();
  OpenFile* const file = fileOf(descriptor);
  if (!file) return failed(EBADF), nullptr;
  if (flags) *flags = &file->flags;
  return file;
}
int heddle_duplicate(int descriptor, int least) {
  requireFiles();
  return duplicate(descriptor, least);
}
// The other descriptor, which is closed first.
int heddle_duplicate_as(int descriptor, int other) {
  requireFiles();
  const int place = other - kFirstDescriptor;
  const Locked lock(tableLock);
  OpenFile* const file = fileOf(descriptor);
  if (!file || place < 0 || place >= kMostOpen) return failed(EBADF);
  if (descriptor == other) return other;
  if (openFiles[place] != 0) closeDescriptor(place);
  openFiles[place] = static_cast<int>(file - files) + 1;
  ++file->uses;
  return other;
}
// An error number, or 0. What is new is zeros.
int heddle_grow(int descriptor, off_t begin, off_t n) {
  options();
  const OpenFile* const file = fileOf(descriptor);
  if (!file || !isWritable(*file)) return EBADF;
  if (begin < 0 || n <= 0) return EINVAL;
  if (begin > options().most_bytes || n > options().most_bytes - begin) return EFBIG;
  const Locked lock(inodeLocks[file->inode]);
  const uint32_t size = sizeOf(file->inode), end = static_cast<uint32_t>(begin + n);
  if (end <= size) return 0;
  static const unsigned char kZeros[HEDDLE_DISK_FILE] = {};
  writeAt(file->inode, kZeros, size, end - size);
  return 0;
}

}  // extern "C"
