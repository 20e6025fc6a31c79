// What the .cat parser says about text it does not accept: every message names the construct and what to do.
#include <gtest/gtest.h>

#include "model/cat.h"

namespace heddle::model {
namespace {

std::string errorOf(const std::string& text, const IncludeResolver& include = {}) {
  try {
    parseCat(text, "m.cat", include);
  } catch (const CatError& error) {
    return error.what();
  }
  return "no error";
}

void expectError(const std::string& text, const std::string& expected) {
  EXPECT_NE(errorOf(text).find(expected), std::string::npos) << text << "\ngave\n" << errorOf(text);
}

TEST(CatError, ShowsFilePositionLineAndCaret) {
  EXPECT_EQ(errorOf("let x = po\n\tacyclic x ; rff as a"), "m.cat:2:14: error: unknown name `rff`; did you mean `rf`?\n"
                                                           "  \tacyclic x ; rff as a\n"
                                                           "  \t            ^");
  EXPECT_EQ(errorOf("let x = \xe2\x86\x92"),
            "m.cat:1:9: error: unexpected character; operators are written in ASCII: | ; \\ & * ~ + ? ^-1\n"
            "  let x = \xe2\x86\x92\n"
            "          ^");
}

TEST(CatError, Types) {
  expectError("acyclic po ; R", "`R` is a set, but `;` needs a relation; write `[R]`");
  expectError("acyclic po | (W & SC)", "`(W & SC)` is a set and `po` is a relation, and `|` cannot mix them");
  expectError("acyclic R", "`acyclic` needs a relation; write `[R]`");
  expectError("irreflexive R | W", "`R | W` is a set, but `irreflexive` needs a relation");
  expectError("races-by R", "`races-by` needs a relation; write `[R]`");
  expectError("races-by po races-by po", "a second `races-by`: a model has one happens-before");
  expectError("empty R+", "`R` is a set, but `+` needs a relation; write `[R]`");
  expectError("empty R*", "`R` is a set, but `*` needs a relation");
  expectError("empty R^-1", "`R` is a set, but `^-1` needs a relation");
  expectError("empty [po]", "`po` is a relation, but `[ ]` needs a set");
  expectError("empty po * R", "`po` is a relation, but `*` between two operands is the product of two sets");
  expectError("empty R * W * M", "expected an operator or a statement");
  expectError("let rec x = R and y = x ; y", "`x` is used as a relation, but is a set");
  expectError("empty domain(R)", "`R` is a set, but `domain` needs a relation");
  expectError("empty fencerel(po)", "`po` is a relation, but `fencerel` needs a set");
}

TEST(CatError, ConstructsOfTheWiderLanguage) {
  expectError("let rec f(x) = x", "`f` is a function, and cannot be recursive");
  expectError("let f(x, y) = x ; y\nempty f(po)", "m.cat:2:7: error: `f` takes 2 arguments, not 1");
  expectError("let f(x) = x ; po\nempty f(R)", "m.cat:1:12: error: `x` is a set, but `;` needs a relation");
  expectError("let f(x) = f(x)\nempty f(po)", "unknown function `f`");
  expectError("let f(and) = po", "expected a parameter, found `and`");
  expectError("flag po as race", "expected acyclic, irreflexive or empty, found `po`");
  expectError("enum Accesses = once", "expected a tag such as `'once`, found `once`");
  expectError("instructions R", "expected `[` after the kind of instructions");
  expectError("let x = try po else rf", "expected `with` after `try po`");
  expectError("procedure p(x) = acyclic x", "procedures are not supported");
  expectError("call p(po)", "procedures are not supported");
  expectError("with rf from cross(x)", "`with ... from` is supported for `co` only");
  expectError("forall x in y do acyclic x end", "`forall` is not supported");
  expectError("let x = match po with || {} -> 0 end", "`match` is not supported");
  expectError("empty domain", "it is a function, as in `domain(rf)`");
  expectError("empty cross(po)", "functions such as `cross(...)` are not supported; the exploration generates `rf` and `co`");
  expectError("empty g(po)", "unknown function `g`");
  expectError("let x = let y = po", "expected `in` after the local definition, found the end of the file");
  expectError("let x = po in x", "this `let` is a statement");
  expectError("acyclic po | ctrlisync", "write `ctrl ; [Fence.i] ; po`");
}

TEST(CatError, Names) {
  expectError("let happens = po\nacyclic hapens", "did you mean `happens`?");
  expectError("acyclic pO", "did you mean `po`?");
  expectError("acyclic zzz", "unknown name `zzz`\n");
  expectError("acyclic rf-1", "an inverse is written `rf^-1`");
  expectError("acyclic hb\nlet hb = po", "`hb` is used before it is defined (in line 2)");
  expectError("let hb = po ; hb", "`hb` is used in its own definition; write `let rec`");
  expectError("let rec x = po and x = rf", "`x` is defined twice");
  expectError("let acyclic = po", "`acyclic` is a keyword");
}

TEST(CatError, Statements) {
  expectError("acylic po", "`acylic` does not start a statement; did you mean `acyclic`?");
  expectError("show rf\nacylic po", "did you mean `acyclic`?");
  expectError("let x = po\nacylic x as y", "did you mean `acyclic`?");
  expectError("let x po", "expected `=` after the defined name, found `po`");
  expectError("acyclic (po | rf", "expected `)` to match the `(` of line 1, found the end of the file");
  expectError("acyclic po |", "expected a set or a relation, found the end of the file");
  expectError("acyclic po | acyclic", "found the keyword `acyclic`");
  expectError("acyclic po as", "expected the axiom's name after `as`");
  expectError("acyclic po (rf)", "expected an operator between `po` and `(`");
  expectError("(* open (* *)", "this comment has no closing `*)`");
  expectError("\"open", "this string has no closing quote");
  expectError("empty 12", "a number other than 0");
  expectError("empty po^2", "`^` must be followed by");
}

TEST(CatError, Includes) {
  expectError("include \"x.cat\"", "cannot find the file `x.cat`");
  expectError("include x", "expected a file name in quotes");
  auto itself = [](const std::string& name, const std::string&) { return "include \"" + name + "\""; };
  EXPECT_NE(errorOf("include \"m.cat\"", itself).find("m.cat includes itself"), std::string::npos);
  EXPECT_NE(errorOf("include \"n.cat\"", itself).find("n.cat:1:1: error: n.cat includes itself"), std::string::npos);
  auto deeper = [](const std::string& name, const std::string&) { return "include \"" + name + "x\""; };
  EXPECT_NE(errorOf("include \"n\"", deeper).find("includes are nested more than 16 deep"), std::string::npos);
}

TEST(CatError, GarbageIsBounded) {
  auto repeat = [](const std::string& text, int n) {
    std::string all;
    for (int i = 0; i < n; ++i) all += text;
    return all;
  };
  expectError("empty " + repeat("(", 100000), "nested more than 200 deep");
  expectError("empty " + repeat("[", 100000), "nested more than 200 deep");
  expectError("empty " + repeat("~", 100000), "nested more than 200 deep");
  expectError("empty po" + repeat("+", 100000), "too deep");
  expectError("let a = po\n" + repeat("let a = a+\n", 100000), "too deep");
  expectError("let a = po\n" + repeat("let a = a ; a\n", 100), "too large");
  expectError("empty po" + repeat(" | po", 200000), "too large");
  expectError(repeat("(*", 1000000), "no closing");
  expectError("empty " + repeat("x", 1000000), "unknown name");
  expectError(std::string("empty po\0", 9), "unexpected byte 0x00");
}

}  // namespace
}  // namespace heddle::model
