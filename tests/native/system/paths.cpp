//! rc20: verified executions=1
// What std::filesystem::path does with its text.
#include <cassert>
#include <filesystem>
#include <string>

using std::filesystem::path;

static std::string components(const path& p) {
  std::string text;
  for (const path& each : p) text += "[" + each.string() + "]";
  return text;
}

int main() {
  const path file("/usr/lib//x.tar.gz");
  assert(components(file) == "[/][usr][lib][x.tar.gz]" && components("a/") == "[a][]" && components("") == "");
  assert(components("/") == "[/]" && components("a") == "[a]");
  assert(file.filename() == "x.tar.gz" && file.stem() == "x.tar" && file.extension() == ".gz");
  assert(file.parent_path() == "/usr/lib" && file.parent_path().parent_path().parent_path() == "/");
  assert(path("/").parent_path() == "/" && path("a").parent_path().empty() && path("a/").parent_path() == "a");
  assert(file.is_absolute() && file.root_path() == "/" && file.relative_path() == "usr/lib/x.tar.gz");
  assert(path(".profile").extension().empty() && path("..").extension().empty() && path("a.").extension() == ".");
  assert(!path("a/").has_filename() && path("a/b").has_parent_path() && !path("a").has_parent_path());

  path built = path("a") / "b";
  built /= "c";
  built += ".txt";
  assert(built == "a/b/c.txt" && built.string() == "a/b/c.txt" && path("a") / "/b" == "/b" && path("a") / "" == "a/");
  built.replace_extension("md");
  assert(built == "a/b/c.md");
  built.replace_extension();
  assert(built == "a/b/c" && built.replace_filename("d") == "a/b/d" && built.remove_filename() == "a/b/");
  path moved = std::move(built);
  assert(moved == "a/b/" && components(moved) == "[a][b][]");
  moved = file;
  assert(moved == file && path("a") < path("b") && path("a//b") == path("a/b") && path("a/b") != path("a/b/"));

  assert(path("a/./b/../c").lexically_normal() == "a/c" && path("a/..").lexically_normal() == ".");
  assert(path("/../a/").lexically_normal() == "/a/" && path("../x/.").lexically_normal() == "../x/");
  assert(path("/a/d").lexically_relative("/a/b/c") == "../../d" && path("/a/b/c").lexically_relative("/a/d") == "../b/c");
  assert(path("a").lexically_relative("a") == "." && path("a").lexically_relative("/").empty());
  assert(hash_value(path("a//b")) == hash_value(path("a/b")));
}
