#include "runtime/states.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "memory/poison.h"
#include "runtime/fiber.h"

namespace heddle::runtime {

namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr std::size_t kSmallestBlock = 64;

}  // namespace

std::size_t States::stackBytes(ThreadId thread, const Context& context) {
  return stackTop(thread) - reinterpret_cast<Address>(context.sp) + context.arena;
}

// ---- Memory: blocks of a few sizes, the ones that were freed last first, since they are in the cache. A sanitizer sees
// freed blocks as such.

unsigned States::classOf(std::size_t size) { return static_cast<unsigned>(std::bit_width((size - 1) / kSmallestBlock)); }

void* States::takeBlock(std::size_t size) {
  const unsigned cls = classOf(size);
  if (cls >= kClasses) {
    bytes_ += size;
    return ::operator new(size);
  }
  const std::size_t room = kSmallestBlock << cls;
  bytes_ += room;
  if (FreeBlock* const block = freeBlocks_[cls]) {
    memory::unpoison(block, room);
    freeBlocks_[cls] = block->next;
    return block;
  }
  if (static_cast<std::size_t>(chunkEnd_ - chunk_) < room) {
    const std::size_t bytes = std::max(kChunkBytes, room);
    chunks_.push_back(static_cast<std::byte*>(::operator new(bytes, std::align_val_t{kSmallestBlock})));
    chunk_ = chunks_.back();
    chunkEnd_ = chunk_ + bytes;
  }
  void* const block = chunk_;
  chunk_ += room;
  return block;
}

void States::giveBlock(void* block, std::size_t size) {
  const unsigned cls = classOf(size);
  if (cls >= kClasses) {
    bytes_ -= size;
    ::operator delete(block);
    return;
  }
  bytes_ -= kSmallestBlock << cls;
  freeBlocks_[cls] = new (block) FreeBlock{freeBlocks_[cls]};
  memory::poison(block, kSmallestBlock << cls);
}

void States::clear() {
  for (std::byte* const chunk : chunks_) ::operator delete(chunk, std::align_val_t{kSmallestBlock});
  chunks_.clear();
  chunk_ = chunkEnd_ = nullptr;
  freeBlocks_.fill(nullptr);
  native_.fill(nullptr);
  bytes_ = 0;
  limit_ = kFirstLimit;
}

// ---- States.

State* States::create(ThreadId thread, const Operation& operation, const Context& context) {
  State* const state = new (takeBlock(sizeof(State))) State;
  state->operation = operation;
  state->context = context;
  state->thread = thread;
  if (!isFinal(operation)) {
    state->stackBytes = static_cast<std::uint32_t>(stackBytes(thread, context));
    state->stack = static_cast<std::byte*>(takeBlock(state->stackBytes));
    std::memcpy(state->stack, context.sp, state->stackBytes);
  }
  adopt(state);
  return state;
}

State* States::addRoot(ThreadId thread, const Operation& operation, const Context& context) {
  State* const state = create(thread, operation, context);
  state->root = state;
  return state;
}

State* States::add(State* from, Result result, std::span<const PlainAccess> accesses, const Operation& operation,
                   const Context& context) {
  State* to = sameChild(from, operation, context);
  if (to) {
    adopt(to);
  } else {
    to = create(from->thread, operation, context);
    to->root = from->root;
    to->parent = from;
    to->next = from->firstChild;
    from->firstChild = to;
  }
  Edge edge{.value = result.value,
            .to = to,
            .accesses = nullptr,
            .accessCount = static_cast<std::uint32_t>(accesses.size()) & 0x7fffffff,
            .success = result.success,
            .era = era_};
  if (!accesses.empty()) {
    edge.accesses = static_cast<PlainAccess*>(takeBlock(accesses.size_bytes()));
    std::copy(accesses.begin(), accesses.end(), edge.accesses);
  }
  addEdge(from, edge);
  return to;
}

// Looks at the newest few only: if results do not matter, there is one child.
State* States::sameChild(const State* from, const Operation& operation, const Context& context) const {
  State* child = from->firstChild;
  for (int i = 0; child && i < 2; ++i, child = child->next) {
    if (std::memcmp(&child->context, &context, sizeof context) != 0 || !(child->operation == operation)) continue;
    if (!child->stack || std::memcmp(child->stack, context.sp, child->stackBytes) == 0) return child;
  }
  return nullptr;
}

// ---- Edges.

bool States::hasRoom(const State* from, Result result) const {
  if (!isWorthwhile(from) || from->edgeCount >= kMostEdges) return false;
  unsigned alike = 0;  // but for the values that they read
  const std::size_t room = std::size_t{1} << from->edgeBits;
  for (std::size_t i = 0; from->edges && i < room; ++i) alike += from->edges[i].to && isAbout(from->edges[i], result);
  return alike < kMostAlike;
}

void States::putEdge(State* from, const Edge& edge) {
  const std::size_t mask = (std::size_t{1} << from->edgeBits) - 1;
  std::size_t i = placeOf(edge.value, from->edgeBits);
  while (from->edges[i].to) i = (i + 1) & mask;
  from->edges[i] = edge;
}

void States::addEdge(State* from, const Edge& edge) {
  const std::size_t room = from->edges ? std::size_t{1} << from->edgeBits : 0;
  if (2 * from->edgeCount >= room) {
    Edge* const old = from->edges;
    from->edgeBits = old ? from->edgeBits + 1 : 1;
    const std::size_t bytes = sizeof(Edge) << from->edgeBits;
    from->edges = static_cast<Edge*>(takeBlock(bytes));
    std::memset(from->edges, 0, bytes);
    for (std::size_t i = 0; i < room; ++i) {
      if (old[i].to) putEdge(from, old[i]);
    }
    if (old) giveBlock(old, room * sizeof(Edge));
  }
  putEdge(from, edge);
  ++from->edgeCount;
}

void States::freeEdges(State* state) {
  if (!state->edges) return;
  for (std::size_t i = 0; i < std::size_t{1} << state->edgeBits; ++i) {
    const Edge& edge = state->edges[i];
    if (edge.to && edge.accesses) giveBlock(edge.accesses, edge.accessCount * sizeof(PlainAccess));
  }
  giveBlock(state->edges, sizeof(Edge) << state->edgeBits);
  state->edges = nullptr;
  state->edgeCount = state->edgeBits = 0;
}

void States::restore(const State* state) {
  if (native_[state->thread] == state) return;
  std::memcpy(state->context.sp, state->stack, state->stackBytes);
  adopt(state);
}

void States::freeOne(State* state) {
  if (native_[state->thread] == state) native_[state->thread] = nullptr;
  freeEdges(state);
  if (state->stack) giveBlock(state->stack, state->stackBytes);
  giveBlock(state, sizeof(State));
}

// A state and all below it.
void States::free(State* state) {
  const std::size_t bottom = work_.size();
  work_.push_back(state);
  while (work_.size() > bottom) {
    State* const each = work_.back();
    work_.pop_back();
    for (State* child = each->firstChild; child; child = child->next) work_.push_back(child);
    freeOne(each);
  }
}

// ---- Cutting back: the states in use stay, and those on the ways to them from their roots. What was known about steps
// from them does not.

void States::keep(State* state) {
  for (; state && !state->kept; state = state->parent) state->kept = true;
}

void States::cut(State* state) {
  State* const root = state->root;
  if (!root->kept) return;  // done already
  work_.push_back(root);
  while (!work_.empty()) {
    State* const each = work_.back();
    work_.pop_back();
    each->kept = false;
    freeEdges(each);
    State* child = std::exchange(each->firstChild, nullptr);
    while (child) {
      State* const next = child->next;
      if (child->kept) {
        child->next = each->firstChild;
        each->firstChild = child;
        work_.push_back(child);
      } else {
        free(child);
      }
      child = next;
    }
  }
  limit_ = std::max(kFirstLimit, 2 * bytes_);
}

}  // namespace heddle::runtime
