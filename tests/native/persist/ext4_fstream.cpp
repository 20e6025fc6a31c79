//! rc20: verified executions=5 blocked=0 flags="--persistency ext4"
//! rc20: error=recovery line=@line|@rest flags="--persistency ext4 -- -DNO_FLUSH"
//! rc20: error=unsupported line=@error text="or, to explore files on a disk and crashes, add --persistency ext4"
// Streams of C++ on files. A sync without a flush has synced nothing of what is in the buffer.
#include <assert.h>
#include <fcntl.h>
#include <heddle/heddle.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

static void sync(const char* name) {
  const int file = open(name, O_RDONLY);
  fsync(file);
  close(file);
}

static std::string contentOf(const char* name) {
  std::ifstream in(name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

int main() {
  std::ifstream none("none");  // @error
  assert(!none && !none.is_open());

  std::ofstream log("log");
  assert(log.is_open());
  log << 12 << ":ab" << '\n';
#ifndef NO_FLUSH
  log.flush();
#endif
  sync("log");
  heddle_persisted();
  log << "x y" << std::endl;
  assert(log.tellp() == 10);
  log.close();
  assert(!log.is_open() && log);
  assert(contentOf("log") == "12:ab\nx y\n");

  std::ofstream("log", std::ios::app) << "z";
  assert(contentOf("log") == "12:ab\nx y\nz");
  {
    std::ifstream in("log");
    int number = 0;
    char colon = 0;
    std::string word, line, rest;
    assert(in >> number >> colon >> word && number == 12 && colon == ':' && word == "ab");
    assert(in.get() == '\n' && std::getline(in, line) && line == "x y");
    assert(in.peek() == 'z' && in.get() == 'z' && in.get() == EOF && in.eof());
    in.clear();
    in.seekg(3);
    char two[2];
    assert(in.read(two, 2) && two[0] == 'a' && two[1] == 'b' && in.gcount() == 2 && in.tellg() == 5);
    in.unget();
    assert(in.get() == 'b' && in.putback('q') && in.get() == 'q' && in.get() == '\n');
  }
  {
    std::fstream both("log", std::ios::in | std::ios::out);
    both.seekp(1);
    both << 'Q';
    both.seekg(0);
    char three[3];
    assert(both.read(three, 3) && three[0] == '1' && three[1] == 'Q' && three[2] == ':');
    std::fstream moved = std::move(both);
    moved.seekp(0, std::ios::end);
    moved << "!";
    assert(moved.tellp() == 12);
  }
  assert(contentOf("log") == "1Q:ab\nx y\nz!");
  std::ofstream trunc("other", std::ios::trunc);
  assert(trunc && !std::ofstream("other", std::ios::trunc | std::ios::app));
  assert(!std::fstream("missing", std::ios::in | std::ios::out));
  return 0;
}

extern "C" void heddle_recovery() {
  std::ifstream log("log");
  char first = 0, c = 0;
  heddle_assert(log && log.get(first) && first == '1');  // @line
  log.seekg(3);
  heddle_assert(log.get(c) && c == 'a');  // @rest
}
