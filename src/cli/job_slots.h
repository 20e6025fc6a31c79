// How many processes may work at once: slots that a process and those that it forks take and give back.
//
// A slot is a byte in a pipe, as in the job server of make. Whoever reads a byte may work; who is done writes it back.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <system_error>

namespace heddle::cli {

class JobSlots {
 public:
  explicit JobSlots(std::size_t count) {
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    for (std::size_t i = 0; i < count; ++i) give();
  }
  JobSlots(const JobSlots&) = delete;
  JobSlots& operator=(const JobSlots&) = delete;
  ~JobSlots() {
    close(ends_[0]);
    close(ends_[1]);
  }

  bool tryTake() {
    char slot = 0;
    return read(ends_[0], &slot, 1) == 1;
  }
  void give() { [[maybe_unused]] const ssize_t written = write(ends_[1], "", 1); }

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace heddle::cli
