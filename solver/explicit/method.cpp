#include "solver/explicit/method.h"

namespace tidewise {

std::string_view to_string(ExplicitMethod method) {
  switch (method) {
    case ExplicitMethod::padded:
      return "padded";
    case ExplicitMethod::steps:
      return "steps";
    case ExplicitMethod::staged:
      return "staged";
    case ExplicitMethod::look_up:
      return "look-up";
    case ExplicitMethod::sparse:
      return "cuSPARSE";
  }
  return "";
}

EntryOrder entry_order(ExplicitMethod method) {
  switch (method) {
    case ExplicitMethod::padded:
      return EntryOrder::padded;
    case ExplicitMethod::steps:
      return EntryOrder::by_step;
    default:
      return EntryOrder::by_row;
  }
}

}  // namespace tidewise
