#include "program/operation.h"

#include <algorithm>

namespace heddle {

Value applyRmw(RmwOp op, Value old, Value operand, unsigned size) {
  old = truncate(old, size);
  operand = truncate(operand, size);
  // Only arithmetic of at most 8 bytes has a sign: of 16 bytes there are exchanges only.
  const auto signedLess = [&] { return signExtend(old, size) < signExtend(operand, size); };
  Value result = operand;
  switch (op) {
    case RmwOp::exchange: result = operand; break;
    case RmwOp::add: result = old + operand; break;
    case RmwOp::sub: result = old - operand; break;
    case RmwOp::bitAnd: result = old & operand; break;
    case RmwOp::bitOr: result = old | operand; break;
    case RmwOp::bitXor: result = old ^ operand; break;
    case RmwOp::nand: result = ~(old & operand); break;
    case RmwOp::max: result = signedLess() ? operand : old; break;
    case RmwOp::min: result = signedLess() ? old : operand; break;
    case RmwOp::umax: result = std::max(old, operand); break;
    case RmwOp::umin: result = std::min(old, operand); break;
  }
  return truncate(result, size);
}

}  // namespace heddle
