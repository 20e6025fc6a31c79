#include "parallel/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace heddle::parallel {

Channel::~Channel() {
  if (descriptor_ >= 0) close(descriptor_);
}

Channel::Channel(Channel&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), inbox_(std::move(other.inbox_)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(inbox_, other.inbox_);
  return *this;
}

bool Channel::send(const std::string& message) {
  const auto size = static_cast<std::uint32_t>(message.size());
  std::string bytes(sizeof size, '\0');
  std::memcpy(bytes.data(), &size, sizeof size);
  bytes += message;
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool Channel::readSome(int flags) {
  std::array<char, 1 << 16> buffer;
  while (true) {
    const ssize_t count = recv(descriptor_, buffer.data(), buffer.size(), flags);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (count <= 0) return false;
    inbox_.append(buffer.data(), static_cast<std::size_t>(count));
    if (flags == 0 || static_cast<std::size_t>(count) < buffer.size()) return true;
  }
}

bool Channel::read() { return readSome(MSG_DONTWAIT); }

std::optional<std::string> Channel::take() {
  std::uint32_t size = 0;
  if (inbox_.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, inbox_.data(), sizeof size);
  if (inbox_.size() < sizeof size + size) return std::nullopt;
  std::string message = inbox_.substr(sizeof size, size);
  inbox_.erase(0, sizeof size + size);
  return message;
}

std::optional<std::string> Channel::receive() {
  while (true) {
    if (auto message = take()) return message;
    if (!readSome(0)) return std::nullopt;
  }
}

}  // namespace heddle::parallel
