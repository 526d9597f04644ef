#pragma once

#include <vector>

#include "base/hdf5/file.h"
#include "model_builder/step/actions.h"

namespace tidewise {

/// Writes speed, heading, displacement_x and displacement_y of the actions, and with several
/// profiles `profile`, over the dimension `action` of a model file.
void write_model_actions(Hdf5File& file, const std::vector<Action>& actions);

}  // namespace tidewise
