//! rc20: error=assertion-failure line=@shown
//! rc20: error=assertion-failure line=@shown flags="-- -DOTHER"
//! rc20: verified executions=5 blocked=0 flags="--no-spurious"
//! rc20: verified executions=39 blocked=0 flags="-- -DNOTHING"
//! rc20: bounded flags="-- -DTRY"
// After each wake-up a thread changes something, gives the mutex back for a moment, and takes the change back. So it has changed
// nothing in the end, but others have seen it, once for each wake-up. OTHER: all of that under another mutex. NOTHING: it only
// gives the mutex back. TRY: it takes another mutex, and somebody tries to take that.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready, shown;

#ifdef OTHER
#define LOOK &other
#else
#define LOOK &mutex
#endif

static void *waits(void *unused) {
  pthread_mutex_lock(&mutex);
  while (!ready) {
    pthread_cond_wait(&condition, &mutex);
#if defined NOTHING
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
#elif defined TRY
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
#else
#ifdef OTHER
    pthread_mutex_lock(&other);
#endif
    shown = 1;
    pthread_mutex_unlock(LOOK);
    pthread_mutex_lock(LOOK);
    shown = 0;
#ifdef OTHER
    pthread_mutex_unlock(&other);
#endif
#endif
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}

static int look(void) {
#ifdef TRY
  const int busy = pthread_mutex_trylock(&other) != 0;
  if (!busy) pthread_mutex_unlock(&other);
  return busy;
#else
  pthread_mutex_lock(LOOK);
  const int seen = shown;
  pthread_mutex_unlock(LOOK);
  return seen;
#endif
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  const int first = look(), second = look(), third = look();
#ifndef TRY
  assert(!(first && !second && third));  // @shown
#endif
  pthread_mutex_lock(&mutex);
  ready = first | second | third | 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
  return 0;
}
