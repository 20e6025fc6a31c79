// Runs a program as a child.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace heddle::util {

constexpr int kUnheard = 97;  // the code of a child whose output could not be written

struct Finished {
  int code = -1;  // negative: ended by that signal
  std::string out, err;
};

// A file without a name. This, and a child, throw std::system_error if there cannot be one.
using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
inline TemporaryFile temporaryFile() {
  TemporaryFile file(std::tmpfile(), std::fclose);
  if (!file) throw std::system_error(errno, std::generic_category(), "cannot make a temporary file");
  return file;
}

// A child whose standard output and error go to files.
class ChildProcess {
 public:
  // In this folder, if one is given.
  explicit ChildProcess(std::vector<std::string> command, const std::string& folder = "") : id_(start()) {
    if (id_ != 0) return;
    if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(99);
    if (dup2(fileno(out_.get()), 1) < 0 || dup2(fileno(err_.get()), 2) < 0) _exit(99);
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(98);
  }
  // Runs this function in a copy of this process, and ends with what it returns.
  explicit ChildProcess(const std::function<int()>& body) : id_(start()) {
    if (id_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (dup2(fileno(out_.get()), 1) < 0 || dup2(fileno(err_.get()), 2) < 0) _exit(99);
    int code = body();
    // What it says is its answer.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      std::fputs("heddle: cannot write the output\n", stderr);
      code = kUnheard;
    }
    std::fflush(stderr);
    _exit(code);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return id_; }
  bool hasComplained() const { return lseek(fileno(err_.get()), 0, SEEK_CUR) > 0; }
  // Whether it has ended; until it is asked it is a zombie at worst, and may be sent signals.
  bool hasEnded() {
    ended_ = ended_ || waitpid(id_, &status_, WNOHANG) == id_;
    return ended_;
  }

  Finished wait() {
    if (!ended_) waitpid(id_, &status_, 0);
    ended_ = true;
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_), textOf(out_.get()), textOf(err_.get())};
  }

 private:
  static pid_t start() {
    const pid_t id = fork();
    if (id < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
    return id;
  }

  static std::string textOf(std::FILE* file) {
    std::string text;
    std::rewind(file);
    char part[4096];
    for (std::size_t n = std::fread(part, 1, sizeof part, file); n > 0; n = std::fread(part, 1, sizeof part, file)) {
      text.append(part, n);
    }
    return text;
  }

  TemporaryFile out_ = temporaryFile(), err_ = temporaryFile();
  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace heddle::util
