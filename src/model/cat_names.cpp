// Tables of words, and the search for a misspelt one.
//
// The base names are those of base_names.def. A name that the wider .cat language knows
// and we do not gets advice of its own: a person who brings a model from elsewhere should learn what to write instead.
#include "model/cat_names.h"

#include <algorithm>
#include <cctype>

#include "model/base_relations.h"

namespace heddle::model {

namespace {

constexpr std::string_view kStatements[] = {"let",          "include",    "acyclic",     "irreflexive",      "empty",
                                            "show",         "unshow",     "mixed-sizes", "races-by",         "issue-by",
                                            "commit-by",    "barrier-by", "flag",        "undefined_unless", "enum",
                                            "instructions", "with",       "control-ends"};

constexpr std::string_view kOtherKeywords[] = {"rec", "and", "as", "in", "from", "then", "else", "end", "try"};

constexpr std::string_view kLanguages[] = {"AArch64", "ARM",  "ASL", "Bell",  "BPF", "C",     "JAVA",
                                           "LISA",    "MIPS", "PPC", "RISCV", "X86", "X86_64"};

constexpr std::string_view kQueryKeywords[] = {"assume", "assert",  "declare", "model", "mapping",
                                               "expect", "without", "on",      "by",    "end"};

#define SET(name, classes) {name, ExprType::set, ExprKind::base, {name}},
#define RELATION(id, name, ...) {name, ExprType::relation, ExprKind::base, {name}},
#define DERIVED(type, name, kind, ...) {name, ExprType::type, ExprKind::kind, {__VA_ARGS__}},
const std::vector<BaseName> kBaseNames = {
#include "model/base_names.def"
};

struct Advice {
  std::string_view word;
  std::string_view text;
};

constexpr Advice kStatementAdvice[] = {
    {"procedure", "procedures are not supported; write their axioms out"},
    {"call", "procedures are not supported; write the axioms of the called one out"},
    {"forall", "`forall` is not supported; write the axioms out for each member"},
    {"match", "`match` is not supported; write the case that is needed out"},
    {"assert", "`assert` is not supported; write an axiom"},
    {"if", "conditionals are not supported; write a model for each case"},
    {"fun", "functions are not supported; write the body out where it is used"},
};

constexpr std::string_view kControlFence = "write `ctrl ; [Fence.i] ; po`";
constexpr std::string_view kEnds = "it is a function, as in `domain(rf)`";

constexpr Advice kFunctionAdvice[] = {
    {"map", "write the relation out"},
    {"fold", "write the relation out"},
    {"cross", "the exploration generates `rf` and `co` itself"},
    {"generate_cos", "the exploration generates `co` itself"},
    {"generate_orders", "the exploration generates `co` itself"},
    {"linearisations", "an order that is not `co` cannot be chosen"},
};

constexpr Advice kNameAdvice[] = {
    {"ctrlisync", kControlFence},
    {"ctrlcfence", kControlFence},
    {"domain", kEnds},
    {"range", kEnds},
    {"asw", "`po` already orders the creation of a thread before its events and those before its join"},
    {"unv", "the full relation is `_ * _`"},
};

// Sets that tell machines' instructions apart are one here, as far as models use them alike; what no program of ours has is empty.
constexpr FieldName kFieldNames[] = {
    {"Acq", "ACQ", ExprType::set},
    {"Rel", "REL", ExprType::set},
    {"AcqRel", "ACQ_REL", ExprType::set},
    {"Sc", "SC", ExprType::set},
    {"AMO", "RMW", ExprType::set},
    {"X", "RMW", ExprType::set},
    {"EX", "RMW", ExprType::set},
    {"I", "IW", ExprType::set},
    {"CON", "", ExprType::set},
    {"STRONG", "", ExprType::set},
    {"ALLOC", "", ExprType::set},
    {"FREE", "", ExprType::set},
    {"UB", "", ExprType::set},
    {"amo", "rmw", ExprType::relation},
    {"lxsx", "rmw", ExprType::relation},
    {"si", "id", ExprType::relation},
    {"casdep", "", ExprType::relation},
    {"allocptr", "", ExprType::relation},
    {"allocmem", "", ExprType::relation},
};

template <std::size_t N>
std::string_view adviceIn(const Advice (&table)[N], std::string_view word) {
  auto it = std::find_if(std::begin(table), std::end(table), [&](const Advice& a) { return a.word == word; });
  return it == std::end(table) ? std::string_view() : it->text;
}

template <std::size_t N>
bool contains(const std::string_view (&table)[N], std::string_view word) {
  return std::find(std::begin(table), std::end(table), word) != std::end(table);
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// The number of characters to insert, delete, replace or swap with their neighbour, regardless of case.
unsigned editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<unsigned>> d(a.size() + 1, std::vector<unsigned>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<unsigned>(i + j);
        continue;
      }
      unsigned replace = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + replace});
      bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// Keeps the closest of the words it is shown, if one is close at all: a third of the word may differ.
class Nearest {
 public:
  explicit Nearest(std::string_view word) : word_(word), distance_(static_cast<unsigned>(word.size()) / 3 + 1) {}

  void offer(std::string_view candidate) {
    constexpr std::size_t kLongest = 64;
    if (word_.size() > kLongest || candidate.size() > kLongest) return;
    unsigned distance = editDistance(word_, candidate);
    if (distance >= distance_ || distance >= candidate.size()) return;
    distance_ = distance;
    best_ = candidate;
  }

  const std::string& best() const { return best_; }

 private:
  std::string_view word_;
  unsigned distance_;
  std::string best_;
};

}  // namespace

bool startsStatement(std::string_view word) { return contains(kStatements, word); }

bool isLanguage(std::string_view word) { return contains(kLanguages, word); }

bool isQueryKeyword(std::string_view word) { return contains(kQueryKeywords, word); }

bool isKeyword(std::string_view word) {
  return startsStatement(word) || contains(kOtherKeywords, word) || !adviceOnStatement(word).empty();
}

const BaseName* findBaseName(std::string_view name) {
  for (const BaseName& base : kBaseNames) {
    if (base.name == name) return &base;
  }
  return nullptr;
}

const FieldName* findFieldName(std::string_view name) {
  const auto* const found = std::ranges::find(kFieldNames, name, &FieldName::name);
  return found == std::end(kFieldNames) ? nullptr : found;
}

std::string_view adviceOnStatement(std::string_view keyword) { return adviceIn(kStatementAdvice, keyword); }
std::string_view adviceOnFunction(std::string_view name) { return adviceIn(kFunctionAdvice, name); }
std::string_view adviceOnName(std::string_view name) { return adviceIn(kNameAdvice, name); }

std::string nearestName(std::string_view word, const std::vector<std::string>& candidates) {
  Nearest nearest(word);
  for (const std::string& candidate : candidates) nearest.offer(candidate);
  for (const BaseName& base : kBaseNames) nearest.offer(base.name);
  return nearest.best();
}

std::string nearestStatement(std::string_view word) {
  Nearest nearest(word);
  for (std::string_view keyword : kStatements) nearest.offer(keyword);
  return nearest.best();
}

}  // namespace heddle::model
