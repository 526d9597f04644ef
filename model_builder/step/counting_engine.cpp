#include "model_builder/step/counting_engine.h"

namespace tidewise {

std::string_view to_string(Engine engine) {
  switch (engine) {
    case Engine::paper:
      return "paper";
    case Engine::direct:
      return "direct";
    case Engine::lattice:
      return "lattice";
  }
  return "";
}

}  // namespace tidewise
