// Files of claims: parsed, and decided as far as little effort takes.
#include <array>
#include <stdexcept>
#include <string>

#include "prove/prover.h"
#include "target.h"

namespace {
constexpr std::array kPieces = {"assert po <= po+\n",
                                "assert a = b as name\n",
                                "assume po ; po <= po\n",
                                "relation a\n",
                                "set S\n",
                                "include \"rc20.cat\" as m\n",
                                "include \"sc.cat\" as sc\n",
                                "assert m <= sc\n",
                                "assert sc => m\n",
                                "mapping k\n",
                                "F & SC -> F & SC\n",
                                "R & ACQ -> R ; F & ACQ_REL\n",
                                "assert m => sc by k\n",
                                "let a = po | rf\n",
                                "[W] ; po ; [R]",
                                "rf^-1",
                                "(co | rb)+",
                                "po?",
                                "po & ext",
                                "po \\ id",
                                "assert acyclic po => acyclic po+\n",
                                "~po",
                                "//! expect: proved\n",
                                "(* c *)",
                                "empty"};
}

const std::span<const char* const> pieces = kPieces;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::prove;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const QueryFile query = parseQuery(text, "claims.prove");
    std::size_t tried = 0;
    for (const Claim& claim : query.claims) {
      if (++tried > 3) break;
      decide(query, claim, {.pairs = 300, .words = 2, .graphs = 20, .pairsToRepeat = 50, .seconds = 0.05, .samples = 20});
    }
  } catch (const std::runtime_error&) {  // as prove_command.cpp
  }
  return 0;
}
