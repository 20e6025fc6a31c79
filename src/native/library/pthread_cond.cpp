// Condition variables of pthreads; std::condition_variable and C11's cnd_t are made of them.
//
// The object has one atomic word, the set of threads that wait, which the explorer knows as a lock (heddle_lock_join and so on).
// To wait is to join the set, to release the mutex, to park (parking.h), and to take the mutex again. To signal is to
// take one thread out of the set, any one of them, and wake it; to broadcast is to empty the set and wake them all. So
// a signal wakes exactly one of those that wait at that moment, a signal that finds nobody is lost, and a thread that
// has been woken does not touch the object any more, which may be destroyed by then. Who contends for the object waits
// its turn: that gives no blocked execution.
//
// A word has no room for all threads of a program that has many. There the set is plain memory, and the word is a lock of it.
//
// Spurious wake-ups are explored unless they are switched off: the thread takes itself out of the set. A thread that
// wakes up so, changes nothing, and waits again in the same place (wait_loops.h says when that is) does not wake up
// spuriously from that wait: it does nothing then that it would not do if it had not woken up the first time. If it has
// changed something, it does. As that might go on for ever, only so many in a row in one loop are explored
// (heddle_spurious_wakeups), and four times as many in one place, and if there could be more the verdict says so. In a
// row: as long as no wait of the thread ends by a signal.
//
// Whether a thread is asleep or awake with nothing to do makes no difference to others, but for who tries to take the
// mutex, or another that the thread takes meanwhile, without waiting, and fails while the thread has a look. If there is such
// an attempt the verdict says that more wake-ups would be possible (heddle_note_idle).
//
// Timeouts are the same with another result, and any number of them.

#include <errno.h>
#include <pthread.h>

#include "clock.h"
#include "failure.h"
#include "holdings.h"
#include "live.h"
#include "parking.h"

using heddle::library::fail;
using heddle::library::Failure;
using heddle::library::threadClock;
using heddle::library::ThreadSet;

namespace {

constexpr unsigned kDestroyed = 0xdead;

// What the running thread has done at condition variables.
struct Wakeups {
  static constexpr unsigned kRows = 16;
  struct Row {
    const pthread_cond_t* condition;
    uint32_t site;
    uint16_t inLoop, all;
  };
  // The last wait, if it ended spuriously: where it began and where it ended, in the thread's events.
  const pthread_cond_t* condition;
  const void* mutex;
  uint32_t site, began, ended;
  uint32_t again;   // what the loop says: kFirst, kSame, kOther
  uint32_t used;    // rows
  Row rows[kRows];  // spurious wake-ups since a wait ended otherwise
};
__thread Wakeups wakeups;
enum : uint32_t { kFirst, kSame, kOther, kNotSame };  // wait_loops.h

uint64_t* waiters(pthread_cond_t* condition) { return reinterpret_cast<uint64_t*>(condition); }

// The last word of glibc's layout, in which nothing is kept here but that the object is initialised or destroyed.
unsigned& mark(pthread_cond_t* condition) { return reinterpret_cast<unsigned*>(condition)[11]; }

void checkAlive(pthread_cond_t* condition) {
  if (mark(condition) == kDestroyed) fail(Failure::misuse, "use of a condition variable that has been destroyed");
}

// In the set; bit 0 of the word is the explorer's.
uint64_t self() { return uint64_t{2} << heddle_self(); }

void wakeThose(uint64_t members) {
  for (uint64_t rest = members >> 1; rest != 0; rest &= rest - 1) {
    heddle::library::wake(static_cast<uint32_t>(__builtin_ctzll(rest)));
  }
}

// Where there are many threads: the set, and the operations on it.
struct LargeSet {
  uint32_t lock;
  uint32_t unused;
  ThreadSet waiting;
};
static_assert(sizeof(LargeSet) <= 11 * sizeof(unsigned));

LargeSet& largeSet(pthread_cond_t* condition) { return *reinterpret_cast<LargeSet*>(condition); }

void joinLarge(LargeSet& set) {
  heddle_lock(&set.lock);
  set.waiting.insert(heddle_self());
  heddle_unlock(&set.lock);
}

void leaveLarge(LargeSet& set) {
  heddle_lock(&set.lock);
  heddle_assume_hook(set.waiting.contains(heddle_self()));
  set.waiting.erase(heddle_self());
  heddle_unlock(&set.lock);
}

void wakeOneOf(LargeSet& set) {
  heddle_lock(&set.lock);
  const uint32_t count = set.waiting.size();
  const uint32_t thread = count == 0 ? 0 : set.waiting.at(count == 1 ? 0 : heddle_choose_hook(count));
  if (count != 0) set.waiting.erase(thread);
  heddle_unlock(&set.lock);
  if (count != 0) heddle::library::wake(thread);
}

void wakeAllOf(LargeSet& set) {
  heddle_lock(&set.lock);
  const ThreadSet members = set.waiting;
  set.waiting.erase(members);
  heddle_unlock(&set.lock);
  heddle::library::wakeAll(members);
}

void join(pthread_cond_t* condition) {
  if (heddle_has_many_threads()) {
    joinLarge(largeSet(condition));
  } else {
    heddle_take(waiters(condition), heddle_lock_join, self(), 0);
  }
}

bool isEmpty(pthread_cond_t* condition) {
  return heddle_has_many_threads() ? largeSet(condition).waiting.size() == 0 : *waiters(condition) == 0;
}

// The result is that of unlocking: a mutex that the thread does not hold is an error, or an error code.
int enter(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  checkAlive(condition);
  if (heddle::library::holdings.find(mutex)) join(condition);
  return pthread_mutex_unlock(mutex);
}

// Wakes up by itself, unless it has been signalled: another execution shows that.
void leave(pthread_cond_t* condition) {
  if (heddle_has_many_threads()) {
    leaveLarge(largeSet(condition));
  } else {
    heddle_take(waiters(condition), heddle_lock_leave, self(), 1);
  }
}

enum Wakening : uint64_t { kSignalled, kSpurious, kTimeout };

// How often the thread has woken up spuriously in this place, in a row. Null if there are too many places to know.
Wakeups::Row* rowOf(const pthread_cond_t* condition, uint32_t site) {
  for (uint32_t i = 0; i < wakeups.used; ++i) {
    Wakeups::Row& row = wakeups.rows[i];
    if (row.condition == condition && row.site == site) return &row;
  }
  if (wakeups.used == Wakeups::kRows) return nullptr;
  Wakeups::Row& row = wakeups.rows[wakeups.used++];
  row = {condition, site, 0, 0};
  return &row;
}

// Has the thread done nothing that matters since it began to wait? To look at the clock does not, though it moves.
bool isIdle(const pthread_cond_t* condition) {
  using heddle::library::holdings;
  const size_t inMemory = heddle_has_many_threads() ? sizeof(LargeSet) : 0;
  return heddle_is_idle(wakeups.began, wakeups.ended, &wakeups, sizeof wakeups, &threadClock, sizeof threadClock, &holdings,
                        sizeof holdings, condition, inMemory) != 0;
}

// May the wait that begins end spuriously? `mutex`: or another lock that the thread lets go of.
bool mayWakeUp(const pthread_cond_t* condition, const void* mutex, bool isMutex = true) {
  if (heddle_spurious_wakeups == 0) return false;
  const uint32_t again = wakeups.again;
  if (again != kFirst) heddle_wait_again(kFirst);
  const uint32_t site = heddle_site();
  if (again == kSame && wakeups.condition == condition && wakeups.mutex == mutex && wakeups.site == site && isIdle(condition)) {
    heddle_note_idle(isMutex ? mutex : nullptr);
    return false;
  }
  wakeups.began = heddle_position();
  if (wakeups.used == 0) return true;
  Wakeups::Row* const row = rowOf(condition, site);
  if (row && again == kFirst && row->inLoop != 0) row->inLoop = 0;
  if (row && row->inLoop < heddle_spurious_wakeups && row->all < 4 * heddle_spurious_wakeups) return true;
  heddle_cut_wakeups();
  return false;
}

// The mutex is taken again, and the wait is over.
void noteEnd(Wakening wakening, const pthread_cond_t* condition, const void* mutex) {
  if (wakening != kSpurious) {
    if (wakeups.condition != nullptr) wakeups.condition = nullptr;
    if (wakening == kSignalled && wakeups.used != 0) wakeups.used = 0;
    return;
  }
  const uint32_t site = heddle_site();
  if (Wakeups::Row* const row = rowOf(condition, site)) ++row->inLoop, ++row->all;
  wakeups.condition = condition;
  wakeups.mutex = mutex;
  wakeups.site = site;
  wakeups.ended = heddle_position();
}

// Which of the ways to wake up it is: the first, spuriously if that is possible, and then by timeout.
Wakening choose(bool spurious, bool timed) {
  const uint64_t ways = 1u + spurious + timed;
  const uint64_t way = ways == 1 ? 0 : heddle_choose_wakening(ways, spurious);
  return static_cast<Wakening>(way == 1 && !spurious ? uint64_t{kTimeout} : way);
}

// The thread is in the set, and has let go of its mutex. `deadline`: null for none.
Wakening sleep(pthread_cond_t* condition, bool spurious, const timespec* deadline) {
  const Wakening wakening = choose(spurious, deadline != nullptr);
  if (wakening != kSignalled) {
    leave(condition);
  } else if (deadline) {
    heddle::library::parkOrNever();
  } else {
    heddle::library::park(condition);
  }
  if (deadline) heddle::library::tellClock(*deadline, wakening == kTimeout);
  return wakening;
}

int timedWait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  if (!heddle::library::isTime(*deadline)) return EINVAL;
  const bool spurious = mayWakeUp(condition, mutex);
  if (const int result = enter(condition, mutex)) return result;
  const Wakening wakening = sleep(condition, spurious, deadline);
  pthread_mutex_lock(mutex);
  noteEnd(wakening, condition, mutex);
  return wakening == kTimeout ? ETIMEDOUT : 0;
}

}  // namespace

extern "C" {

int heddle_spurious_wakeups = 2;

// A loop is about to wait.
[[gnu::noinline]] void heddle_wait_again(uint32_t again) {
  if (again == kNotSame) again = wakeups.again == kSame ? uint32_t{kOther} : wakeups.again;
  if (wakeups.again != again) wakeups.again = again;
}

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t*) {
  heddle::library::checkNotLive(mark(condition), "initialisation of a condition variable that has not been destroyed");
  *condition = pthread_cond_t{};
  mark(condition) = heddle::library::kLive;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t* condition) {
  checkAlive(condition);
  if (!isEmpty(condition)) fail(Failure::destroyInUse, "destruction of a condition variable that a thread waits at");
  *waiters(condition) = 0;
  mark(condition) = kDestroyed;
  return 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  const bool spurious = mayWakeUp(condition, mutex);
  if (const int result = enter(condition, mutex)) return result;
  const Wakening wakening = sleep(condition, spurious, nullptr);
  pthread_mutex_lock(mutex);
  noteEnd(wakening, condition, mutex);
  return 0;
}

// The parts of a wait with any kind of lock: std::condition_variable_any (src/native/overlay). The thread joins those
// that wait, lets go of the lock, sleeps, takes the lock again, and says so.
int heddle_join_waiting(pthread_cond_t* condition, const void* lock) {
  const bool spurious = mayWakeUp(condition, lock, false);
  checkAlive(condition);
  join(condition);
  return spurious;
}

int heddle_sleep(pthread_cond_t* condition, int spurious, const timespec* deadline) {
  return sleep(condition, spurious != 0, deadline);
}

void heddle_note_woken(pthread_cond_t* condition, const void* lock, int wakening) {
  noteEnd(static_cast<Wakening>(wakening), condition, lock);
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  return timedWait(condition, mutex, deadline);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t, const timespec* deadline) {
  return timedWait(condition, mutex, deadline);
}

int pthread_cond_signal(pthread_cond_t* condition) {
  checkAlive(condition);
  if (heddle_has_many_threads()) {
    wakeOneOf(largeSet(condition));
    return 0;
  }
  const uint64_t waiting = heddle_take(waiters(condition), heddle_lock_wakeOne, 0, 0);
  if (waiting == 0) return 0;
  uint64_t rest = waiting;
  const auto count = static_cast<uint64_t>(__builtin_popcountll(waiting));
  if (count > 1) {
    for (uint64_t skip = heddle_choose_hook(count); skip != 0; --skip) rest &= rest - 1;
    // An update, so that whoever takes the next one still acquires what those that wait have released.
    __atomic_fetch_and(waiters(condition), ~((rest & -rest) | 1), __ATOMIC_RELAXED);
  }
  wakeThose(rest & -rest);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) {
  checkAlive(condition);
  if (heddle_has_many_threads()) {
    wakeAllOf(largeSet(condition));
  } else {
    wakeThose(heddle_take(waiters(condition), heddle_lock_wakeAll, 0, 0));
  }
  return 0;
}

int pthread_condattr_init(pthread_condattr_t* attributes) {
  *attributes = pthread_condattr_t{};
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t*) { return 0; }
int pthread_condattr_setclock(pthread_condattr_t*, clockid_t) { return 0; }
int pthread_condattr_setpshared(pthread_condattr_t*, int) { return 0; }

}  // extern "C"
