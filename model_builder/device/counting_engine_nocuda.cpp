#include "base/error.h"
#include "model_builder/device/counting_engine.h"

namespace tidewise {

std::unique_ptr<CountingEngine> make_device_counting_engine(Engine /*engine*/, const Grid& /*grid*/,
                                                            const TimeAxis& /*time*/,
                                                            std::vector<Action> /*actions*/) {
  throw RunError("a device was asked for, but this build has no CUDA backend; use the CPU");
}

}  // namespace tidewise
