//! rc20: error=use-after-free|data-race line=@use|@delete
//! rc20: verified executions=1 flags="-- -DJOIN_FIRST"
// The owner deletes while the thread still works.
#include <thread>

struct Job {
  int result = 0;
};

int main() {
  Job* const job = new Job;
  std::thread worker([job] {
    job->result = 1;  // @use
  });
#ifdef JOIN_FIRST
  worker.join();
  delete job;
#else
  delete job;  // @delete
  worker.join();
#endif
}
