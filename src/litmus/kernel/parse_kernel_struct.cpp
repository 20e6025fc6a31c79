// Structures in the kernel's dialect. Each member of a variable is a location of its own.
//
//     { struct node { int value; struct node *next; };  struct node a = {1, &b};  struct node b;  int *head = &a; }
//     P0(struct node **head) { struct node *p = rcu_dereference(*head); r0 = READ_ONCE(p->value); }
//     exists (0:r0=1 /\ a.value=2)
//
// The dialect has no types, so `p->value` is `*(p + distance)` whatever p is, with a distance for each name of a member: members of the
// same name have the same one in all structures.
#include <fmt/format.h>

#include <algorithm>

#include "litmus/kernel/kernel_parser.h"

namespace heddle::litmus {

// At `struct NAME {`, in the initial state?
bool KernelParser::atStructure() {
  if (!token_.is("struct")) return false;
  const std::size_t here = lexer_.position();
  lexer_.next();
  const bool defines = lexer_.next().is("{");
  lexer_.setPosition(here);
  return defines;
}

// struct node { int value; struct node *next; int a[2]; }
void KernelParser::parseStructure() {
  advance();
  const std::size_t offset = token_.offset;
  const std::string name = expectName("the name of a structure");
  const auto [found, isNew] = structures_.try_emplace(name);
  if (!isNew) file_.fail(offset, fmt::format("`struct {}` is there already", name));
  expect("{", "before the members");
  while (!token_.is("}")) {
    skipType();
    do {
      while (accept("*") || accept("__rcu")) {}
      found->second.push_back(parseMember());
    } while (accept(","));
    expect(";", "after the member");
  }
  advance();
}

std::string KernelParser::parseMember() {
  const std::size_t offset = token_.offset;
  const std::string name = expectName("a member");
  std::uint64_t count = 0;  // no array
  if (accept("[")) {
    count = expectArrayLength();
    expect("]", "after the length");
  }
  const auto [found, isNew] = members_.try_emplace(name, Member{nextDistance_, count});
  if (isNew) nextDistance_ += std::max<std::uint64_t>(count, 1);
  if (found->second.count != count) {
    file_.fail(offset, fmt::format("the member `{}` has another length in another structure", name), "use another name");
  }
  if (nextDistance_ > kBetweenAddresses) file_.fail(offset, "there are too many members");
  return name;
}

// The location of a member, or of an element of it.
std::size_t KernelParser::memberOf(const std::string& variable, const std::string& member, std::uint64_t index) {
  const Member& of = members_.at(member);
  const std::string name =
      of.count == 0 ? fmt::format("{}.{}", variable, member) : fmt::format("{}.{}[{}]", variable, member, index);
  const std::size_t at = location(name);
  test_.program.locations[at].address = addressOf(variable) + of.distance + index;
  return at;
}

// struct node a    struct node a = {1, &b}    struct node a = {.next = &b}
void KernelParser::parseStructVariable(const std::string& structure, const std::string& variable) {
  const std::vector<std::string>& members = structures_.at(structure);
  location(variable);
  std::vector<std::size_t> places;
  for (const std::string& member : members) {
    for (std::uint64_t i = 0; i < std::max<std::uint64_t>(members_.at(member).count, 1); ++i) {
      places.push_back(memberOf(variable, member, i));
    }
  }
  if (!accept("=")) return;
  expect("{", "before the values of the structure");
  for (std::size_t next = 0; !token_.is("}"); ++next) {
    if (accept(".")) {
      const std::size_t offset = token_.offset;
      const std::string member = expectName("a member");
      if (std::ranges::find(members, member) == members.end())
        file_.fail(offset, fmt::format("`struct {}` has no member `{}`", structure, member));
      const std::size_t at = memberOf(variable, member, 0);
      next = static_cast<std::size_t>(std::ranges::find(places, at) - places.begin());
      expect("=", "after the member");
    }
    if (next >= places.size()) failHere(fmt::format("`struct {}` has fewer members", structure));
    test_.program.locations[places[next]].initial = static_cast<Value>(parseInitialValue());
    if (!accept(",")) break;
  }
  expect("}", "after the values of the structure");
}

// A location as the initial state and conditions name it: x    a[1]    n.value    n.a[1]
std::string KernelParser::expectLocationName(const char* what) {
  std::string name = expectName(what);
  if (accept(".")) name += fmt::format(".{}", expectName("a member"));
  if (token_.is("[")) {
    advance();
    name += fmt::format("[{}]", expectNumber());
    expect("]", "after the index");
  }
  return name;
}

// p->value    (*p).value: behind the expression. What an array's name stands for is its address.
KernelExpr KernelParser::parseMemberAccess(KernelExpr of) {
  const std::size_t offset = token_.offset;
  if (accept(".")) {
    of = pointerOfPlace(std::move(of), offset, "`.`");
  } else {
    advance();
    expect(">", "of `->`");
  }
  const std::size_t at = token_.offset;
  const std::string name = expectName("a member");
  const auto member = members_.find(name);
  if (member == members_.end()) {
    file_.fail(at, fmt::format("no structure has a member `{}`", name),
               "declare it in the initial state: { struct s { int x; }; }");
  }
  KernelExpr distance = make(KernelExprKind::constant);
  distance.value = static_cast<std::int64_t>(member->second.distance);
  KernelExpr place = make(KernelExprKind::binary, {std::move(of), std::move(distance)});
  place.op = Operator::add;
  return member->second.count != 0 ? place : make(KernelExprKind::plainLoad, {std::move(place)});
}

}  // namespace heddle::litmus
