#include "litmus/test.h"

#include <fmt/format.h>

#include <charconv>
#include <unordered_map>

#include "litmus/assembly/assembly.h"
#include "litmus/compiler.h"
#include "litmus/header.h"
#include "litmus/kernel/kernel_parser.h"
#include "litmus/parser.h"
#include "util/read_file.h"

namespace heddle::litmus {

namespace {

constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;

std::vector<Observable> resolve(const Syntax& syntax, const Code& code) {
  std::vector<ThreadId> threadIds(code.threads.size());
  for (std::size_t id = 0; id < code.threads.size(); ++id) {
    threadIds[code.threads[id].number] = static_cast<ThreadId>(id);
  }
  std::vector<Observable> observables;
  for (const Observed& observed : syntax.observed) {
    Observable observable;
    observable.isRegister = observed.isRegister;
    observable.name = observed.name;
    observable.size = observed.type.size;
    observable.isSigned = observed.type.isSigned;
    if (observed.isRegister) {
      observable.thread = threadIds[observed.thread];
      observable.slot = observed.slot;
    } else {
      observable.address = code.locations[observed.location].address + observed.index * observed.type.size;
    }
    observables.push_back(std::move(observable));
  }
  return observables;
}

// What the observables are resolved with, and the threads.
void takeKernel(KernelProgram program, Test& test, Code& code) {
  for (std::size_t i = 0; i < program.threads.size(); ++i) {
    code.threads.emplace_back();
    code.threads.back().number = static_cast<unsigned>(i);
  }
  for (const KernelLocation& location : program.locations) {
    code.locations.push_back({.name = location.name, .address = location.address, .type = kWide});
    test.valueNames[static_cast<std::int64_t>(location.address)] = location.name;
  }
  test.model = "lkmm";
  test.kernel = std::make_unique<KernelThreads>(std::move(program));
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

// "P1:r0", "[x]" and the like as the observable's name.
std::string canonicalName(std::string_view name) {
  name = trim(name);
  if (name.size() > 2 && name.front() == '[' && name.back() == ']') name = trim(name.substr(1, name.size() - 2));
  if (name.size() > 1 && name.front() == 'P' && name.find(':') != std::string_view::npos) name.remove_prefix(1);
  return std::string(name);
}

std::int64_t parseValue(const SourceFile& file, std::size_t offset, std::string_view text) {
  text = trim(text);
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (problem != std::errc() || stop != text.data() + text.size()) file.fail(offset, "this state has a bad value");
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

// Rewrites a `state` line as stateText would, so that states can be compared as text.
std::string canonicalState(const SourceFile& file, const StateLine& line, const Test& test,
                           const std::unordered_map<std::string, std::size_t>& indexOf) {
  std::vector<std::int64_t> values(test.observables.size());
  std::vector<bool> given(test.observables.size());
  std::string_view rest = trim(line.text);
  while (!rest.empty()) {
    const std::size_t semicolon = std::min(rest.find(';'), rest.size());
    const std::string_view item = trim(rest.substr(0, semicolon));
    rest = semicolon == rest.size() ? std::string_view{} : trim(rest.substr(semicolon + 1));
    if (item.empty()) continue;
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos) file.fail(line.offset, "a state is a list of `name=value;`");
    const std::string name = canonicalName(item.substr(0, equals));
    const auto found = indexOf.find(name);
    if (found == indexOf.end()) {
      file.fail(line.offset, fmt::format("`{}` is not among what the test observes", name.substr(0, 100)),
                "name it in the condition or in `locations [...]`");
    }
    if (given[found->second]) file.fail(line.offset, fmt::format("`{}` is given twice", name));
    given[found->second] = true;
    const Observable& observable = test.observables[found->second];
    const std::int64_t value = parseValue(file, line.offset, item.substr(equals + 1));
    values[found->second] = observable.fromMemory(static_cast<Value>(value));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) file.fail(line.offset, fmt::format("this state has no value for `{}`", test.observables[i].name));
  }
  return test.stateText(values.data());
}

}  // namespace

std::string Test::stateText(const std::int64_t* observed) const {
  std::string text;
  for (std::size_t i = 0; i < observables.size(); ++i) {
    const Observable& observable = observables[i];
    if (i > 0) text += ' ';
    text += observable.name;
    text += '=';
    if (const auto named = valueNames.find(observed[i]); named != valueNames.end()) {
      text += named->second + ';';
      continue;
    }
    text += observable.isSigned ? std::to_string(observed[i]) : std::to_string(static_cast<std::uint64_t>(observed[i]));
    text += ';';
  }
  return text;
}

Test parseLitmus(const std::string& text, const std::string& file, const ParseOptions& options) {
  if (text.size() > kMaxFileSize) throw LitmusError(file, "the file is too large");
  const auto source = std::make_shared<const SourceFile>(SourceFile{file, text});
  const Header header = readHeader(*source);
  Test test;
  Syntax syntax;
  Code code;
  const bool isKernel = header.architecture == "C" && isKernelDialect(*source, options.dialect == Dialect::preferKernel);
  Formula filter;
  if (isKernel) {
    KernelTest kernel = KernelParser(*source, header).parse();
    syntax = std::move(kernel.syntax);
    filter = std::move(kernel.filter);
    takeKernel(std::move(kernel.program), test, code);
  } else if (header.architecture == "C") {
    if (header.name.empty()) source->fail(header.end, "the test has no name; it begins with `C name`");
    syntax = Parser(*source, header).parse();
    code = compile(*source, syntax);
  } else {
    AssembledTest assembled = assemble(*source, header);
    syntax = std::move(assembled.syntax);
    code = std::move(assembled.code);
    test.model = assembled.model;
  }
  test.name = syntax.name;
  test.file = file;
  test.quantifier = syntax.quantifier;
  test.observables = resolve(syntax, code);
  std::vector<std::string> names;
  for (const Observable& observable : test.observables) names.push_back(observable.name);
  test.conditionText = conditionText(syntax.quantifier, syntax.condition, names, test.valueNames);
  test.condition = Condition(syntax.condition);
  test.filter = Condition(filter);
  test.hasPlainAccesses = code.hasPlainAccesses;
  if (!isKernel) test.program = std::make_unique<LitmusProgram>(source, std::move(code), options.loopBound);

  Expectations expectations = parseExpectations(*source);
  std::unordered_map<std::string, std::size_t> indexOf;
  for (std::size_t i = 0; i < names.size(); ++i) indexOf[names[i]] = i;
  for (const StateLine& line : expectations.states) {
    expectations.models[line.expectation].stateLines.push_back(canonicalState(*source, line, test, indexOf));
  }
  test.expectations = std::move(expectations.models);
  return test;
}

Test loadLitmus(const std::string& path, const ParseOptions& options) {
  const std::optional<std::string> text = util::readFile(path);
  if (!text) throw LitmusError(path, "cannot open the file");
  return parseLitmus(*text, path, options);
}

}  // namespace heddle::litmus
