// A relation of a model without what it says of classes of events that a program does not have.
#pragma once

#include "model/ast.h"
#include "model/event_class.h"

namespace heddle::relations {

// The same relation in every graph with events of these classes only. Its kind is ExprKind::empty if nothing is left.
model::ExprPtr leaveOut(const model::ExprPtr& expr, ClassSet present);

}  // namespace heddle::relations
