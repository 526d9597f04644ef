#pragma once

#include <cstdint>
#include <memory>

#include "model_builder/step/counting_engine.h"

namespace tidewise {

/// An engine for actions with the vehicle's own error (docs/model.md, 1.7). `engine` counts the
/// displaced_actions() and calls back from `threads` threads with all actions of a cell at once;
/// the counts of each action's `draws` displacements are added up.
std::unique_ptr<CountingEngine> make_error_engine(std::unique_ptr<CountingEngine> engine,
                                                  std::int32_t draws, std::int32_t threads);

}  // namespace tidewise
