#include "solver/explicit_method.h"

namespace tidewise {

std::string_view to_string(ExplicitMethod method) {
  switch (method) {
    case ExplicitMethod::look_up:
      return "look-up";
    case ExplicitMethod::rows:
      return "rows";
    case ExplicitMethod::staged:
      return "staged";
    case ExplicitMethod::steps:
      return "steps";
    case ExplicitMethod::sparse:
      return "cuSPARSE";
  }
  return "";
}

BlockOrder block_order(ExplicitMethod method) {
  return method == ExplicitMethod::steps ? BlockOrder::by_step : BlockOrder::by_row;
}

}  // namespace tidewise
