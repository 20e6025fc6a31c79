//! rc20: verified executions=4 blocked=0 flags="--persistency ext4 -- -DMP"
//! rc20: error=recovery line=@error flags="--persistency ext4 -- -DMP -DASSERT"
//! rc20: verified executions=3 blocked=0 flags="--persistency ext4 -- -DMP_FSYNC"
//! rc20: verified executions=3 flags="--persistency ext4 -- -DMP_FSYNC -DASSERT"
//! rc20: verified executions=3 blocked=0 flags="--persistency ext4 -- -DMP_O_SYNC"
//! rc20: verified executions=3 flags="--persistency ext4 -- -DMP_O_SYNC -DASSERT"
//! rc20: verified executions=4 blocked=0 flags="--persistency ext4 -- -DOWR_OOO"
//! rc20: error=recovery line=@error-2 flags="--persistency ext4 -- -DOWR_OOO -DASSERT"
//! rc20: verified executions=3 blocked=0 flags="--persistency ext4 -- -DOWR_NA"
//! rc20: error=recovery line=@error-3 flags="--persistency ext4 -- -DOWR_NA -DASSERT"
//! rc20: verified executions=2 blocked=3 flags="--persistency ext4 --journal journal -- -DOWR_NA"
//! rc20: verified executions=2 flags="--persistency ext4 --journal journal -- -DOWR_NA -DASSERT"
//! rc20: verified executions=6 blocked=0 flags="--persistency ext4 -- -DOWR_SBL"
//! rc20: verified executions=6 flags="--persistency ext4 -- -DOWR_SBL -DASSERT"
//! rc20: verified executions=6 blocked=0 flags="--persistency ext4 -- -DOWR_SBL_21"
//! rc20: error=recovery line=@error-4 flags="--persistency ext4 -- -DOWR_SBL_21 -DASSERT"
//! rc20: verified executions=2 blocked=0 flags="--persistency ext4 -- -DAPP_SBL"
//! rc20: verified executions=2 flags="--persistency ext4 -- -DAPP_SBL -DASSERT"
//! rc20: verified executions=4 blocked=0 flags="--persistency ext4 --journal writeback --unwritten-data zeros -- -DAPP_SBL"
//! rc20: error=recovery line=@error-5 text="was never written" flags="--persistency ext4 --journal writeback -- -DAPP_SBL"
//! rc20: error=recovery line=@error-6 flags="--persistency ext4 --journal writeback --unwritten-data zeros -- -DAPP_SBL -DASSERT"
//! rc20: verified executions=3 blocked=0 flags="--persistency ext4 -- -DAPP_SFL"
//! rc20: verified executions=3 flags="--persistency ext4 -- -DAPP_SFL -DASSERT"
//! rc20: verified executions=13 blocked=0 flags="--persistency ext4 --journal writeback --unwritten-data zeros -- -DAPP_SFL"
//! rc20: error=recovery line=@error-5 text="was never written" flags="--persistency ext4 --journal writeback -- -DAPP_SFL"
//! rc20: error=recovery line=@error-7 flags="--persistency ext4 --journal writeback --unwritten-data zeros -- -DAPP_SFL -DASSERT"
//! rc20: verified executions=3 blocked=0 flags="--persistency ext4 -- -DAPP_NA"
//! rc20: error=recovery line=@error-8 flags="--persistency ext4 -- -DAPP_NA -DASSERT"
//! rc20: verified executions=5 blocked=0 flags="--persistency ext4 -- -DAPP_MBL"
//! rc20: error=recovery line=@error-9 flags="--persistency ext4 -- -DAPP_MBL -DASSERT"
//! rc20: verified executions=3 blocked=0 flags="--persistency ext4 --no-delayed-allocation -- -DAPP_MBL"
//! rc20: verified executions=3 flags="--persistency ext4 --no-delayed-allocation -- -DAPP_MBL -DASSERT"
//! rc20: verified executions=4 blocked=0 flags="--persistency ext4 -- -DAPP_MFL"
//! rc20: error=recovery line=@error-10 flags="--persistency ext4 -- -DAPP_MFL -DASSERT"
//! rc20: verified executions=3 blocked=6 flags="--persistency ext4 --journal journal -- -DAPP_MFL"
//! rc20: verified executions=3 flags="--persistency ext4 --journal journal -- -DAPP_MFL -DASSERT"
//! rc20: verified executions=4 blocked=0 flags="--persistency ext4 -- -DOWRAPP"
//! rc20: verified executions=4 flags="--persistency ext4 -- -DOWRAPP -DASSERT"
//! rc20: verified executions=3 blocked=0 flags="--persistency ext4 -- -DCRAPP"
//! rc20: verified executions=3 flags="--persistency ext4 -- -DCRAPP -DASSERT"
//! rc20: verified executions=6 blocked=0 flags="--persistency ext4 -- -DCROWR"
//! rc20: error=recovery line=@error-11 flags="--persistency ext4 -- -DCROWR -DASSERT"
//! rc20: verified executions=3 blocked=3 flags="--persistency ext4 --journal journal -- -DCROWR"
//! rc20: verified executions=3 flags="--persistency ext4 --journal journal -- -DCROWR -DASSERT"
//! rc20: verified executions=2 blocked=1 flags="--persistency ext4 -- -DRNM_AT"
//! rc20: verified executions=2 flags="--persistency ext4 -- -DRNM_AT -DASSERT"
//! rc20: verified executions=3 blocked=2 flags="--persistency ext4 -- -DRNM_AT_2"
//! rc20: verified executions=3 flags="--persistency ext4 -- -DRNM_AT_2 -DASSERT"
//! rc20: verified executions=4 blocked=1 flags="--persistency ext4 -- -DRVR_AT"
//! rc20: error=recovery line=@error-12 flags="--persistency ext4 -- -DRVR_AT -DASSERT"
// ext4, one thread: what can be seen after a crash, and how many recoveries there are, of which some wait for a transaction that is open.
// What is made before the steps has persisted.
#include <fcntl.h>
#include <heddle/heddle.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void put_with(const char *name, int flags, int at, const char *text) {
  int file = open(name, O_WRONLY | flags);
  pwrite(file, text, strlen(text), at);
  close(file);
}
static inline void put(const char *name, int at, const char *text) { put_with(name, 0, at, text); }
static inline void append(const char *name, const char *text) {
  int file = open(name, O_WRONLY | O_APPEND);
  write(file, text, strlen(text));
  close(file);
}
static inline void make(const char *name, const char *text) {
  int file = open(name, O_CREAT | O_WRONLY, 0644);
  if (*text) write(file, text, strlen(text));
  close(file);
}
static inline void sync_file(const char *name) {
  int file = open(name, O_WRONLY);
  fsync(file);
  close(file);
}

int main(void) {
#if defined MP
  make("x", "0");
  make("y", "0");
#elif defined MP_FSYNC
  make("x", "0");
  make("y", "0");
#elif defined MP_O_SYNC
  make("x", "0");
  make("y", "0");
#elif defined OWR_OOO
  make("f", "0000");
#elif defined OWR_NA
  make("f", "00");
#elif defined OWR_SBL
#elif defined OWR_SBL_21
#elif defined APP_SBL
  make("f", "00");
#elif defined APP_SFL
  make("f", "00");
#elif defined APP_NA
  make("f", "00");
#elif defined APP_MBL
  make("f", "000");
#elif defined APP_MFL
  make("f", "00");
  make("g", "00");
#elif defined OWRAPP
  make("f", "00");
#elif defined CRAPP
  make("f", "00");
#elif defined CROWR
  make("f", "00");
#elif defined RNM_AT
  make("f", "0");
#elif defined RNM_AT_2
  make("f", "0");
#elif defined RVR_AT
#endif
#if !defined OWR_SBL && !defined OWR_SBL_21 && !defined RVR_AT
  heddle_persisted();
#endif
#if defined MP
  put("x", 0, "1");
  put("y", 0, "1");
#elif defined MP_FSYNC
  put("x", 0, "1");
  sync_file("x");
  put("y", 0, "1");
#elif defined MP_O_SYNC
  put_with("x", O_SYNC, 0, "1");
  put("y", 0, "1");
#elif defined OWR_OOO
  put("f", 0, "1");
  put("f", 2, "1");
#elif defined OWR_NA
  put("f", 0, "11");
#elif defined OWR_SBL
  make("f", "11");
  put("f", 0, "22");
#elif defined OWR_SBL_21
  make("f", "11");
  put("f", 0, "22");
#elif defined APP_SBL
  append("f", "11");
#elif defined APP_SFL
  append("f", "11");
  append("f", "22");
#elif defined APP_NA
  append("f", "1122");
#elif defined APP_MBL
  append("f", "12");
#elif defined APP_MFL
  append("f", "1");
  append("g", "1");
#elif defined OWRAPP
  put("f", 0, "1122");
#elif defined CRAPP
  make("g", "");
  append("f", "1");
#elif defined CROWR
  make("g", "");
  put("f", 0, "11");
#elif defined RNM_AT
  rename("f", "g");
#elif defined RNM_AT_2
  rename("f", "g");
  rename("g", "h");
#elif defined RVR_AT
  make("f", "1");
  rename("f", "g");
#endif
  return 0;
}

static char found[16];
static int size, exists_;
static inline void load(const char *name) {
  memset(found, 0, sizeof found);
  int file = open(name, O_RDONLY);
  exists_ = file >= 0;
  size = exists_ ? (int)read(file, found, sizeof found) : 0;  // @error-5
}
static inline int byte(const char *name, int at) {
  load(name);
  return found[at];
}

#ifdef ASSERT
#define BAD(...) heddle_assert(!(__VA_ARGS__))
#else
#define BAD(...) (void)(__VA_ARGS__)
#endif

void heddle_recovery(void) {
#if defined MP
  int x = byte("x", 0), y = byte("y", 0);
  BAD(y == '1' && x == '0');  // @error
#elif defined MP_FSYNC
  int x = byte("x", 0), y = byte("y", 0);
  BAD(y == '1' && x == '0');
#elif defined MP_O_SYNC
  int x = byte("x", 0), y = byte("y", 0);
  BAD(y == '1' && x == '0');
#elif defined OWR_OOO
  load("f");
  BAD(found[2] == '1' && found[0] == '0');  // @error-2
#elif defined OWR_NA
  load("f");
  BAD(found[0] != found[1]);  // @error-3
#elif defined OWR_SBL
  load("f");
  BAD(size == 2 && found[0] == '1' && found[1] == '2');
#elif defined OWR_SBL_21
  load("f");
  BAD(size == 2 && found[0] == '2' && found[1] == '1');  // @error-4
#elif defined APP_SBL
  load("f");
  BAD(size == 4 && found[2] != '1');  // @error-6
#elif defined APP_SFL
  load("f");
  BAD(size == 6 && found[2] != '1');  // @error-7
#elif defined APP_NA
  load("f");
  BAD(size == 4);  // @error-8
#elif defined APP_MBL
  load("f");
  BAD(size == 4 && found[3] == 0);  // @error-9
#elif defined APP_MFL
  load("f");
  int first = size;
  load("g");
  BAD(size == 3 && first == 2);  // @error-10
#elif defined OWRAPP
  load("f");
  BAD(size == 4 && found[0] == '0');
#elif defined CRAPP
  load("f");
  int exists = access("g", 0) == 0;
  BAD(size == 3 && !exists);
#elif defined CROWR
  load("f");
  int exists = access("g", 0) == 0;
  BAD(found[0] == '1' && !exists);  // @error-11
#elif defined RNM_AT
  int names = (access("f", 0) == 0) + (access("g", 0) == 0);
  BAD(names != 1);
#elif defined RNM_AT_2
  int names = (access("f", 0) == 0) + (access("g", 0) == 0) + (access("h", 0) == 0);
  BAD(names != 1);
#elif defined RVR_AT
  load("g");
  BAD(exists_ && size == 0);  // @error-12
#endif
}
