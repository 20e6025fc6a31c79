// heddle_layout: writes in which order the linker is to place the functions of an executable. Run by the build.
//
// heddle is linked with LLVM and clang, 60 MB of code of which a run needs a fifth. What it needs lies scattered, a few
// functions here and there; but the system maps a file into memory by 64 KB and more at once, so that nearly all of it
// would be in memory during every run. So what is installed is linked once more. The first executable is run here on sample
// programs, with a breakpoint on each function: the first call of a function stops the process, the function is noted,
// its breakpoint removed. The list becomes a script that makes the linker put these functions next to each other: those
// of the first sample in the order of their first calls, then what the second one calls besides, and so on. Heddle's
// own code, which is small, and what runs before main come first. Each sample is run once before, undisturbed, so that
// what is done once only, precompiling headers, is not part of it.
//
// The idea of laying out code by a profile is that of Pettis and Hansen (Profile Guided Code Positioning, PLDI 1990),
// here with the least of profiles, since only the number of pages counts. Where a process may not be traced, the script
// names no functions, and heddle is as fast but larger in memory.
#include <elf.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace {

using Address = std::uint64_t;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

// The functions of an executable that is not position-independent, each with all its names.
class Executable {
 public:
  explicit Executable(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    file_.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    const auto header = at<Elf64_Ehdr>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_EXEC)
      throw std::runtime_error(path + " is not an executable with fixed addresses");
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) code_ = segment;
    }
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
      if (section.sh_type != SHT_SYMTAB) continue;
      const auto names = at<Elf64_Shdr>(header.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
      for (std::size_t j = 0; j < section.sh_size / sizeof(Elf64_Sym); ++j)
        add(at<Elf64_Sym>(section.sh_offset + j * sizeof(Elf64_Sym)), names);
    }
  }

  const std::map<Address, std::vector<std::string>>& functions() const { return functions_; }
  Address codeBegin() const { return code_.p_vaddr; }
  std::string code() const { return file_.substr(code_.p_offset, code_.p_filesz); }

 private:
  template <typename T>
  T at(std::size_t offset) const {
    if (offset + sizeof(T) > file_.size()) throw std::runtime_error("the executable is cut off");
    T value;
    std::memcpy(&value, file_.data() + offset, sizeof(T));
    return value;
  }

  void add(const Elf64_Sym& symbol, const Elf64_Shdr& names) {
    const bool inCode = symbol.st_value >= code_.p_vaddr && symbol.st_value < code_.p_vaddr + code_.p_filesz;
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 || !inCode) return;
    functions_[symbol.st_value].emplace_back(file_.c_str() + names.sh_offset + symbol.st_name);
  }

  std::string file_;
  Elf64_Phdr code_{};
  std::map<Address, std::vector<std::string>> functions_;
};

// Runs a program and adds the functions that it calls to `called`, which no function is in twice.
class Tracer {
 public:
  Tracer(const Executable& executable, std::vector<Address>& called)
      : executable_(executable), original_(executable.code()), called_(called), known_(called.begin(), called.end()) {}

  void run(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int status = 0;
    waitpid(start(arguments, false), &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("a sample fails: " + words.back());
    trace(start(arguments, true));
  }

 private:
  static pid_t start(const std::vector<char*>& arguments, bool traced) {
    const pid_t child = fork();
    if (child < 0) fail("fork");
    if (child > 0) return child;
    const int nothing = open("/dev/null", O_WRONLY);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    if (!traced || ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0) execv(arguments[0], arguments.data());
    _exit(127);
  }

  void trace(pid_t child) {
    setBreakpoints(child);
    for (;;) {
      int status = 0;
      const pid_t stopped = waitpid(-1, &status, __WALL);
      if (stopped < 0) return;
      if (WIFSTOPPED(status)) goOn(stopped, status);
    }
  }

  void setBreakpoints(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) throw std::runtime_error("processes cannot be traced here");
    ptrace(PTRACE_SETOPTIONS, child, nullptr,
           PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK);
    std::string code = original_;
    for (const auto& [address, names] : executable_.functions()) code[address - executable_.codeBegin()] = '\xcc';
    write(child, executable_.codeBegin(), code);
    ptrace(PTRACE_CONT, child, nullptr, nullptr);
  }

  void goOn(pid_t process, int status) {
    user_regs_struct registers{};
    int signal = WSTOPSIG(status);
    const bool event = status >> 16 != 0 || signal == SIGSTOP;
    if (event) {
      signal = 0;
    } else if (signal == SIGTRAP && ptrace(PTRACE_GETREGS, process, nullptr, &registers) == 0 &&
               executable_.functions().count(registers.rip - 1) != 0) {
      const Address address = registers.rip - 1;
      write(process, address, original_.substr(address - executable_.codeBegin(), 1));
      registers.rip = address;
      ptrace(PTRACE_SETREGS, process, nullptr, &registers);
      if (known_.insert(address).second) called_.push_back(address);
      signal = 0;
    }
    ptrace(PTRACE_CONT, process, nullptr, signal);
  }

  static void write(pid_t process, Address address, const std::string& bytes) {
    const int memory = open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_WRONLY | O_CLOEXEC);
    if (memory < 0) fail("cannot write to the memory of a process");
    const ssize_t written = pwrite(memory, bytes.data(), bytes.size(), static_cast<off_t>(address));
    close(memory);
    if (written != static_cast<ssize_t>(bytes.size())) fail("cannot write to the memory of a process");
  }

  const Executable& executable_;
  const std::string original_;
  std::vector<Address>& called_;
  std::set<Address> known_;
};

void writeScript(const std::string& path, const Executable& executable, const std::vector<Address>& called) {
  std::ofstream out(path);
  out << "/* Generated by heddle_layout. */\nSECTIONS {\n  .text.near : {\n"
         "    *libheddle_*.a:*(.text .text.*)\n    *heddle_cli.dir*(.text .text.*)\n"
         "    *(.text.startup .text.startup.*)\n";
  for (const Address address : called)
    for (const std::string& name : executable.functions().at(address))
      if (name.find_first_of("*?[]@\"\\ ") == std::string::npos) out << "    *(.text." << name << ")\n";
  out << "  }\n}\nINSERT BEFORE .text;\n";
  out.close();
  if (!out) fail(path.c_str());
}

// The words up to the next "---", and past it.
std::vector<std::string> takeRun(char**& argument) {
  std::vector<std::string> words;
  for (; *argument && std::strcmp(*argument, "---") != 0; ++argument) words.emplace_back(*argument);
  if (*argument) ++argument;
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: heddle_layout SCRIPT EXECUTABLE ARGUMENTS... [--- ARGUMENTS...]...\n";
    return 2;
  }
  try {
    const Executable executable(argv[2]);
    std::vector<Address> called;
    try {
      for (char** argument = argv + 3; *argument;) {
        std::vector<std::string> words = takeRun(argument);
        words.insert(words.begin(), argv[2]);
        Tracer(executable, called).run(std::move(words));
      }
    } catch (const std::exception& e) {
      std::cerr << "heddle_layout: " << e.what() << "; heddle will use more memory than it could\n";
    }
    writeScript(argv[1], executable, called);
    std::cout << called.size() << " of " << executable.functions().size() << " functions are needed\n";
  } catch (const std::exception& e) {
    std::cerr << "heddle_layout: " << e.what() << '\n';
    return 1;
  }
}
