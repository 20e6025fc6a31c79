// Models: parsed, and compiled to automata.
#include "model/cat.h"

#include <array>
#include <string>

#include "model/compile.h"
#include "target.h"

namespace {
constexpr std::array kPieces = {"acyclic po | rf as x\n",
                                "irreflexive hb ; eco?\n",
                                "empty rmw & (rb ; co)\n",
                                "let hb = (po | rf)+\n",
                                "let rec a = b and b = a | po\n",
                                "let f(x) = x ; x\n",
                                "[R & ACQ]",
                                "[W]",
                                "F & SC",
                                "po-loc",
                                "rf^-1",
                                "co & ext",
                                "rfe",
                                "fr",
                                "po \\ id",
                                "~po",
                                "_ * W",
                                "domain(rf)",
                                "range(co)",
                                "fencerel(F)",
                                "addr | data | ctrl",
                                "include \"x.cat\"\n",
                                "show po\n",
                                "flag ~empty po\n",
                                "races-by hb\n",
                                "po+",
                                "po*",
                                "po?",
                                "(* c *)",
                                "// c\n",
                                "\"title\"\n",
                                "if \"x\" po else rf",
                                "with co from generate_orders(s, co0)\n",
                                "call equal(po, po)\n",
                                "undefined_unless acyclic po\n",
                                "instructions R[{'ONCE}]\n",
                                "enum e = 'a || 'b\n",
                                "mixed-sizes\n",
                                "controls-end\n"};
}

const std::span<const char* const> pieces = kPieces;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::model;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const bool proving : {false, true}) {
    try {
      const Model model = parseCat(text, "model.cat", {}, proving);
      if (!proving) compile(model);
    } catch (const CatError&) {}
  }
  return 0;
}
