#include "native/list_loops.h"

#include <map>
#include <tuple>

#include "native/compile/compile.h"
#include "native/compile/link.h"
#include "native/instrument/globals.h"
#include "native/instrument_program.h"

namespace heddle::native {

std::vector<ListedLoop> listLoops(BuildOptions options) {
  options.explainLoops = true;
  const CompiledProgram program = compile(options);
  declareStart(*program.module);
  linkLibrary(*program.module);
  const runtime::ProgramInfo info = instrument(*program.module, options);
  std::map<std::tuple<std::string, unsigned, unsigned, runtime::LoopKind, std::uint64_t>, ListedLoop> byPlace;
  for (const runtime::Loop& loop : info.loops) {
    const runtime::Source& source = info.sources[loop.source];
    if (!loop.inSource || source.library || source.file.empty()) continue;
    byPlace.try_emplace({source.file, source.line, source.column, loop.kind, loop.rounds},
                        ListedLoop{.file = source.file,
                                   .function = source.function,
                                   .line = source.line,
                                   .column = source.column,
                                   .kind = loop.kind,
                                   .rounds = loop.rounds,
                                   .bound = loop.bound,
                                   .why = loop.why});
  }
  std::vector<ListedLoop> loops;
  for (auto& [place, loop] : byPlace) loops.push_back(std::move(loop));
  return loops;
}

}  // namespace heddle::native
