#include "base/memory/without_cuda.h"
#include "model_builder/device/counting_engine.h"

namespace tidewise {

std::unique_ptr<CountingEngine> make_device_counting_engine(Engine /*engine*/,
                                                            const PositionRule& /*rule*/,
                                                            const Grid& /*grid*/,
                                                            const TimeAxis& /*time*/,
                                                            std::vector<Action> /*actions*/) {
  refuse_without_cuda();
}

}  // namespace tidewise
