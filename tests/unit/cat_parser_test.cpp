// What the .cat parser accepts, how it resolves names, and how expressions print.
#include <gtest/gtest.h>

#include <map>

#include "model/cat.h"

namespace heddle::model {
namespace {

ExprPtr parse(const std::string& expr) { return parseCat("empty " + expr, "test.cat").axioms.at(0).expr; }
std::string resolved(const std::string& expr) { return toString(*parse(expr)); }

// The shape of an expression, fully parenthesised.
std::string shape(const Expr& e) {
  auto all = [&](const std::string& op) {
    std::string text = "(" + op;
    for (const ExprPtr& arg : e.args) text += " " + shape(*arg);
    return text + ")";
  };
  switch (e.kind) {
    case ExprKind::base: return e.name;
    case ExprKind::empty: return e.type == ExprType::set ? "0s" : "0";
    case ExprKind::bracket: return all("test");
    case ExprKind::unite: return all("|");
    case ExprKind::intersect: return all("&");
    case ExprKind::subtract: return all("\\");
    case ExprKind::complement: return all("~");
    case ExprKind::product: return all("x");
    case ExprKind::sequence: return all(";");
    case ExprKind::inverse: return all("^-1");
    case ExprKind::plus: return all("+");
    case ExprKind::star: return all("*");
    case ExprKind::optional: return all("?");
    case ExprKind::domain: return all("domain");
    case ExprKind::range: return all("range");
    case ExprKind::recursion: return all("rec" + std::to_string(e.index));
    case ExprKind::variable: return "var" + std::to_string(e.index);
  }
  return "";
}
std::string shapeOf(const std::string& expr) { return shape(*parse(expr)); }

TEST(CatParser, PrecedenceFromLooseToTight) {
  EXPECT_EQ(shapeOf("po | rf ; co"), "(| po (; rf co))");
  EXPECT_EQ(shapeOf("po ; rf \\ co"), "(; po (\\ rf co))");
  EXPECT_EQ(shapeOf("po \\ rf & co"), "(\\ po (& rf co))");
  EXPECT_EQ(shapeOf("po & R * W"), "(& po (x R W))");
  EXPECT_EQ(shapeOf("~R * W"), "(x (~ R) W)");
  EXPECT_EQ(shapeOf("~po+"), "(~ (+ po))");
  EXPECT_EQ(shapeOf("po \\ rf \\ co"), "(\\ (\\ po rf) co)");
  EXPECT_EQ(shapeOf("po | rf | co"), "(| po rf co)");
  EXPECT_EQ(shapeOf("(po | rf) ; co"), "(; (| po rf) co)");
}

TEST(CatParser, PostfixOperators) {
  EXPECT_EQ(shapeOf("rf^-1"), "(^-1 rf)");
  EXPECT_EQ(shapeOf("po^+ ; po^*"), "(; (+ po) (* po))");
  EXPECT_EQ(shapeOf("po+?"), "(? (+ po))");
  EXPECT_EQ(shapeOf("rf^-1;co"), "(; (^-1 rf) co)");
}

TEST(CatParser, StarIsClosureOrProduct) {
  EXPECT_EQ(shapeOf("po*"), "(* po)");
  EXPECT_EQ(shapeOf("po* ; [W]"), "(; (* po) (test W))");
  EXPECT_EQ(shapeOf("(po*)"), "(* po)");
  EXPECT_EQ(shapeOf("R * W"), "(x R W)");
  EXPECT_EQ(shapeOf("(R|W)*(W)"), "(x (| R W) W)");
  EXPECT_EQ(shapeOf("(R * W)*"), "(* (x R W))");
  EXPECT_EQ(shapeOf("_*_"), "(x _ _)");
  Model model = parseCat("let a = po*\nlet S = R\nlet b = S * S\n", "test.cat");
  EXPECT_EQ(shape(*model.definition("a")), "(* po)");
  EXPECT_EQ(shape(*model.definition("b")), "(x R R)");
}

TEST(CatParser, BaseNamesResolveToPrimitives) {
  EXPECT_EQ(shapeOf("M"), "(| R W)");
  EXPECT_EQ(shapeOf("A"), "(~ (| NA T))");
  EXPECT_EQ(shapeOf("fr"), "rb");
  EXPECT_EQ(shapeOf("sb"), "po");
  EXPECT_EQ(shapeOf("mo"), "co");
  EXPECT_EQ(shapeOf("rfe"), "(& rf ext)");
  EXPECT_EQ(shapeOf("fri"), "(& rb int)");
  EXPECT_EQ(shapeOf("rbe"), "(& rb ext)");
  EXPECT_EQ(shapeOf("po-loc"), "(& po loc)");
  EXPECT_EQ(shapeOf("com"), "(| rf co rb)");
}

TEST(CatParser, ZeroTakesTheTypeItNeeds) {
  EXPECT_EQ(shapeOf("0"), "0");
  EXPECT_EQ(shapeOf("[0]"), "(test 0s)");
  EXPECT_EQ(shapeOf("R | 0"), "(| R 0s)");
  EXPECT_EQ(shapeOf("po | 0"), "(| po 0)");
  EXPECT_EQ(shapeOf("0 * R"), "(x 0s R)");
  EXPECT_EQ(shapeOf("0+"), "(+ 0)");
}

TEST(CatParser, DefinitionsAreSharedAndCanBeRedefined) {
  Model model = parseCat("let a = po\nlet b = a ; a\nlet a = rf\nacyclic a | b as both\nirreflexive b", "m.cat");
  EXPECT_EQ(model.definition("b")->args[0], model.definition("b")->args[1]);
  EXPECT_EQ(toString(*model.axioms.at(0).expr), "rf | po ; po");
  EXPECT_EQ(model.axioms.at(0).name, "both");
  EXPECT_EQ(model.axioms.at(1).name, "axiom2");
  EXPECT_EQ(model.axioms.at(1).kind, AxiomKind::irreflexive);
  EXPECT_EQ(model.definitions.size(), 3U);
  EXPECT_EQ(shape(*model.definition("a")), "rf");
  EXPECT_EQ(model.definition("c"), nullptr);
  EXPECT_EQ(shape(*parseCat("let fr = rf^-1 ; co\nempty fr", "m.cat").axioms.at(0).expr), "(; (^-1 rf) co)");
}

TEST(CatParser, SimultaneousDefinitionsDoNotSeeEachOther) {
  Model model = parseCat("let po = rf and x = po", "m.cat");
  EXPECT_EQ(shape(*model.definition("x")), "po");
}

TEST(CatParser, Recursion) {
  Model model = parseCat("let rec x = po | y ; x and y = rf | x\nacyclic y", "m.cat");
  const Expr& y = *model.axioms.at(0).expr;
  EXPECT_EQ(shape(y), "(rec1 (| po (; var1 var0)) (| rf var0))");
  EXPECT_EQ(y.name, y.args[0]->args[1]->args[0]->name);
  EXPECT_EQ(toString(y), "(let rec x = po | y ; x and y = rf | x in y)");
  EXPECT_EQ(shape(*parseCat("let rec x = po\nempty x", "m.cat").axioms.at(0).expr), "po");
  Model two = parseCat("let rec x = po | x;x let rec x = x | rf", "m.cat");
  EXPECT_NE(two.definitions[0].second->name, two.definitions[1].second->name);
}

TEST(CatParser, TitlesCommentsAndShow) {
  EXPECT_EQ(parseCat("\"A title\"\nlet x = po", "dir/m.cat").name, "A title");
  EXPECT_EQ(parseCat("(* c *) RA\nlet x = po", "dir/m.cat").name, "RA");
  EXPECT_EQ(parseCat("let x = po", "dir/m.cat").name, "m");
  EXPECT_EQ(parseCat("", "m.cat").name, "m");
  EXPECT_EQ(shapeOf("po (* a (* nested *) \n comment *) | // to the end ; \n rf"), "(| po rf)");
  Model model = parseCat("show addr, (po ; nothing)+ as foo\nunshow data\nacyclic po", "m.cat");
  EXPECT_EQ(model.axioms.size(), 1U);
}

TEST(CatParser, Includes) {
  std::map<std::string, std::string> files = {{"a.cat", "\"ignored\" include \"b.cat\"\nlet a = b ; b"},
                                              {"b.cat", "let b = po\nacyclic b as from-b"}};
  std::string from;
  auto resolver = [&](const std::string& name, const std::string& fromFile) -> std::optional<std::string> {
    from = fromFile;
    auto it = files.find(name);
    return it == files.end() ? std::nullopt : std::optional(it->second);
  };
  Model model = parseCat("include \"a.cat\" include \"b.cat\"\nempty a", "dir/m.cat", resolver);
  EXPECT_EQ(model.name, "m");
  ASSERT_EQ(model.axioms.size(), 2U);  // b.cat counts once
  EXPECT_EQ(model.axioms[0].name, "from-b");
  EXPECT_EQ(model.axioms[0].position.file, "dir/b.cat");
  EXPECT_EQ(toString(*model.axioms[1].expr), "po ; po");
  EXPECT_EQ(from, "dir/a.cat");
}

TEST(CatParser, PrintingUsesTheLeastParentheses) {
  for (const char* text : {
           "po | rf ; co",
           "(po | rf) ; co",
           "po \\ (rf \\ co)",
           "po \\ rf \\ co",
           "(po | rf)+ ; (co | rb)*",
           "[R & ~(NA | T)] ; po",
           "~(R & W) * ~R",
           "~po+",
           "(~po)+",
           "po & R * W",
           "(po & loc)^-1?",
           "rmw & (rb ; co)",
           "(po \\ loc) & ext",
           "[W] ; (po ; [F])? ; rf",
           "[~~R]",
           "(R * W)*",
       }) {
    EXPECT_EQ(resolved(text), text);
    EXPECT_EQ(shape(*parse(resolved(text))), shape(*parse(text)));
  }
  EXPECT_EQ(resolved("((po) | (rf | co))"), "po | rf | co");
  EXPECT_EQ(resolved("rfe+"), "(rf & ext)+");
}

TEST(CatParser, FunctionsAreTheirBodies) {
  const auto lastAxiom = [](const std::string& text) { return shape(*parseCat(text, "m.cat").axioms.back().expr); };
  EXPECT_EQ(lastAxiom("let f(r) = r? ; po\nacyclic f(rf | co)"), "(; (? (| rf co)) po)");
  EXPECT_EQ(lastAxiom("let f(a, S) = a ; [S]\nacyclic f(po, W)"), "(; po (test W))");
  EXPECT_EQ(lastAxiom("let f r = r+\nacyclic f(po)"), "(+ po)");
  // Names in the body are those of the definition, whatever they are later.
  EXPECT_EQ(lastAxiom("let x = rf let f(r) = r ; x let x = co acyclic f(po)"), "(; po rf)");
  EXPECT_EQ(lastAxiom("let f(r) = r ; rf let g(r) = f(f(r)) acyclic g(po)"), "(; (; po rf) rf)");
  EXPECT_EQ(lastAxiom("let x = (let y = po in let z = rf in y ; z) acyclic x"), "(; po rf)");
  EXPECT_EQ(lastAxiom("empty fencerel(F)"), "(; po (test F) po)");
  EXPECT_EQ(lastAxiom("empty try nosuch with po"), "po");
  EXPECT_EQ(lastAxiom("empty try rf with po"), "rf");
  EXPECT_EQ(parseCat("let f(r) = r", "m.cat").axioms.size(), 0U);
}

TEST(CatParser, SaysWhatHasToBeEvaluated) {
  const auto why = [](const std::string& text) { return parseCat(text, "m.cat").evaluatedBecause; };
  EXPECT_EQ(why("let f(r) = r ; po acyclic f(rf)"), "");
  EXPECT_EQ(why("acyclic po\nempty domain(rf) & W"), "`domain(...)` (m.cat:2:7)");
  EXPECT_EQ(why("flag ~empty po as race"), "`flag` (m.cat:1:1)");
  EXPECT_EQ(why("~empty po"), "a negated axiom (m.cat:1:1)");
  EXPECT_EQ(why("enum A = 'once || 'nosuch\nempty [Once] ; po ; [Nosuch]"), "the tag `Once` (m.cat:2:8)");
  EXPECT_EQ(why("let rec a = R \\ domain(b) and b = [a] ; po"), "`domain(...)` (m.cat:1:17)");
  EXPECT_EQ(why("let rec a = R & b and b = a | W"), "a recursive set (m.cat:1:9)");
}

TEST(CatParser, FlagsAndBellFiles) {
  const Model model = parseCat("flag ~empty po as a\nundefined_unless empty rf as b\nacyclic po as c", "m.cat", {}, false,
                               "enum Barriers = 'mb || 'rmb\ninstructions F[Barriers]\nlet r = [Mb] ; po");
  ASSERT_EQ(model.flags.size(), 2U);
  EXPECT_EQ(model.flags[0].name, "a");
  EXPECT_TRUE(model.flags[0].negated);
  EXPECT_EQ(model.flags[1].name, "b");
  EXPECT_TRUE(model.flags[1].negated);
  EXPECT_EQ(model.axioms.size(), 1U);
  EXPECT_NE(model.definition("r"), nullptr);
}

TEST(CatParser, PositionsPointAtTheSource) {
  Model model = parseCat("let x =\n  po ; [R]\nacyclic x", "m.cat");
  EXPECT_EQ(model.definition("x")->position.line, 2U);
  EXPECT_EQ(model.definition("x")->position.column, 3U);
  EXPECT_EQ(model.definition("x")->args[1]->position.column, 8U);
  EXPECT_EQ(model.axioms[0].position.line, 3U);
}

}  // namespace
}  // namespace heddle::model
