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
  expectProblem({"check", "--disk", dir_, file}, "are for --persistency ext4");
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
  write("disk/large", std::string(65, 'x'));
  expectProblem({"check", "--persistency", "ext4", "--disk", dir_ + "/disk", file},
                "has more than 64 bytes; see --max-file-size");
}

TEST_F(CliPersistency, FileCallsWithoutADisk) {
  const std::string file = write("open.c", "#include <fcntl.h>\nint main(void) { return open(\"x\", O_RDONLY) < 0; }\n");
  expectProblem({"check", file}, "files are explored with --persistency ext4");
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

TEST_F(CliPersistency, TheTraceSaysWhatHadPersisted) {
  const Finished run = heddle({"check", "--model", "sc", "--persistency", "weakest",
                               HEDDLE_SOURCE_DIR "/tests/native/persist/strict_and_weakest.c", "--", "-DN=2", "-DASSERT"});
  EXPECT_EQ(run.code, 1) << run.err;
  expectPart(run.out, "(lost)");
  expectPart(run.out, "(persisted)");
}

}  // namespace
}  // namespace heddle::cli
