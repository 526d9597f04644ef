#include "base/memory/without_cuda.h"

#include "model_builder/device/counting_engine.h"
#include "model_builder/paper/device_model.h"

namespace tidewise {

std::unique_ptr<CountingEngine> make_device_counting_engine(Engine, const PositionRule&,
                                                            const Grid&, const TimeAxis&,
                                                            std::vector<Action>) {
  refuse_without_cuda();
}

DevicePaperModel::DevicePaperModel(const PositionRule&, const Grid&, const TimeAxis&,
                                   const std::vector<Action>&, std::int32_t, std::int32_t) {
  refuse_without_cuda();
}
void DevicePaperModel::build_action(const DevicePaperLevel&, ActionIndex, PaperModel&,
                                    const DeviceStream&) {
  refuse_without_cuda();
}
void DevicePaperModel::build_level(const DevicePaperLevel&, std::vector<PaperModel>&,
                                   const DeviceStream&) {
  refuse_without_cuda();
}

}  // namespace tidewise
