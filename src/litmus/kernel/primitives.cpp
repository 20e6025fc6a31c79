#include "litmus/kernel/primitives.h"

#include <algorithm>
#include <array>

namespace heddle::litmus {

namespace {

struct NamedPrimitive {
  std::string_view name;
  Primitive primitive;
};

constexpr Primitive access(PrimitiveKind kind, EventTag tag, std::optional<EventTag> fence = {}) {
  const bool writes = kind == PrimitiveKind::store || kind == PrimitiveKind::storeTo;
  return {.kind = kind, .tag = tag, .fence = fence, .arguments = writes ? 2U : 1U};
}
constexpr Primitive fenceOf(EventTag tag) { return {.kind = PrimitiveKind::fence, .tag = tag}; }
constexpr Primitive ofLock(PrimitiveKind kind, unsigned arguments = 1) { return {.kind = kind, .arguments = arguments}; }
constexpr Primitive kUnlockOfReader = {
    .kind = PrimitiveKind::fetchUpdate, .strength = Strength::release, .op = Operator::sub, .byOne = true, .arguments = 1};
constexpr Primitive kUnlockOfWriter = {.kind = PrimitiveKind::unlockOfWriter, .tag = EventTag::release, .arguments = 1};

constexpr NamedPrimitive kPrimitives[] = {
    {"READ_ONCE", access(PrimitiveKind::load, EventTag::once)},
    {"WRITE_ONCE", access(PrimitiveKind::store, EventTag::once)},
    {"rcu_dereference", access(PrimitiveKind::load, EventTag::once)},
    {"rcu_dereference_protected", access(PrimitiveKind::load, EventTag::once)},
    {"rcu_dereference_raw", access(PrimitiveKind::load, EventTag::once)},
    {"rcu_access_pointer", access(PrimitiveKind::load, EventTag::once)},
    {"lockless_dereference", access(PrimitiveKind::load, EventTag::once)},
    {"rcu_assign_pointer", access(PrimitiveKind::store, EventTag::release)},
    {"smp_store_mb", access(PrimitiveKind::store, EventTag::once, EventTag::mb)},
    {"smp_load_acquire", access(PrimitiveKind::loadFrom, EventTag::acquire)},
    {"smp_store_release", access(PrimitiveKind::storeTo, EventTag::release)},
    {"atomic_read", access(PrimitiveKind::loadFrom, EventTag::once)},
    {"atomic_set", access(PrimitiveKind::storeTo, EventTag::once)},
    {"atomic_read_acquire", access(PrimitiveKind::loadFrom, EventTag::acquire)},
    {"atomic_set_release", access(PrimitiveKind::storeTo, EventTag::release)},

    {"smp_mb", fenceOf(EventTag::mb)},
    {"smp_rmb", fenceOf(EventTag::rmb)},
    {"smp_wmb", fenceOf(EventTag::wmb)},
    {"barrier", fenceOf(EventTag::barrier)},
    // Of the past: dependencies order reads by themselves.
    {"smp_read_barrier_depends", fenceOf(EventTag::barrier)},
    {"smp_mb__before_atomic", fenceOf(EventTag::beforeAtomic)},
    {"smp_mb__after_atomic", fenceOf(EventTag::afterAtomic)},
    {"smp_mb__after_spinlock", fenceOf(EventTag::afterSpinlock)},
    {"smp_mb__after_unlock_lock", fenceOf(EventTag::afterUnlockLock)},
    {"smp_mb__after_srcu_read_unlock", fenceOf(EventTag::afterSrcuReadUnlock)},
    {"rcu_read_lock", fenceOf(EventTag::rcuLock)},
    {"rcu_read_unlock", fenceOf(EventTag::rcuUnlock)},
    {"synchronize_rcu", fenceOf(EventTag::syncRcu)},
    {"synchronize_rcu_expedited", fenceOf(EventTag::syncRcu)},

    {"srcu_read_lock", access(PrimitiveKind::loadFrom, EventTag::srcuLock)},
    {"srcu_down_read", access(PrimitiveKind::loadFrom, EventTag::srcuLock)},
    {"srcu_read_unlock", access(PrimitiveKind::storeTo, EventTag::srcuUnlock)},
    {"srcu_up_read", access(PrimitiveKind::storeTo, EventTag::srcuUnlock)},
    {"synchronize_srcu", ofLock(PrimitiveKind::syncSrcu)},
    {"synchronize_srcu_expedited", ofLock(PrimitiveKind::syncSrcu)},

    {"spin_lock", ofLock(PrimitiveKind::lock)},
    {"spin_unlock", ofLock(PrimitiveKind::unlock)},
    {"spin_trylock", ofLock(PrimitiveKind::tryLock)},
    {"raw_spin_lock", ofLock(PrimitiveKind::lock)},
    {"raw_spin_unlock", ofLock(PrimitiveKind::unlock)},
    {"raw_spin_trylock", ofLock(PrimitiveKind::tryLock)},
    {"spin_lock_irq", ofLock(PrimitiveKind::lock)},
    {"spin_unlock_irq", ofLock(PrimitiveKind::unlock)},
    {"spin_lock_bh", ofLock(PrimitiveKind::lock)},
    {"spin_unlock_bh", ofLock(PrimitiveKind::unlock)},
    {"spin_lock_irqsave", ofLock(PrimitiveKind::lock, 2)},
    {"spin_unlock_irqrestore", ofLock(PrimitiveKind::unlock, 2)},
    {"mutex_lock", ofLock(PrimitiveKind::lock)},
    {"mutex_unlock", ofLock(PrimitiveKind::unlock)},
    {"mutex_trylock", ofLock(PrimitiveKind::tryLock)},
    {"mutex_is_locked", ofLock(PrimitiveKind::isLocked)},
    {"read_lock", ofLock(PrimitiveKind::lockToRead)},
    {"read_trylock", ofLock(PrimitiveKind::tryLockToRead)},
    {"read_unlock", kUnlockOfReader},
    {"write_lock", ofLock(PrimitiveKind::lockToWrite)},
    {"write_trylock", ofLock(PrimitiveKind::tryLockToWrite)},
    {"write_unlock", kUnlockOfWriter},
    {"spin_is_locked", ofLock(PrimitiveKind::isLocked)},
    {"spin_unlock_wait", ofLock(PrimitiveKind::waitUnlocked)},
};

bool takeFront(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

bool takeBack(std::string_view& text, std::string_view back) {
  if (!text.ends_with(back)) return false;
  text.remove_suffix(back.size());
  return true;
}

Strength takeStrength(std::string_view& name) {
  if (takeBack(name, "_relaxed")) return Strength::relaxed;
  if (takeBack(name, "_acquire")) return Strength::acquire;
  if (takeBack(name, "_release")) return Strength::release;
  return Strength::full;
}

// add, sub, inc, ...: what an update does.
bool setOperator(Primitive& primitive, std::string_view name) {
  struct Named {
    std::string_view name;
    Operator op;
    bool byOne, complemented;
  };
  static constexpr Named kOperators[] = {
      {"add", Operator::add, false, false},    {"sub", Operator::sub, false, false},      {"inc", Operator::add, true, false},
      {"dec", Operator::sub, true, false},     {"and", Operator::bitAnd, false, false},   {"or", Operator::bitOr, false, false},
      {"xor", Operator::bitXor, false, false}, {"andnot", Operator::bitAnd, false, true},
  };
  const auto* found = std::ranges::find(kOperators, name, &Named::name);
  if (found == std::end(kOperators)) return false;
  primitive.op = found->op;
  primitive.byOne = found->byOne;
  primitive.complemented = found->complemented;
  primitive.operandFirst = !found->byOne;
  primitive.arguments = found->byOne ? 1 : 2;
  return true;
}

// What comes after "atomic_".
std::optional<Primitive> atomicPrimitive(std::string_view name) {
  Primitive primitive;
  primitive.strength = takeStrength(name);
  const bool strengthIsGiven = primitive.strength != Strength::full;
  if (name == "xchg" || name == "cmpxchg") {
    primitive.kind = name == "xchg" ? PrimitiveKind::exchange : PrimitiveKind::compareExchange;
    primitive.arguments = name == "xchg" ? 2 : 3;
    return primitive;
  }
  if (name == "add_unless" && !strengthIsGiven) {
    primitive.kind = PrimitiveKind::addUnless;
    primitive.arguments = 3;
    return primitive;
  }
  if (name == "inc_not_zero" && !strengthIsGiven) {
    primitive.kind = PrimitiveKind::addUnless;
    primitive.byOne = true;
    primitive.arguments = 1;
    return primitive;
  }
  primitive.kind = PrimitiveKind::update;
  if (takeFront(name, "fetch_")) {
    primitive.kind = PrimitiveKind::fetchUpdate;
  } else if (takeBack(name, "_return")) {
    primitive.kind = PrimitiveKind::updateReturn;
  } else if (takeBack(name, "_and_test")) {
    primitive.kind = PrimitiveKind::updateTest;
  } else if (takeBack(name, "_negative")) {
    primitive.kind = PrimitiveKind::updateNegative;
  } else if (strengthIsGiven) {
    return std::nullopt;  // nothing is returned, so there is nothing to order
  }
  return setOperator(primitive, name) ? std::optional(primitive) : std::nullopt;
}

}  // namespace

std::optional<Primitive> findPrimitive(std::string_view name) {
  std::string_view rest = name;
  const bool isWide = takeFront(rest, "atomic64_") || takeFront(rest, "atomic_long_");
  if (!isWide && !takeFront(rest, "atomic_")) rest = {};
  const std::string usual = rest.empty() ? std::string(name) : "atomic_" + std::string(rest);
  const auto* found = std::ranges::find(kPrimitives, usual, &NamedPrimitive::name);
  if (found != std::end(kPrimitives)) return found->primitive;
  if (rest.empty() && (name.starts_with("xchg") || name.starts_with("cmpxchg"))) rest = name;
  return atomicPrimitive(rest);
}

}  // namespace heddle::litmus
