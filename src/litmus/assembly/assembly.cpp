#include "litmus/assembly/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "litmus/assembly/architecture.h"
#include "litmus/assembly/parse_test.h"
#include "litmus/assembly/thread_writer.h"
#include "litmus/compiler.h"
#include "litmus/parse_formula.h"

namespace heddle::litmus {

namespace {

constexpr std::uint64_t kRoom = 16;  // bytes of a location: any access fits

using Rows = std::unordered_map<std::string_view, const InstructionRow*>;

// Made once for each machine, as there are thousands of tests.
const Rows& rowsOf(const Architecture& architecture) {
  static std::unordered_map<const InstructionRow*, Rows> all;
  Rows& rows = all[architecture.instructions.data()];
  if (rows.empty()) {
    for (const InstructionRow& row : architecture.instructions) rows.emplace(row.mnemonic, &row);
  }
  return rows;
}

class Assembler {
 public:
  Assembler(const SourceFile& file, const Architecture& architecture, AssemblyTest test)
      : file_(file), architecture_(architecture), test_(std::move(test)), context_(file, result_.code) {}

  AssembledTest assemble() {
    layOut();
    Code& code = result_.code;
    code.updatesAreLoops = false;
    code.statusIsDependency = architecture_.statusIsDependency;
    code.sources = test_.syntax.sources;
    findLines(file_, code.sources);
    for (std::size_t t = 0; t < test_.threads.size(); ++t) writeThread(static_cast<unsigned>(t));
    code.initialThreads = static_cast<unsigned>(test_.threads.size());
    fillMemory();
    finishCondition();
    result_.syntax = std::move(test_.syntax);
    result_.model = architecture_.model;
    return std::move(result_);
  }

 private:
  Address addressOf(std::uint32_t location) const { return result_.code.locations[location].address; }

  std::int64_t valueOf(const SymbolicValue& value) const {
    return value.location ? static_cast<std::int64_t>(addressOf(*value.location)) : value.number;
  }

  void layOut() {
    for (Location& location : test_.syntax.locations) {
      location.bytes = std::max<std::uint64_t>(kRoom, location.count * location.type.size);
    }
    placeLocations(test_.syntax, result_.code);
    context_.uses.resize(test_.syntax.locations.size());
    for (std::uint32_t i = 0; i < test_.syntax.locations.size(); ++i) locationOf_[test_.syntax.locations[i].name] = i;
    context_.locationNamed = [this](const std::string& name) { return locationOf_.at(name); };
  }

  void writeThread(unsigned number) {
    const AssemblyThread& thread = test_.threads[number];
    std::vector<std::uint32_t> pointsTo;
    CompiledThread compiled;
    compiled.number = number;
    compiled.entry = static_cast<std::uint32_t>(result_.code.instructions.size());
    for (const SymbolicValue& value : thread.initial) {
      compiled.locals.push_back(valueOf(value));
      pointsTo.push_back(value.location.value_or(ThreadWriter::kNowhere));
    }
    ThreadWriter writer(context_, thread.registers, std::move(pointsTo));
    const Rows& rows = rowsOf(architecture_);
    for (std::size_t i = 0; i < thread.items.size(); ++i) {
      const AssemblyThread::Item& item = thread.items[i];
      if (!item.label.empty()) {
        const auto jumpsBack = [&](const AssemblyThread::Item& later) {
          return !later.line.operands.empty() && later.line.operands.back().name == item.label;
        };
        const auto behind = thread.items.begin() + static_cast<std::ptrdiff_t>(i);
        writer.bindLabel(item.label, item.offset, std::any_of(behind, thread.items.end(), jumpsBack));
        continue;
      }
      const AssemblyLine& line = item.line;
      const auto row = rows.find(line.mnemonic);
      if (row == rows.end()) {
        file_.fail(line.offset, fmt::format("the instruction `{}` of {} is not known", line.mnemonic, architecture_.name),
                   "docs/models.md lists those that are; leave it out, or write the test with others");
      }
      writer.beginLine(line);
      row->second->translate(writer, line, *row->second);
    }
    writer.end(thread.source);
    compiled.stateWords = writer.stateWords();
    result_.code.threads.push_back(std::move(compiled));
  }

  // Locations have the size that they are accessed with; those that are not, or by addresses from memory only, that of their
  // type.
  void fillMemory() {
    for (const AssemblyTest::Pointer& pointer : test_.pointers) {
      test_.syntax.locations[pointer.location].initial[pointer.element] = static_cast<std::int64_t>(addressOf(pointer.target));
      Location& location = test_.syntax.locations[pointer.location];
      if (!location.typed) location.type = kWide;
    }
    for (std::uint32_t i = 0; i < test_.syntax.locations.size(); ++i) {
      Location& location = test_.syntax.locations[i];
      if (context_.uses[i].size != 0 && !location.isArray)
        location.type.size = static_cast<std::uint8_t>(context_.uses[i].size);
      result_.code.locations[i].type = location.type;
    }
    fillInitialMemory(test_.syntax, result_.code);
    for (Observed& observed : test_.syntax.observed) {
      if (!observed.isRegister) observed.type = test_.syntax.locations[observed.location].type;
    }
  }

  // What is compared is known in full now.
  void finishCondition() {
    std::size_t next = 0;
    finish(test_.syntax.condition, next);
    sortObserved(test_.syntax);
  }

  void finish(Formula& formula, std::size_t& next) {
    if (formula.kind == FormulaKind::equal) {
      const Observed& observed = test_.syntax.observed[formula.observable];
      formula.value = observed.type.fromMemory(static_cast<Value>(valueOf(test_.compared[next++])));
      // A negative number of 4 bytes in a register of 8, with a sign or without.
      if (observed.isRegister && formula.value < 0 && formula.value >= std::numeric_limits<std::int32_t>::min()) {
        Formula cut = formula;
        cut.value &= 0xffffffff;
        Formula neither;
        neither.kind = formula.differs ? FormulaKind::conjunction : FormulaKind::disjunction;
        neither.parts = {formula, cut};
        formula = std::move(neither);
      }
      return;
    }
    for (Formula& part : formula.parts) finish(part, next);
  }

  const SourceFile& file_;
  const Architecture& architecture_;
  AssemblyTest test_;
  AssembledTest result_;
  AssemblyContext context_;
  std::unordered_map<std::string, std::uint32_t> locationOf_;
};

}  // namespace

AssembledTest assemble(const SourceFile& file, const Header& header) {
  const Architecture* const architecture = findArchitecture(header.architecture);
  if (architecture == nullptr) {
    static constexpr std::string_view kOthers[] = {"ARM", "LISA", "MIPS", "Bell", "BPF", "ASL", "JAVA"};
    const bool known = std::find(std::begin(kOthers), std::end(kOthers), header.architecture) != std::end(kOthers);
    file.fail(header.offset,
              known ? fmt::format("this is a litmus test for {}, which is not supported", header.architecture)
                    : "a litmus test begins with `C name`, or with the name of a machine",
              "C, AArch64, PPC, RISCV, X86 and X86_64 are supported");
  }
  return Assembler(file, *architecture, AssemblyParser(file, header, *architecture).parse()).assemble();
}

}  // namespace heddle::litmus
