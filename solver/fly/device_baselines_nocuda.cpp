#include "base/memory/without_cuda.h"
#include "solver/fly/device_baselines.h"

namespace tidewise {

std::vector<BaselineFlights> fly_baselines_on_device(DeviceEnvironment& /*environment*/,
                                                     const Mission& /*mission*/,
                                                     const std::vector<double>& /*speeds*/,
                                                     const RolloutOptions& /*options*/,
                                                     Progress& /*progress*/) {
  refuse_without_cuda();
}

}  // namespace tidewise
