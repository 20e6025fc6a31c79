#include "relations/happens_before.h"

#include "model/library.h"
#include "util/default_model.h"

namespace heddle::relations {

model::ExprPtr happensBeforeOf(const model::Model& model) {
  return model.happensBefore ? model.happensBefore : model::loadModel(util::kDefaultModel).happensBefore;
}

}  // namespace heddle::relations
