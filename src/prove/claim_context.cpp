#include "prove/claim_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "model/cat.h"
#include "util/page.h"

namespace heddle::prove {

using model::CatError;

namespace {

constexpr LetterSet kEvery = (LetterSet{1} << kLetters) - 1;
constexpr const char* kAtomicity = "atomicity";  // the text of the assumption that follows from it

void unionParts(const KatPtr& term, std::vector<KatPtr>& parts) {
  if (term->kind != KatKind::unite) return parts.push_back(term);
  for (const auto& arg : term->args) unionParts(arg, parts);
}

void locationFilters(const KatPtr& term, std::vector<KatPtr>& inner) {
  if (term->kind == KatKind::filter && term->filter == Filter::sameLocation) inner.push_back(term->args[0]);
  for (const auto& arg : term->args) locationFilters(arg, inner);
}

// The parts of a sequence, flat.
void sequenceParts(const KatPtr& term, std::vector<KatPtr>& parts) {
  if (term->kind != KatKind::sequence) return parts.push_back(term);
  for (const auto& arg : term->args) sequenceParts(arg, parts);
}

// The same cycles from another event: y ; x for x ; y.
KatPtr turned(const KatPtr& cycles) {
  if (cycles->kind != KatKind::sequence) return cycles;
  const KatPtr& rest = cycles->args[1];
  if (rest->kind == KatKind::star && rest->args[0] == cycles->args[0]) return cycles;  // x+
  return sequence(rest, cycles->args[0]);
}

}  // namespace

ClaimContext::ClaimContext(const QueryFile& query, const Claim& claim, const ProverLimits& limits)
    : query_(query), claim_(claim), limits_(limits) {
  vocabulary_.sets = query.sets;
  vocabulary_.relations = query.relations;
  machineVocabulary_ = vocabulary_;
  sourceView_ = View::plain(query.sets, query.relations);
  machineView_ = sourceView_;
  if (!claim.mapping.empty()) {
    mapping_ = compileMapping(query.mappings.at(claim.mapping));
    machineVocabulary_.classes = [this](ClassSet classes) { return machineCells(*mapping_, classes); };
    machineView_.classes = mapping_->image;
    sourceView_.inserted = false;
  }
  irreflexive_ = {letters(only(Letter::po)), letters(kCo)};
  for (std::size_t i = 0; i < claim.assumptions; ++i) {
    statements_.push_back(&query.assumptions[i]);
    try {
      loadAssumption(query.assumptions[i]);
    } catch (const CatError& error) {
      unusable_.push_back(fmt::format("`{}` could not be used: {}", query.assumptions[i].text, util::firstLine(error.what())));
    }
  }
}

void ClaimContext::loadAssumption(const AssumeStatement& statement) {
  switch (statement.kind) {
    case AssumeKind::inclusion: return addInclusion(statement.left, statement.right, statement);
    case AssumeKind::equality:
      addInclusion(statement.left, statement.right, statement);
      return addInclusion(statement.right, statement.left, statement);
    case AssumeKind::transitive: facts_.transitive |= toKat(*statement.left, vocabulary_)->letters; return;
    case AssumeKind::total: return addTotal(statement);
    case AssumeKind::irreflexive: irreflexive_.push_back(toKat(*statement.left, vocabulary_)); return;
    case AssumeKind::acyclic: irreflexive_.push_back(plus(toKat(*statement.left, vocabulary_))); return;
  }
}

void ClaimContext::addInclusion(const model::ExprPtr& left, const model::ExprPtr& right, const AssumeStatement& statement) {
  if (left->type == model::ExprType::set) {
    impossible_ |= cellsOf(*left, vocabulary_) & ~cellsOf(*right, vocabulary_);
    return;
  }
  const KatPtr small = toKat(*left, vocabulary_);
  if (small->kind == KatKind::never) return;
  const KatPtr large = toKat(*right, vocabulary_);
  std::vector<Word> words;
  if (!finiteWords(*large, words)) {
    unusable_.push_back(
        fmt::format("`{}` could not be used: its right-hand side is not a word, or one of a few words", statement.text));
    return;
  }
  if (words.empty()) {
    empty_.push_back(small);
    return;
  }
  std::vector<KatPtr> parts;
  unionParts(small, parts);
  for (const KatPtr& part : parts) assumptions_.push_back({part, words, statement.text, false});
  const bool between = words.size() == 1 && words[0].steps.size() == 2 && words[0].steps[0] == words[0].steps[1] &&
                       words[0].steps[0] == only(Letter::po);
  const Cells fence = between ? words[0].tests[1] & cellsOfClasses(classes::kFence) & ~insertedCells() : Cells();
  if (fence.any()) insertable_.emplace_back(&statement, fence);
}

void ClaimContext::addTotal(const AssumeStatement& statement) {
  const LetterSet letter = toKat(*statement.left, vocabulary_)->letters;
  const Cells on = cellsOf(*statement.right, vocabulary_);
  facts_.transitive |= letter;
  irreflexive_.push_back(letters(letter));
  totals_.emplace_back(letter, on);
  // Only on the events of the set.
  empty_.push_back(sequence(test(~on), letters(letter)));
  empty_.push_back(sequence(letters(letter), test(~on)));
}

void ClaimContext::suppose(const model::Model& model, const std::string& name) {
  for (const model::Axiom& axiom : model.axioms) {
    try {
      if (axiom.kind == model::AxiomKind::empty) {
        if (axiom.expr->type == model::ExprType::set) {
          impossible_ |= cellsOf(*axiom.expr, machineVocabulary_);
        } else if (const auto other = meetsReadModifyWrite(*axiom.expr)) {
          irreflexive_.push_back(sequence(toKat(*other, machineVocabulary_), letters(only(Letter::rmwInverse))));
        } else {
          empty_.push_back(toKat(*axiom.expr, machineVocabulary_));
        }
        continue;
      }
      const KatPtr term = toKat(*axiom.expr, machineVocabulary_);
      irreflexive_.push_back(axiom.kind == model::AxiomKind::acyclic ? plus(term) : term);
    } catch (const CatError& error) {
      unusable_.push_back(fmt::format("axiom {} of {} could not be used: {}", axiom.name, name, util::firstLine(error.what())));
    }
  }
}

bool ClaimContext::supposes(const KatPtr& cycles) const {
  if (mapping_) return false;  // the two sides see different events
  return std::any_of(irreflexive_.begin(), irreflexive_.end(), [&](const KatPtr& term) { return sameTerm(*term, *cycles); });
}

void ClaimContext::prepare(const std::vector<KatPtr>& terms) {
  std::vector<Cells> tests{insertedCells(), impossible_, cellsOfClasses(classes::kRead), cellsOfClasses(classes::kWrite),
                           cellsOfClasses(classes::kRead | classes::kWrite)};
  if (mapping_) collectMappingTests(tests);
  // Letters that can occur: an inclusion's words are made of those of its left side and of the assumptions.
  for (unsigned l = 0; l < static_cast<unsigned>(Letter::openLoc); ++l) {
    tests.push_back(domainOf(static_cast<Letter>(l)));
    tests.push_back(rangeOf(static_cast<Letter>(l)));
  }
  for (const std::vector<KatPtr>* list :
       {&terms, static_cast<const std::vector<KatPtr>*>(&irreflexive_), static_cast<const std::vector<KatPtr>*>(&empty_),
        static_cast<const std::vector<KatPtr>*>(&shown_)}) {
    for (const KatPtr& term : *list) collectTests(*term, tests);
  }
  for (const Assumption& assumption : assumptions_) {
    collectTests(*assumption.left, tests);
    for (const Word& word : assumption.right) tests.insert(tests.end(), word.tests.begin(), word.tests.end());
  }
  for (const auto& [letter, on] : totals_) tests.push_back(on);
  atoms_ = std::make_unique<Atoms>(tests, static_cast<unsigned>(query_.sets.size()), mapping_.has_value());
  const Mask real = mapping_ ? atoms_->mask(machineEvents(*mapping_)) : atoms_->all();
  if (mapping_) buildFenceTable();
  const LetterSet alive = lettersOfLeft(terms);
  theory_ = std::make_unique<Theory>(*atoms_, facts_, assumptions_, real, alive, mapping_ ? &fences_ : nullptr);
  deriveFacts(alive);
}

// The letters that words on the left can have: those of the terms, those of the facts to be derived, and those that
// stretches of them are rewritten to. (Assumptions are used on the right only.)
LetterSet ClaimContext::lettersOfLeft(const std::vector<KatPtr>& terms) const {
  LetterSet result = kRf | kCo | kRb | lettersOf(Letter::po, Letter::poLoc, Letter::openLoc, Letter::closeLoc);
  for (const KatPtr& term : terms) result |= lettersIn(*term);
  if (mapping_) result |= kPastFences | only(Letter::rmw);
  // Atomicity is used through the halves of a read-modify-write, whether a word has them or not.
  if (atomic()) result |= lettersOf(Letter::rmw, Letter::rmwInverse);
  if (totals_.empty()) return result;
  for (const KatPtr& term : irreflexive_) result |= lettersIn(*term);
  return result;
}

void ClaimContext::collectMappingTests(std::vector<Cells>& tests) const {
  tests.push_back(machineEvents(*mapping_));
  for (unsigned c = 0; c < kEventClasses; ++c) {
    const bool plain = mapping_->before[c].empty() && mapping_->after[c].empty();
    if (!plain) tests.push_back(cellsOfClasses(ClassSet::of(c)) & ~insertedCells());
    for (const auto* list : {&mapping_->before[c], &mapping_->after[c]}) {
      for (const unsigned fence : *list) tests.push_back(cellsOfClasses(ClassSet::of(fence)) & insertedCells());
    }
  }
  // The fences of a read-modify-write are those of both halves.
  for (const Order order : {Order::relaxed, Order::acquire, Order::release, Order::acq_rel, Order::seq_cst}) {
    const EventClass read = eventClass(EventKind::read, order, true);
    const EventClass write = eventClass(EventKind::write, order, true);
    const bool plain = mapping_->before[read].empty() && mapping_->after[read].empty() && mapping_->before[write].empty() &&
                       mapping_->after[write].empty();
    if (plain) continue;
    tests.push_back(cellsOfClasses(ClassSet::of(read)));
    tests.push_back(cellsOfClasses(ClassSet::of(write)));
  }
  tests.push_back(cellsOfClasses(classes::kRead & classes::kRmw));
  tests.push_back(cellsOfClasses(classes::kWrite & classes::kRmw));
}

void ClaimContext::buildFenceTable() {
  // Atoms of one class as far as the mapping goes.
  std::map<std::tuple<std::vector<unsigned>, std::vector<unsigned>, unsigned>, std::pair<Mask, unsigned>> groups;
  for (unsigned atom = 0; atom < atoms_->size(); ++atom) {
    unsigned cell = 0;
    while (!atoms_->cells(atom)[cell]) ++cell;
    if (isInserted(cell)) continue;
    const unsigned c = classOfCell(cell);
    const auto cls = static_cast<EventClass>(c);
    const bool half = contains(classes::kRmw & (classes::kRead | classes::kWrite), cls);
    auto& group = groups[{mapping_->before[c], mapping_->after[c], half ? c + 1 : 0}];
    group.first |= Mask{1} << atom;
    group.second = c;
  }
  fences_ = {};
  std::vector<unsigned> examples;
  for (const auto& [key, group] : groups) {
    fences_.groups.push_back(group.first);
    examples.push_back(group.second);
  }
  for (const unsigned from : examples) {
    fences_.between.emplace_back();
    for (const unsigned to : examples) {
      std::vector<Mask> masks;
      for (const unsigned fence : fencesBetween(*mapping_, from, to)) {
        masks.push_back(atoms_->mask(cellsOfClasses(ClassSet::of(fence)) & insertedCells()));
      }
      fences_.between.back().push_back(std::move(masks));
    }
  }
}

namespace {

constexpr std::size_t kEveryTerm = ~std::size_t{0};

std::size_t sizeOf(const Kat& term) {
  std::size_t result = 1;
  for (const KatPtr& arg : term.args) result += sizeOf(*arg);
  return result;
}

}  // namespace

// By terms of at most this size.
void ClaimContext::rebuild(std::size_t most) {
  KatPtr everything = never();
  for (const KatPtr& term : irreflexive_) {
    if (sizeOf(*term) <= most) everything = unite(everything, term);
  }
  for (const KatPtr& term : empty_) everything = unite(everything, sequence(term, star(letters(kEvery))));
  forbidden_ = std::make_unique<RightHand>(theory_->right(everything), atoms_->all());
}

bool ClaimContext::forbids(const KatPtr& cycles) {
  if (shownForbidden_ && forbids(cycles, *shownForbidden_)) return true;
  return forbids(cycles, *forbidden_);
}

bool ClaimContext::forbids(const KatPtr& cycles, const RightHand& right) {
  const Mask events = atoms_->all() & ~atoms_->mask(impossible_) & ~(mapping_ ? atoms_->mask(insertedCells()) : 0);
  CycleInclusion search(theory_->leftCycles(cycles, events, false), right, *atoms_, {.pairs = limits_.pairs, .missing = 1});
  if (search.asItStands()) return true;
  return !search.hopeless() && (search.fromAnchors(anchors()) || (!search.hopeless() && search.inAnyRotation()));
}

// Where the right rotation of a cycle may begin: with what another thread sees, behind all that is seen, or at a
// seq_cst fence.
std::vector<Anchor> ClaimContext::anchors() const {
  const Mask fences = atoms_->mask(machineVocabulary_.classes(classes::kFence & classes::ofOrder(Order::seq_cst)));
  const LetterSet overtakes = lettersOf(Letter::coe, Letter::rbe);
  const LetterSet seen = kRf | kCo | kRb;
  const Mask all = ~Mask{0};
  const LetterSet every = ~LetterSet{0};
  std::vector<Anchor> result{{~kOtherThread, all, kOtherThread}, {~overtakes, all, overtakes}, {seen, all, ~seen}};
  // First or last: do right words begin at fences?
  const auto& first = forbidden_->automaton().steps[0];
  const Mask access = atoms_->mask(cellsOfClasses(classes::kRead | classes::kWrite));
  const bool atFences = std::any_of(first.begin(), first.end(),
                                    [&](const Step& step) { return (step.guard & fences) != 0 && (step.guard & access) == 0; });
  result.insert(atFences ? result.begin() : result.end(), Anchor{every, fences, every});
  return result;
}

void ClaimContext::deriveFacts(LetterSet alive) {
  if (irreflexive_.size() <= 2) return rebuild(kEveryTerm);  // only what is known of every graph
  // Coherence is said by small axioms, mostly, and the large ones take long to compile.
  constexpr std::size_t kSmall = 150;
  const bool large =
      std::any_of(irreflexive_.begin(), irreflexive_.end(), [](const KatPtr& term) { return sizeOf(*term) > kSmall; });
  if (!large || !deriveCoherence(kSmall)) deriveCoherence(kEveryTerm);
  rebuild(kEveryTerm);
  deriveTotalOrders();
  if (!shown_.empty()) {
    KatPtr shown = unite(letters(only(Letter::po)), letters(kCo));
    for (const KatPtr& term : shown_) shown = unite(shown, term);
    const Mask source = atoms_->all() & ~atoms_->mask(insertedCells());
    shownForbidden_ =
        std::make_unique<RightHand>(Theory(*atoms_, facts_, assumptions_, source, alive, nullptr).right(shown), atoms_->all());
  }
}

// What coherence gives beyond its own words, by axioms of at most this size. Each fact is used for the next. True if
// all that is asked for was found.
bool ClaimContext::deriveCoherence(std::size_t most) {
  std::erase_if(assumptions_, [](const Assumption& a) { return a.text == kAtomicity; });
  facts_.internalCoherence = facts_.internalReadsBefore = facts_.pairsCohere = false;
  facts_.coherenceWords.clear();
  rebuild(most);
  const KatPtr inThread = letters(only(Letter::po));
  facts_.internalCoherence = forbids(sequence(inThread, letters(only(Letter::coi))));
  facts_.internalReadsBefore = forbids(sequence(inThread, letters(only(Letter::rbi))));
  if (facts_.internalCoherence || facts_.internalReadsBefore) rebuild(most);
  bool all = facts_.internalCoherence && facts_.internalReadsBefore;
  if (atomic()) {
    const KatPtr between = sequence(sequence(letters(kRb), letters(kCo)), letters(only(Letter::rmwInverse)));
    if (forbids(between)) {
      // r reads for r ; w, and is overtaken by w': not w' before w, so w' is w or after it.
      const Word own{{allCells(), allCells()}, {only(Letter::rmw)}};
      const Word later{{allCells(), allCells(), allCells()}, {only(Letter::rmw), kCo}};
      const KatPtr left = sequence(test(cellsOfClasses(classes::kRead & classes::kRmw)), letters(kRb));
      assumptions_.push_back({left, {own, later}, kAtomicity, true});
    } else {
      all = false;
    }
  }
  const KatPtr writes = test(cellsOfClasses(classes::kWrite));
  const KatPtr order = letters(only(Letter::poLoc));
  const KatPtr afterRead = sequence(letters(kRf), order);
  for (const KatPtr& word : {order, afterRead, sequence(order, letters(kRb)), sequence(afterRead, letters(kRb))}) {
    const KatPtr between = sequence(sequence(writes, word), writes);
    if (!forbids(between) || !forbids(sequence(between, letters(kCo)))) {
      all = false;
      continue;
    }
    facts_.coherenceWords.push_back(word);
    facts_.pairsCohere |= word == afterRead;
  }
  return all;
}

// Do axioms speak of atomicity?
bool ClaimContext::atomic() const {
  return std::any_of(irreflexive_.begin(), irreflexive_.end(),
                     [](const KatPtr& term) { return has(lettersIn(*term), Letter::rmwInverse); });
}

// Which filters e & loc of the term agree with the order of writes?
void ClaimContext::orderFilters(const std::vector<KatPtr>& inner) {
  for (const KatPtr& term : inner) {
    const auto alike = [&](const LocationFilter& known) { return sameTerm(*known.inner, *term); };
    auto known = std::find_if(filters_.begin(), filters_.end(), alike);
    if (known == filters_.end()) known = filters_.insert(known, orderOf(term));
    if (known->agrees()) facts_.ordered.push_back(term.get());
  }
}

// Does e & loc contradict the order of the writes that its ends are or read? By the kinds of the ends.
ClaimContext::LocationFilter ClaimContext::orderOf(const KatPtr& inner) {
  const KatPtr writes = test(cellsOfClasses(classes::kWrite));
  const KatPtr reads = test(cellsOfClasses(classes::kRead));
  const KatPtr rf = letters(kRf);
  const KatPtr co = letters(kCo);
  const KatPtr rb = letters(kRb);
  const auto between = [&](const KatPtr& from, const KatPtr& to) { return sequence(sequence(from, inner), to); };
  const KatPtr ww = between(writes, writes);
  const KatPtr rw = between(reads, writes);
  LocationFilter result{inner, false, false, false, false};
  result.writeWrite = forbids(ww) && forbids(sequence(ww, co));
  result.writeRead = forbids(sequence(between(writes, reads), rb));
  result.readWrite = forbids(sequence(rw, rf)) && forbids(sequence(sequence(rw, co), rf));
  result.readRead = forbids(sequence(sequence(between(reads, reads), rb), rf));
  return result;
}

// A declared total order t (Prop. 12 with its missing premise): if t ; x is forbidden to be a cycle and x too, then x,
// between events that t orders, is inside t.
void ClaimContext::deriveTotalOrders() {
  bool more = false;
  for (const auto& [letter, on] : totals_) {
    for (const KatPtr& term : std::vector<KatPtr>(irreflexive_)) {
      std::vector<KatPtr> summands;
      unionParts(term, summands);
      for (const KatPtr& summand : summands) {
        std::vector<KatPtr> parts;
        sequenceParts(summand, parts);
        if (parts.size() < 2 || parts[0]->kind != KatKind::letters || parts[0]->letters != letter) continue;
        KatPtr rest = anything();
        for (std::size_t i = 1; i < parts.size(); ++i) rest = sequence(rest, parts[i]);
        std::vector<KatPtr> candidates;
        unionParts(rest, candidates);
        for (const KatPtr& candidate : candidates) {
          const KatPtr between = sequence(sequence(test(on), candidate), test(on));
          if (!forbids(between) || !forbids(sequence(letters(letter), between))) continue;
          assumptions_.push_back({between, {Word{{allCells(), allCells()}, {letter}}}, "totality", true});
          more = true;
        }
      }
    }
  }
  if (more) rebuild(kEveryTerm);
}

// Facts about e & loc that make the right side larger: only where the left side alone was not enough.
void ClaimContext::deriveFromFilters() {
  for (const LocationFilter& filter : filters_) {
    const KatPtr inPlace = filtered(filter.inner, Filter::sameLocation);
    const KatPtr writes = test(cellsOfClasses(classes::kWrite));
    const KatPtr reads = test(cellsOfClasses(classes::kRead));
    if (filter.writeWrite) facts_.coherenceWords.push_back(inPlace);
    if (filter.writeRead) {
      const Word direct{{allCells(), allCells()}, {kRf}};
      const Word later{{allCells(), allCells(), allCells()}, {kCo, kRf}};
      assumptions_.push_back({sequence(sequence(writes, inPlace), reads), {direct, later}, "coherence", true});
    }
    if (filter.readWrite) {
      const Word overtaken{{allCells(), allCells()}, {kRb}};
      assumptions_.push_back({sequence(sequence(reads, inPlace), writes), {overtaken}, "coherence", true});
    }
  }
  if (!filters_.empty()) rebuild(kEveryTerm);
}

InclusionResult ClaimContext::included(const KatPtr& left, const KatPtr& right, std::size_t words) {
  const Mask events = atoms_->all() & ~atoms_->mask(impossible_) & ~(mapping_ ? atoms_->mask(insertedCells()) : 0);
  KatPtr whole = right;
  for (const KatPtr& term : empty_) {
    whole = unite(whole, sequence(star(letters(kEvery)), sequence(term, star(letters(kEvery)))));
  }
  return includes(theory_->left(left, events), RightHand(theory_->right(whole), atoms_->all()), *atoms_,
                  {.pairs = limits_.pairs, .missing = words});
}

// The language of the cycles is written in three ways, and each is compared in three: as it stands, from anchors, in
// any rotation. Only if the last of the three finds a word that is not covered, the claim may be false.
InclusionResult ClaimContext::forbidden(const KatPtr& cycles, std::size_t words) {
  const Mask events = atoms_->all() & ~atoms_->mask(impossible_) & ~(mapping_ ? atoms_->mask(insertedCells()) : 0);
  const auto searchFor = [&](const KatPtr& term, bool contracted, std::size_t missing) {
    return CycleInclusion(theory_->leftCycles(term, events, contracted), *forbidden_, *atoms_,
                          InclusionLimits{.pairs = limits_.pairs, .missing = missing});
  };
  std::vector<KatPtr> inner;
  locationFilters(cycles, inner);
  // Another way of writing the same model needs no rewriting. A machine's model is seldom that.
  for (const bool literal : {!mapping_.has_value(), mapping_.has_value()}) {
    if (inner.empty()) break;
    if (literal) {
      CycleInclusion search = searchFor(cycles, false, 1);
      if (search.wordByWord()) return search.result();
      continue;
    }
    orderFilters(inner);
    if (facts_.ordered.empty()) continue;
    CycleInclusion search = searchFor(cycles, true, words);
    if (search.asItStands() || (!search.hopeless() && search.fromAnchors(anchors()))) return search.result();
    if (!search.hopeless() && search.inAnyRotation()) return search.result();
  }
  if (!facts_.ordered.empty()) {
    facts_.ordered.clear();
    deriveFromFilters();
  }
  std::vector<CycleInclusion> searches;
  const auto add = [&](const KatPtr& term, bool contracted) {
    searches.push_back(searchFor(term, contracted, words));
    return searches.back().asItStands();
  };
  if (add(cycles, true)) return searches.back().result();
  const KatPtr other = turned(cycles);
  if (other != cycles && add(other, true)) return searches.back().result();
  for (CycleInclusion& search : searches) {
    if (!search.hopeless() && search.fromAnchors(anchors())) return search.result();
  }
  if (add(cycles, false)) return searches.back().result();
  if (!searches.back().hopeless() && searches.back().fromAnchors(anchors())) return searches.back().result();
  for (CycleInclusion& search : searches) {
    if (!search.hopeless() && search.inAnyRotation()) return search.result();
  }
  // The words that are missing, those of the shortest form first.
  InclusionResult result = searches.back().result();
  for (std::size_t i = searches.size() - 1; i-- > 0;) {
    const std::vector<GuardedWord>& more = searches[i].result().missing;
    result.missing.insert(result.missing.begin(), more.begin(), more.end());
  }
  return result;
}

}  // namespace heddle::prove
