// The models that only proofs use, on the classic litmus shapes.
//
// A slip in a definition (a missing filter, a fence of the wrong kind) is a model that still looks right and still
// proves theorems, but about something else. Each shape here is one execution, the weak one, and the table says which
// models allow it; the verdicts are those of the literature that the models cite.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "model/library.h"
#include "prove/graph.h"

namespace heddle::prove {

namespace {

const std::vector<std::string> kModels = {"sc-fm", "sc-loc", "x86-tso",  "tso-fm",     "tso-loc",
                                          "ra2",   "ra3",    "rc11-alt", "c11-strong", "c11-orig",
                                          "imm",   "armv8",  "power",    "power-weak", "power-simpl"};

struct Shape {
  const char* name;
  // Threads between `||`, events between `;`. An access is R, W or U (a read-modify-write: value read, value written),
  // its order, location and value; a fence is F and its order. `@a` names an event, `<data:a` makes one depend on it.
  // Writes of a location are ordered by co as by value, and 0 is the initial one.
  const char* program;
  const char* verdicts;  // a character for each model: A allowed, - forbidden
};

const std::vector<Shape> kShapes = {
    {"SB", "W x 1; R y 0 || W y 1; R x 0", "--AAAAAAAAAAAAA"},
    {"SB ra", "Wrel x 1; Racq y 0 || Wrel y 1; Racq x 0", "--AAAAAAAAAAAAA"},
    {"SB sc", "Wsc x 1; Rsc y 0 || Wsc y 1; Rsc x 0", "--AAAAA---A-AAA"},
    {"SB fsc", "W x 1; Fsc; R y 0 || W y 1; Fsc; R x 0", "---------------"},
    {"SB far", "W x 1; Far; R y 0 || W y 1; Far; R x 0", "--AAAAAAAAA-AAA"},
    {"SB rmw", "U x 0 1; R y 0 || U y 0 1; R x 0", "-----AAAAAAAAAA"},
    {"MP", "W x 1; W y 1 || R y 1; R x 0", "-------AAAAAAAA"},
    {"MP ra", "W x 1; Wrel y 1 || Racq y 1; R x 0", "------------AAA"},
    {"MP rel+addr", "W x 1; Wrel y 1 || R y 1 @a; R x 0 <addr:a", "-------AAAA-AAA"},
    {"MP rel+ctrl", "W x 1; Wrel y 1 || R y 1 @a; R x 0 <ctrl:a", "-------AAAAAAAA"},
    {"MP fsc+addr", "W x 1; Fsc; W y 1 || R y 1 @a; R x 0 <addr:a", "-------AAAA--A-"},
    {"MP far+addr", "W x 1; Far; W y 1 || R y 1 @a; R x 0 <addr:a", "-------AAAA--A-"},
    {"MP far+ctrlisb", "W x 1; Far; W y 1 || R y 1 @a; Frlx <ctrl:a; R x 0", "-------AAAA--A-"},
    {"MP far+po", "W x 1; Far; W y 1 || R y 1; R x 0", "-------AAAAAAAA"},
    {"MP far+far", "W x 1; Far; W y 1 || R y 1; Far; R x 0", "---------------"},
    {"MP frel+facq", "W x 1; Frel; W y 1 || R y 1; Facq; R x 0", "---------------"},
    {"LB", "R x 1; W y 1 || R y 1; W x 1", "-------AAAAAAAA"},
    {"LB ra", "Racq x 1; Wrel y 1 || Racq y 1; Wrel x 1", "------------AAA"},
    {"LB data+po", "R x 1 @a; W y 1 <data:a || R y 1; W x 1", "-------AAAAAAAA"},
    {"LB datas", "R x 1 @a; W y 1 <data:a || R y 1 @b; W x 1 <data:b", "-------AAA---A-"},
    {"LB ctrls", "R x 1 @a; W y 1 <ctrl:a || R y 1 @b; W x 1 <ctrl:b", "-------AAA---A-"},
    {"S", "W x 2; W y 1 || R y 1; W x 1", "-------AAAAAAAA"},
    {"S ra", "W x 2; Wrel y 1 || Racq y 1; W x 1", "------------AAA"},
    {"R", "W x 1; W y 1 || W y 2; R x 0", "--AAAAAAAAAAAAA"},
    {"R ra", "W x 1; Wrel y 1 || Wrel y 2; Racq x 0", "--AAAAAAAAAAAAA"},
    {"R sc", "Wsc x 1; Wsc y 1 || Wsc y 2; Rsc x 0", "--AAAAA---A-AAA"},
    {"R fsc", "W x 1; Fsc; W y 1 || W y 2; Fsc; R x 0", "---------------"},
    {"R far", "W x 1; Far; W y 1 || W y 2; Far; R x 0", "--AAAAAAAAA-AAA"},
    {"2+2W", "W x 2; W y 1 || W y 2; W x 1", "-----AAAAAAAAAA"},
    {"2+2W rel", "Wrel x 2; Wrel y 1 || Wrel y 2; Wrel x 1", "-----AAAAAA-AAA"},
    {"2+2W sc", "Wsc x 2; Wsc y 1 || Wsc y 2; Wsc x 1", "-----AA---A-AAA"},
    {"2+2W far", "W x 2; Far; W y 1 || W y 2; Far; W x 1", "-----AAAAAA----"},
    {"2+2W fsc", "W x 2; Fsc; W y 1 || W y 2; Fsc; W x 1", "---------------"},
    {"WRC", "W x 1 || R x 1; W y 1 || R y 1; R x 0", "-------AAAAAAAA"},
    {"WRC ra", "W x 1 || Racq x 1; Wrel y 1 || Racq y 1; R x 0", "------------AAA"},
    {"WRC addrs", "W x 1 || R x 1 @a; W y 1 <data:a || R y 1 @b; R x 0 <addr:b", "-------AAAA-AAA"},
    {"WRC far+addr", "W x 1 || R x 1; Far; W y 1 || R y 1 @b; R x 0 <addr:b", "-------AAAA--A-"},
    {"WRC far+far", "W x 1 || R x 1; Far; W y 1 || R y 1; Far; R x 0", "---------------"},
    {"IRIW", "W x 1 || R x 1; R y 0 || W y 1 || R y 1; R x 0", "-----AAAAAAAAAA"},
    {"IRIW ra", "Wrel x 1 || Racq x 1; Racq y 0 || Wrel y 1 || Racq y 1; Racq x 0", "-----AAAAAA-AAA"},
    {"IRIW sc", "Wsc x 1 || Rsc x 1; Rsc y 0 || Wsc y 1 || Rsc y 1; Rsc x 0", "-----AA---A-AAA"},
    {"IRIW addrs", "W x 1 || R x 1 @a; R y 0 <addr:a || W y 1 || R y 1 @b; R x 0 <addr:b", "-----AAAAAA-AAA"},
    {"IRIW far", "W x 1 || R x 1; Far; R y 0 || W y 1 || R y 1; Far; R x 0", "-----AAAAAA-AAA"},
    {"IRIW fsc", "W x 1 || R x 1; Fsc; R y 0 || W y 1 || R y 1; Fsc; R x 0", "---------A-----"},
    {"RWC", "W x 1 || R x 1; R y 0 || W y 1; R x 0", "--AAAAAAAAAAAAA"},
    {"RWC fsc", "W x 1 || R x 1; Fsc; R y 0 || W y 1; Fsc; R x 0", "---------A-----"},
    {"CoRR", "W x 1 || R x 1; R x 0", "---------------"},
    {"CoWW", "W x 2; W x 1", "---------------"},
    {"RMWs", "U x 0 1; R x 1 || U x 0 2", "---------------"},
    {"IRIWacqsc", "Wsc x 1 || Racq x 1; Rsc y 0 || Racq y 1; Rsc x 0 || Wsc y 1", "-----AAA--A-AAA"},
    {"Z6.U", "Wsc x 1; Wrel y 1 || Usc y 1 2; R y 3 || Wsc y 3; Rsc x 0", "--AAAAAA--A-AAA"},
    {"fig 3.1", "Wsc x 1 || Rsc x 1; Wrel y 1 || Rsc y 1 || Wsc y 2; Rsc x 0", "--AAAAAA--A-AAA"},
    {"fig 3.1 on power", "Fsc; W x 1 || Fsc; R x 1; Far; W y 1 || Fsc; R y 1; Far || Fsc; W y 2; Fsc; R x 0; Far",
     "-----AAAAAA-AAA"},
};

Order orderOf(const std::string& name) {
  static const std::map<std::string, Order> kOrders = {{"", Order::relaxed},    {"rlx", Order::relaxed},
                                                       {"acq", Order::acquire}, {"rel", Order::release},
                                                       {"ar", Order::acq_rel},  {"sc", Order::seq_cst}};
  return kOrders.at(name);
}

// An execution from its text.
class Reader {
 public:
  explicit Reader(const std::string& program) {
    int thread = 0;
    for (const std::string& part : split(program, "||")) {
      for (const std::string& event : split(part, ";")) readEvent(event, thread);
      ++thread;
    }
    for (int location = 0; location < static_cast<int>(locations_.size()); ++location) {
      add({.cell = cellOf(kInitialWriteClass, false, 0), .thread = -1, .location = location}, 0);
    }
  }

  Graph graph() const {
    const auto size = static_cast<unsigned>(events_.size());
    const Relation none(size);
    Graph graph{events_, none, none, none, none, none, none, none, {}};
    for (unsigned a = 0; a < size; ++a) {
      for (unsigned b = 0; b < size; ++b) relate(graph, a, b);
    }
    for (const auto& [kind, from, to] : dependencies_) {
      Relation& relation = kind == "addr" ? graph.addr : kind == "data" ? graph.data : graph.ctrl;
      relation.add(from, to);
      if (kind == "ctrl") relation.row(from) |= graph.po.row(to);
    }
    return graph;
  }

 private:
  struct Dependency {
    std::string kind;
    unsigned from, to;
  };

  std::vector<GraphEvent> events_;
  std::vector<int> values_;
  std::vector<Dependency> dependencies_;
  std::map<std::string, int> locations_;
  std::map<std::string, unsigned> names_;

  static std::vector<std::string> split(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at; (at = text.find(separator, from)) != std::string::npos; from = at + separator.size()) {
      parts.push_back(text.substr(from, at - from));
    }
    parts.push_back(text.substr(from));
    return parts;
  }

  unsigned add(const GraphEvent& event, int value) {
    events_.push_back(event);
    values_.push_back(value);
    return static_cast<unsigned>(events_.size()) - 1;
  }

  void readEvent(const std::string& text, int thread) {
    std::istringstream words(text);
    std::string what, word;
    std::vector<std::string> operands;
    words >> what;
    const auto first = static_cast<unsigned>(events_.size());
    while (words >> word) {
      if (word[0] == '@') {
        names_[word.substr(1)] = first;
      } else if (word[0] == '<') {
        const auto colon = word.find(':');
        dependencies_.push_back({word.substr(1, colon - 1), names_.at(word.substr(colon + 1)), first});
      } else {
        operands.push_back(word);
      }
    }
    const Order order = orderOf(what.substr(1));
    const auto event = [&](EventKind kind, bool rmw, int location) {
      return GraphEvent{.cell = cellOf(eventClass(kind, order, rmw), false, 0), .thread = thread, .location = location};
    };
    if (what[0] == 'F') {
      add(event(EventKind::fence, false, -1), -1);
      return;
    }
    const int location = locations_.try_emplace(operands.at(0), static_cast<int>(locations_.size())).first->second;
    const bool rmw = what[0] == 'U';
    if (what[0] != 'W') add(event(EventKind::read, rmw, location), std::stoi(operands.at(1)));
    if (what[0] != 'R') add(event(EventKind::write, rmw, location), std::stoi(operands.back()));
  }

  void relate(Graph& graph, unsigned a, unsigned b) const {
    const GraphEvent &x = events_[a], &y = events_[b];
    if (a < b && x.thread >= 0 && x.thread == y.thread) {
      graph.po.add(a, b);
      const bool pair = b == a + 1 && x.isRead() && y.isWrite() && x.location == y.location;
      if (pair && contains(classes::kRmw, x.eventClass())) graph.rmw.add(a, b);
    }
    if (x.location < 0 || x.location != y.location || !x.isWrite()) return;
    if (y.isRead() && values_[a] == values_[b]) graph.rf.add(a, b);
    if (y.isWrite() && values_[a] < values_[b]) graph.co.add(a, b);
  }
};

bool allows(const model::Model& model, const Graph& graph) {
  const View view = View::plain({}, {});
  for (const model::Axiom& axiom : model.axioms) {
    if (!holds(axiom, graph, view)) return false;
  }
  return true;
}

class ProveVerdicts : public testing::TestWithParam<std::size_t> {};

TEST_P(ProveVerdicts, AreThoseOfTheLiterature) {
  // The original C11 allows load buffering; the axiom is there for the exploration.
  const std::string& name = kModels[GetParam()];
  const bool explored = name == "c11-orig" || name == "imm" || name == "armv8";
  model::Model model = model::loadModelToProve((explored ? "" : "prove/") + name + ".cat", "");
  std::erase_if(model.axioms, [](const model::Axiom& axiom) { return axiom.name == "no-load-buffering"; });
  for (const Shape& shape : kShapes) {
    const bool allowed = allows(model, Reader(shape.program).graph());
    EXPECT_EQ(allowed ? 'A' : '-', shape.verdicts[GetParam()]) << shape.name << ": " << shape.program;
  }
}

std::string nameOf(const testing::TestParamInfo<std::size_t>& info) {
  std::string name = kModels[info.param];
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Models, ProveVerdicts, testing::Range(std::size_t{0}, kModels.size()), nameOf);

TEST(ProveVerdictsTable, CoversEveryModel) {
  for (const model::BuiltinModel& model : model::proverModels()) {
    const std::string name(model.name.substr(model.name.find('/') + 1));
    EXPECT_NE(std::find(kModels.begin(), kModels.end(), name), kModels.end()) << name;
  }
}

}  // namespace
}  // namespace heddle::prove
