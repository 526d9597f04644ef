#include "solver/explicit/method.h"

namespace tidewise {

std::string_view to_string(ExplicitMethod method) {
  switch (method) {
    case ExplicitMethod::padded:
      return "padded";
    case ExplicitMethod::look_up:
      return "look-up";
    case ExplicitMethod::sparse:
      return "cuSPARSE";
  }
  return "";
}

}  // namespace tidewise
