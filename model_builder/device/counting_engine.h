#pragma once

#include <memory>
#include <vector>

#include "model_builder/step/actions.h"
#include "model_builder/step/counting_engine.h"
#include "model_builder/step/position.h"

namespace tidewise {

/// `direct` or `lattice` on the current device with a sink on the host, for the explicit model and
/// for tests; a solver keeps the counts on the device (solver/induction/device_induction.h). Takes
/// levels in host memory. Cells whose windows exceed the device's shared memory are counted on the
/// CPU. Errors: RunError without a device, or when the device fails.
std::unique_ptr<CountingEngine> make_device_counting_engine(Engine engine, const PositionRule& rule,
                                                            const Grid& grid, const TimeAxis& time,
                                                            std::vector<Action> actions);

}  // namespace tidewise
