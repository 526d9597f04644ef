#pragma once

#include "env/file/reader.h"
#include "solver/step/mission.h"

namespace tidewise {

/// What being in a cell is worth at a level to a mission that keeps to a place, g of docs/model.md,
/// 3.11, as a scalar field of its environment, the whole of which `info` describes.
MadeScalar kept_field(const KeptPlace& place, const EnvironmentInfo& info);

}  // namespace tidewise
