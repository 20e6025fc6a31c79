// Runs a program as a child.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

namespace heddle::util {

struct Finished {
  int code = -1;  // negative: ended by that signal
  std::string out, err;
};

// A child whose standard output and error go to files.
class ChildProcess {
 public:
  // In this folder, if one is given.
  explicit ChildProcess(std::vector<std::string> command, const std::string& folder = "")
      : out_(std::tmpfile()), err_(std::tmpfile()), id_(fork()) {
    if (id_ != 0) return;
    if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(99);
    if (dup2(fileno(out_), 1) < 0 || dup2(fileno(err_), 2) < 0) _exit(99);
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(98);
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    std::fclose(out_);
    std::fclose(err_);
  }

  pid_t id() const { return id_; }
  bool hasComplained() const { return lseek(fileno(err_), 0, SEEK_CUR) > 0; }
  // Whether it has ended; until it is asked it is a zombie at worst, and may be sent signals.
  bool hasEnded() {
    ended_ = ended_ || waitpid(id_, &status_, WNOHANG) == id_;
    return ended_;
  }

  Finished wait() {
    if (!ended_) waitpid(id_, &status_, 0);
    ended_ = true;
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_), textOf(out_), textOf(err_)};
  }

 private:
  static std::string textOf(std::FILE* file) {
    std::string text;
    std::rewind(file);
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
    return text;
  }

  std::FILE* out_;
  std::FILE* err_;
  pid_t id_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace heddle::util
