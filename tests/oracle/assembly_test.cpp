// Random assembly programs: the explorer for models with dependencies against the oracle, with load-exclusives and
// store-exclusives, whose halves are two operations, and with the instructions that are both at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "explorer_keys.h"
#include "litmus/test.h"
#include "model/cat.h"
#include "model/library.h"
#include "oracle.h"
#include "runs.h"

namespace heddle::oracle {
namespace {

// How the same thing is said on each machine. %d is the register that is written, %s one that was, %a an address, %l a label.
struct Words {
  std::string architecture, model;
  std::string registerPrefix, addressPrefix;
  std::string constant, load, store, zeroOf, plus;
  std::string loadAt, storeAt;  // at an address with a register that is 0 added
  std::vector<std::string> loads, stores, fences;
  std::vector<std::string> exclusiveLoads, exclusiveStores, updates;
  std::string exclusiveStoreAt;  // at an address with register 29 added
  std::string select = {};       // 0, picked by %s
  std::string branch;
};

const Words& aarch64() {
  static const Words words{
      .architecture = "AArch64",
      .model = "armv8",
      .registerPrefix = "W",
      .addressPrefix = "X",
      .constant = "MOV W%d,#1",
      .load = "LDR W%d,[X%a]",
      .store = "STR W%s,[X%a]",
      .zeroOf = "EOR W%d,W%s,W%s",
      .plus = "ADD W%d,W%s,#1",
      .loadAt = "LDR W%d,[X%a,W%s,SXTW]",
      .storeAt = "STR W%d,[X%a,W%s,SXTW]",
      .loads = {"LDAR W%d,[X%a]", "LDAPR W%d,[X%a]"},
      .stores = {"STLR W%s,[X%a]"},
      .fences = {"DMB SY", "DMB LD", "DMB ST", "ISB"},
      .exclusiveLoads = {"LDXR W%d,[X%a]", "LDXR W%d,[X%a]", "LDAXR W%d,[X%a]"},
      .exclusiveStores = {"STXR W%d,W%s,[X%a]", "STXR W%d,W%s,[X%a]", "STLXR W%d,W%s,[X%a]"},
      .updates = {"LDADD W%s,W%d,[X%a]", "LDADDA W%s,W%d,[X%a]", "SWP W%s,W%d,[X%a]", "SWPAL W%s,W%d,[X%a]", "STADD W%s,[X%a]",
                  "SWP W%s,WZR,[X%a]"},
      .exclusiveStoreAt = "ADD X30,X%a,W29,SXTW | STXR W%d,W%s,[X30]",
      .select = "CMP W%s,#0 | CSEL W%d,WZR,W28,NE",
      .branch = "CBNZ W%s,%l",
  };
  return words;
}

const Words& power() {
  static const Words words{
      .architecture = "PPC",
      .model = "power",
      .registerPrefix = "r",
      .addressPrefix = "r",
      .constant = "li r%d,1",
      .load = "lwz r%d,0(r%a)",
      .store = "stw r%s,0(r%a)",
      .zeroOf = "xor r%d,r%s,r%s",
      .plus = "addi r%d,r%s,1",
      .loadAt = "lwzx r%d,r%s,r%a",
      .storeAt = "stwx r%d,r%s,r%a",
      .loads = {"lwz r%d,0(r%a)"},
      .stores = {"stw r%s,0(r%a)"},
      .fences = {"sync", "lwsync", "isync", "eieio"},
      .exclusiveLoads = {"lwarx r%d,0,r%a"},
      .exclusiveStores = {"stwcx. r%s,0,r%a"},
      .updates = {},
      .exclusiveStoreAt = "stwcx. r%s,r29,r%a",
      .branch = "bne %l",
  };
  return words;
}

const Words& riscv() {
  static const Words words{
      .architecture = "RISCV",
      .model = "riscv",
      .registerPrefix = "x",
      .addressPrefix = "x",
      .constant = "ori x%d,x0,1",
      .load = "lw x%d,0(x%a)",
      .store = "sw x%s,0(x%a)",
      .zeroOf = "xor x%d,x%s,x%s",
      .plus = "addi x%d,x%s,1",
      .loadAt = "add x30,x%a,x%s | lw x%d,0(x30)",
      .storeAt = "add x30,x%a,x%s | sw x%d,0(x30)",
      .loads = {"lw.aq x%d,0(x%a)", "lw.aq.rl x%d,0(x%a)"},
      .stores = {"sw.rl x%s,0(x%a)", "sw.aq.rl x%s,0(x%a)"},
      .fences = {"fence rw,rw", "fence r,rw", "fence rw,w", "fence w,w", "fence.tso", "fence w,r", "fence.i"},
      .exclusiveLoads = {"lr.w x%d,0(x%a)", "lr.w.aq x%d,0(x%a)", "lr.w.aq.rl x%d,0(x%a)"},
      .exclusiveStores = {"sc.w x%d,x%s,0(x%a)", "sc.w.rl x%d,x%s,0(x%a)", "sc.w.aq.rl x%d,x%s,0(x%a)"},
      .updates = {"amoadd.w x%d,x%s,(x%a)", "amoswap.w x%d,x%s,(x%a)", "amoswap.w.aq x%d,x%s,(x%a)",
                  "amoor.w.rl x%d,x%s,(x%a)"},
      .exclusiveStoreAt = "add x30,x%a,x29 | sc.w x%d,x%s,0(x30)",
      .branch = "bne x%s,x0,%l",
  };
  return words;
}

class RandomAssembly {
 public:
  RandomAssembly(const Words& words, std::uint64_t seed, bool updates) : words_(words), random_(seed), updates_(updates) {}

  std::string text() {
    const unsigned threads = 2 + (below(3) == 0 ? 1 : 0);
    std::vector<std::vector<std::string>> columns;
    std::string initial;
    for (unsigned t = 0; t < threads; ++t) {
      for (unsigned location = 0; location < 2; ++location) {
        initial += std::to_string(t) + ":" + words_.addressPrefix + std::to_string(1 + location) + "=" + "xy"[location] + "; ";
      }
      lines_.clear();
      next_ = 5;
      known_.clear();
      status_ = 0;
      const unsigned accesses = threads == 2 ? 2 + below(3) : 1 + below(2);
      for (unsigned i = 0; i < accesses; ++i) statement();
      columns.push_back(lines_);
    }
    std::string text = words_.architecture + " random\n{ " + initial + "}\n";
    for (unsigned t = 0; t < threads; ++t) text += (t == 0 ? " P" : " | P") + std::to_string(t);
    text += " ;\n";
    std::size_t rows = 0;
    for (const auto& column : columns) rows = std::max(rows, column.size());
    for (std::size_t row = 0; row < rows; ++row) {
      for (unsigned t = 0; t < threads; ++t) text += (t == 0 ? " " : " | ") + (row < columns[t].size() ? columns[t][row] : "");
      text += " ;\n";
    }
    return text + "exists (x=0)\n";
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  const std::string& oneOf(const std::vector<std::string>& some) { return some[below(static_cast<unsigned>(some.size()))]; }

  void line(std::string text, unsigned written, unsigned read, unsigned location = 0) {
    const auto fill = [&](const std::string& what, const std::string& with) {
      for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what)) text.replace(at, what.size(), with);
    };
    fill("%d", std::to_string(written));
    fill("%s", std::to_string(read));
    fill("%a", std::to_string(1 + location));
    fill("%l", "L" + std::to_string(labels_));
    for (std::size_t bar = text.find(" | "); bar != std::string::npos; bar = text.find(" | ")) {
      lines_.push_back(text.substr(0, bar));
      text.erase(0, bar + 3);
    }
    lines_.push_back(text);
  }

  unsigned fresh() { return next_++; }
  const std::string& zeroFrom() { return !words_.select.empty() && below(3) == 0 ? words_.select : words_.zeroOf; }
  unsigned someKnown() { return known_[below(static_cast<unsigned>(known_.size()))]; }

  // A register with 1, or with 0 or 1 and something that was read added, or what was read.
  unsigned value() {
    const unsigned result = fresh();
    if (known_.empty() || below(2) == 0) {
      line(words_.constant, result, 0);
      return result;
    }
    const unsigned from = someKnown();
    if (below(4) == 0) return from;
    line(zeroFrom(), result, from);
    if (below(2) == 0) return result;
    const unsigned sum = fresh();
    line(words_.plus, sum, result);
    return sum;
  }

  void loaded(const std::string& how, unsigned location) {
    const unsigned result = fresh();
    line(how, result, 0, location);
    known_.push_back(result);
  }

  void exclusiveStore(unsigned location) {
    const unsigned from = value(), status = fresh();
    if (!known_.empty() && below(3) == 0) {
      line(zeroFrom(), 29, someKnown());
      line(words_.exclusiveStoreAt, status, from, location);
    } else {
      line(oneOf(words_.exclusiveStores), status, from, location);
    }
    if (words_.architecture != "PPC") known_.push_back(status);
    status_ = status;
    if (below(2) == 0) {
      ++labels_;
      line(words_.branch, 0, status);
      if (below(2) == 0) line(words_.store, 0, value(), below(2));
      lines_.push_back("L" + std::to_string(labels_) + ":");
    }
  }

  void statement() {
    const unsigned location = below(2);
    switch (below(updates_ ? 12 : 11)) {
      case 0: return loaded(words_.load, location);
      case 1: return loaded(oneOf(words_.loads), location);
      case 2: return line(words_.store, 0, value(), location);
      case 3: return line(oneOf(words_.stores), 0, value(), location);
      case 4: return line(oneOf(words_.fences), 0, 0);
      case 5:
      case 6: {
        loaded(oneOf(words_.exclusiveLoads), location);
        if (below(4) == 0) line(words_.store, 0, value(), 1 - location);
        return exclusiveStore(below(8) == 0 ? 1 - location : location);
      }
      case 7:
        if (known_.empty()) return;
        {
          const unsigned zero = fresh(), result = fresh();
          line(zeroFrom(), zero, someKnown());
          line(words_.loadAt, result, zero, location);
          known_.push_back(result);
        }
        return;
      case 8:
        if (known_.empty()) return;
        {
          const unsigned zero = fresh(), stored = value();
          line(zeroFrom(), zero, someKnown());
          line(words_.storeAt, stored, zero, location);
        }
        return;
      case 9:
        if (known_.empty() || words_.architecture == "PPC") return;
        ++labels_;
        line(words_.branch, 0, someKnown());
        if (below(2) == 0) line(words_.store, 0, value(), location);
        lines_.push_back("L" + std::to_string(labels_) + ":");
        return;
      case 10: return exclusiveStore(location);
      default: {
        const unsigned from = value(), result = fresh();
        line(oneOf(words_.updates), result, from, location);
        known_.push_back(result);
      }
    }
  }

  const Words& words_;
  std::mt19937_64 random_;
  bool updates_;
  std::vector<std::string> lines_;
  unsigned next_ = 5;
  unsigned labels_ = 0;
  unsigned status_ = 0;
  std::vector<unsigned> known_;  // registers with something that was read
};

struct Compared {
  std::size_t programs = 0, executions = 0, skipped = 0;
};

// Of the programs of so many seeds.
Compared compare(const Words& words, bool updates, std::uint64_t first, std::size_t count) {
  model::Model source = model::loadModel(words.model);
  const model::CompiledModel model = compile(source);
  // A thread may write itself between its load-exclusive and its store-exclusive.
  for (model::Axiom& axiom : source.axioms) {
    if (axiom.name == "atomicity") axiom = model::parseCat("empty rmw & (rbe ; coe)", "atomicity").axioms[0];
  }
  Compared compared;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = RandomAssembly(words, seed, updates).text();
    const litmus::Test test = litmus::parseLitmus(text, "random.litmus");
    std::vector<std::string> expected;
    try {
      const OracleResult right = runOracle(*test.program, {&source}, 200000, false)[0];
      for (const std::string& key : right.coKeys) expected.insert(expected.end(), right.multiplicity(key), key);
    } catch (const OracleLimit&) {
      ++compared.skipped;
      continue;
    }
    test.program->reset();
    std::vector<std::string> found = exploreWith(*test.program, model, {}).keys;
    std::ranges::sort(expected);
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << "seed " << seed << '\n' << text;
    if (found != expected) break;
    ++compared.programs;
    compared.executions += found.size();
  }
  return compared;
}

TEST(AssemblyPrograms, ExclusivesAgreeWithTheOracle) {
  for (const Words* words : {&aarch64(), &power(), &riscv()}) {
    const Compared compared = compare(*words, false, 1, 600);
    EXPECT_GT(compared.programs, 500u) << words->architecture << ", skipped " << compared.skipped;
    EXPECT_GT(compared.executions, 4 * compared.programs) << words->architecture;
  }
}

TEST(AssemblyPrograms, AtomicInstructionsAgreeWithTheOracle) {
  for (const Words* words : {&aarch64(), &riscv()}) {
    const Compared compared = compare(*words, true, 100001, 600);
    EXPECT_GT(compared.programs, 500u) << words->architecture << ", skipped " << compared.skipped;
  }
}

}  // namespace
}  // namespace heddle::oracle
