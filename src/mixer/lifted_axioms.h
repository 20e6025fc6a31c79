// Axioms of a model on lifted relations, evaluated by their definition.
//
// Every expression is a matrix of bits over the live events of a graph, a row for each event. The base relations are
// lifted from bytes: two accesses are related by rf, co or rb if they are on some byte, and by loc if they overlap. The
// initial writes are left out: nothing precedes them in any relation, so no cycle contains them. Expressions are
// shared between the axioms of a model, and so are their values.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "graph/program_classes.h"
#include "mixer/mixed_graph.h"
#include "model/ast.h"

namespace heddle::mixer {

class BitMatrix {
 public:
  void reset(std::size_t size) {
    size_ = size;
    words_ = (size + 63) / 64;
    bits_.assign(size * words_, 0);
  }
  std::size_t size() const { return size_; }
  std::size_t words() const { return words_; }
  std::uint64_t* row(std::size_t i) { return bits_.data() + i * words_; }
  const std::uint64_t* row(std::size_t i) const { return bits_.data() + i * words_; }
  void set(std::size_t i, std::size_t j) { row(i)[j / 64] |= std::uint64_t{1} << (j % 64); }
  bool test(std::size_t i, std::size_t j) const { return (row(i)[j / 64] >> (j % 64)) & 1; }

  void unite(const BitMatrix& other);
  void intersect(const BitMatrix& other);
  void subtract(const BitMatrix& other);
  void composeOf(const BitMatrix& a, const BitMatrix& b);  // a ; b
  void addIdentity();
  void close();  // transitively
  bool hasLoop() const;
  bool isEmpty() const;

 private:
  std::size_t size_ = 0, words_ = 0;
  std::vector<std::uint64_t> bits_;
};

class LiftedAxioms {
 public:
  explicit LiftedAxioms(ProgramClasses classes) : classes_(std::move(classes)) {}

  bool hold(const MixedGraph& graph, const std::vector<model::Axiom>& axioms);

 private:
  void numberEvents(const MixedGraph& graph);
  const BitMatrix& value(const model::Expr& expr);
  void evaluate(const model::Expr& expr, BitMatrix& result);
  void evaluateSequence(const model::Expr& expr, BitMatrix& result);
  void evaluateBase(const model::Expr& expr, BitMatrix& result);
  void programOrder(BitMatrix& result) const;
  std::size_t number(EventId id) const { return numbers_[id - kFirstEvent]; }

  struct Known {
    BitMatrix matrix;
    std::uint64_t epoch = 0;
  };

  ProgramClasses classes_;
  const MixedGraph* graph_ = nullptr;
  std::vector<EventId> events_;  // oldest first
  std::vector<std::uint32_t> numbers_;
  std::uint64_t epoch_ = 0;
  std::unordered_map<const model::Expr*, Known> known_;
};

}  // namespace heddle::mixer
