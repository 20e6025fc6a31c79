// The command line with crashes: options that do not go together, a disk that is given, parts of the exploration, and JSON.

#include <nlohmann/json.hpp>

#include "cli_helpers.h"

namespace heddle::cli {
namespace {

using nlohmann::json;

class CliPersistency : public CliTest {
 protected:
  void expectProblem(const std::vector<std::string>& arguments, const std::string& text) const {
    const Finished run = heddle(arguments);
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_NE((run.out + run.err).find(text), std::string::npos) << run.out << run.err;
  }
};

const char* const kOrder = "#include <heddle/heddle.h>\n"
                           "HEDDLE_PERSISTENT int x, y;\n"
                           "int main(void) { x = 1; y = 1; return 0; }\n"
                           "void heddle_recovery(void) { int late = y, early = x; heddle_assert(!late || early); }\n";

TEST_F(CliPersistency, OptionsThatDoNotGoTogether) {
  const std::string file = write("order.c", kOrder);
  expectProblem({"check", "--persistency", "px86", "--model", "rc20", file}, "leave out --model, or use --model tso");
  expectProblem({"check", "--persistency", "strict", "--equivalence", "rf", file}, "not for --equivalence rf");
  expectProblem({"check", "--persistency", "strict", "--leaks", file}, "--leaks is not for --persistency");
  expectProblem({"check", "--persistency", "strict", "--granularity", "location", file},
                "--granularity is for --persistency px86");
  expectProblem({"check", "--persistency", "px86", "--journal", "writeback", file}, "are for --persistency ext4");
  expectProblem({"check", "--disk", dir_, file}, "--disk is for --persistency");
  expectProblem({"check", "--recovery-writes", file}, "--recovery-writes is for --persistency");
  expectProblem({"check", "--persistency", "epochs", file}, "or a .cat file that defines pb, not `epochs`");
  expectProblem({"check", "--persistency", write("empty.cat", "\"empty\"\nlet hb = po\n"), file},
                "a persistency model defines `pb`");
}

TEST_F(CliPersistency, ErrorAsJson) {
  const std::string file = write("order.c", kOrder);
  const Finished run = heddle({"check", "--json", "--persistency", "px86", file});
  EXPECT_EQ(run.code, 1) << run.err;
  const json object = json::parse(run.out);
  EXPECT_EQ(object["persistency"], "px86");
  EXPECT_EQ(object["model"], "tso");
  EXPECT_EQ(object["error"]["kind"], "recovery");
  const json& trace = object["trace"];
  ASSERT_EQ(trace.size(), 5U);
  EXPECT_EQ(trace[0]["persisted"], false);
  EXPECT_EQ(trace[1]["persisted"], true);
  EXPECT_EQ(trace[2]["kind"], "crash");
  EXPECT_EQ(trace[3]["from"], 2);
  EXPECT_EQ(trace[4]["from"], 0);
  EXPECT_EQ(object["threads"].back(), "recovery");
}

TEST_F(CliPersistency, FilesOfAFolder) {
  const std::string file = write("copy.c", "#include <fcntl.h>\n"
                                           "#include <heddle/heddle.h>\n"
                                           "#include <unistd.h>\n"
                                           "int main(void) { pwrite(open(\"text\", O_WRONLY), \"b\", 1, 1); return 0; }\n"
                                           "void heddle_recovery(void) {\n"
                                           "  char text[8];\n"
                                           "  heddle_assert(read(open(\"text\", O_RDONLY), text, 8) == 2 && text[0] == 'a');\n"
                                           "  heddle_assert(text[1] == 'b');\n"
                                           "}\n");
  write("disk/text", "aa");
  const Finished run = heddle({"check", "--json", "--persistency", "ext4", "--disk", dir_ + "/disk", file});
  const json object = json::parse(run.out);
  EXPECT_EQ(object["error"]["line"], 8) << run.out;
  expectProblem({"check", "--persistency", "ext4", "--disk", dir_ + "/none", file}, "--disk");
  write("folders/inner/text", "aa");
  expectProblem({"check", "--persistency", "ext4", "--disk", dir_ + "/folders", file},
                "folders/inner is a folder, and the disk has one directory only");
  write("disk/large", std::string(65, 'x'));
  expectProblem({"check", "--persistency", "ext4", "--disk", dir_ + "/disk", file},
                "has more than 64 bytes; see --max-file-size");
}

TEST_F(CliPersistency, FileCallsWithoutADisk) {
  const std::string file = write("open.c", "#include <fcntl.h>\nint main(void) { return open(\"x\", O_RDONLY) < 0; }\n");
  expectProblem({"check", file}, "or, to explore files on a disk and crashes, add --persistency ext4");
}

TEST_F(CliPersistency, SeveralProcessesAndRandomExecutions) {
  const std::string file = write(
      "many.c", "#include <heddle/heddle.h>\n"
                "#include <pthread.h>\n"
                "#include <stdatomic.h>\n"
                "HEDDLE_PERSISTENT atomic_int x[6][16];\n"
                "static void* work(void* which) {\n"
                "  for (long i = (long)which; i < 6; i += 2) atomic_store(&x[i][0], atomic_load(&x[(i + 1) % 6][0]) + 1);\n"
                "  return 0;\n"
                "}\n"
                "int main(void) {\n"
                "  pthread_t thread;\n"
                "  pthread_create(&thread, 0, work, (void*)1);\n"
                "  work(0);\n"
                "  pthread_join(thread, 0);\n"
                "  return 0;\n"
                "}\n"
                "void heddle_recovery(void) { for (int i = 0; i < 6; ++i) heddle_assert(atomic_load(&x[i][0]) < 9); }\n");
  const auto executions = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"check", "--json", "--persistency", "px86", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return json::parse(heddle(arguments).out)["executions"].get<std::size_t>();
  };
  const std::size_t all = executions({"-j", "1"});
  EXPECT_GT(all, 100U);
  EXPECT_EQ(executions({"-j", "2"}), all);
  EXPECT_EQ(executions({"--sample", "20"}), 20U);
}

// A file of a folder, in persistent memory.
TEST_F(CliPersistency, FilesOfAFolderThatAreMapped) {
  const std::string file =
      write("map.c", "#include <fcntl.h>\n"
                     "#include <heddle/heddle.h>\n"
                     "#include <sys/mman.h>\n"
                     "#include <sys/stat.h>\n"
                     "static char* map(void) {\n"
                     "  struct stat status;\n"
                     "  int file = open(\"text\", O_RDWR);\n"
                     "  heddle_assert(file >= 0 && fstat(file, &status) == 0 && status.st_size == 2);\n"
                     "  return mmap(0, 2, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);\n"
                     "}\n"
                     "int main(void) { heddle_assert(open(\"none\", O_RDWR) == -1); map()[1] = 'b'; return 0; }\n"
                     "void heddle_recovery(void) {\n"
                     "  heddle_assert(map()[0] == 'a');\n"
                     "  heddle_assert(map()[1] == 'b');\n"
                     "}\n");
  write("disk/text", "aa");
  const Finished run = heddle({"check", "--json", "--persistency", "px86", "--disk", dir_ + "/disk", file});
  EXPECT_EQ(json::parse(run.out)["error"]["line"], 14) << run.out;
  write("disk/large", std::string(4097, 'x'));
  expectProblem({"check", "--persistency", "px86", "--disk", dir_ + "/disk", file}, "has more than 4096 bytes");
}

// A run with recovery that writes, in several processes, at random, and as JSON.
TEST_F(CliPersistency, RecoveryThatWritesInParts) {
  const std::string file = write("repair.c", "#include <heddle/heddle.h>\n"
                                             "#include <immintrin.h>\n"
                                             "HEDDLE_PERSISTENT int x[5][16];\n"
                                             "int main(void) { for (int i = 0; i < 5; ++i) x[i][0] = 1; return 0; }\n"
                                             "void heddle_recovery(void) {\n"
                                             "  int sum = 0;\n"
                                             "  for (int i = 0; i < 5; ++i) sum += x[i][0];\n"
                                             "  heddle_assert(sum <= MOST);\n"
                                             "  for (int i = 0; i < 5; ++i) x[i][0] = 2;\n"
                                             "}\n");
  const auto result = [&](std::vector<std::string> arguments, const std::string& most) {
    arguments.insert(arguments.end(), {"--json", "--", "-DMOST=" + most});
    return json::parse(heddle(arguments).out);
  };
  const std::vector<std::string> check = {"check", "--persistency", "px86", "--recovery-writes", file};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = check;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  // Each of x is 0 or 1 after the first crash, and that or 2 after the second.
  EXPECT_EQ(result(with({"-j", "1"}), "10")["executions"], 1024);
  EXPECT_EQ(result(with({"-j", "2"}), "10")["executions"], 1024);
  EXPECT_EQ(result(with({"--sample", "30"}), "10")["executions"], 30);
  const json error = result(with({}), "9");
  EXPECT_EQ(error["error"]["kind"], "recovery");
  std::size_t crashes = 0;
  bool saysFate = false;
  for (const json& event : error["trace"]) {
    crashes += event["kind"] == "crash";
    saysFate |= crashes == 1 && event.contains("persisted");
  }
  EXPECT_EQ(crashes, 2U);
  EXPECT_TRUE(saysFate);
}

TEST_F(CliPersistency, TheTraceSaysWhatHadPersisted) {
  const Finished run = heddle({"check", "--model", "sc", "--persistency", "weakest",
                               HEDDLE_SOURCE_DIR "/tests/native/persist/strict_and_weakest.c", "--", "-DN=2", "-DASSERT"});
  EXPECT_EQ(run.code, 1) << run.err;
  expectPart(run.out, "(lost)");
  expectPart(run.out, "(persisted)");
}

}  // namespace
}  // namespace heddle::cli
