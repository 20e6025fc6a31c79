// Messages between a run and its workers: texts, over a pair of connected sockets.
#pragma once

#include <deque>
#include <optional>
#include <string>

namespace heddle::parallel {

class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}
  ~Channel();
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;

  int descriptor() const { return descriptor_; }
  // False: there is nobody on the other side any more.
  bool send(const std::string& message);
  // Waits for the next message; none: there is nobody on the other side any more.
  std::optional<std::string> receive();
  // Reads what is there, without waiting. False as above; messages that came before are still to be taken.
  bool read();
  std::optional<std::string> take();

 private:
  bool readSome(int flags);

  int descriptor_;
  std::string inbox_;
};

}  // namespace heddle::parallel
