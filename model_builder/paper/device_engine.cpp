#include "model_builder/paper/device_engine.h"

#include "model_builder/paper/device_model.h"

namespace tidewise {
namespace {

/// A copy on the device, complete in the order of `stream`'s work.
template <class T>
DeviceArray<T> on_device(View<const T> source, const DeviceStream& stream) {
  DeviceArray<T> copied(source.size);
  copy_bytes(MemorySpace::device, copied.data(), MemorySpace::host, source.data,
             source.size * sizeof(T), stream);
  return copied;
}

/// The parts of a level that the kernels read, on the device.
struct Uploaded {
  DeviceArray<float> u_mean, v_mean, u_mode, v_mode, coefficient;
  DeviceArray<std::uint32_t> weights;
  DeviceArray<CellIndex> cells;

  Uploaded(const LevelView& level, View<const std::uint32_t> host_weights,
           View<const CellIndex> host_cells, const DeviceStream& stream)
      : u_mean(on_device(level.u_mean, stream)),
        v_mean(on_device(level.v_mean, stream)),
        u_mode(on_device(level.u_mode, stream)),
        v_mode(on_device(level.v_mode, stream)),
        coefficient(on_device(level.coefficient, stream)),
        weights(on_device(host_weights, stream)),
        cells(on_device(host_cells, stream)) {}

  DevicePaperLevel level(const LevelView& host, const SubGrid& subgrid) const {
    LevelView view{host.grid, host.mode_count, host.realization_count, {}, {}, {}, {}, {}, {}, {},
                   {}};
    view.u_mean = u_mean;
    view.v_mean = v_mean;
    view.u_mode = u_mode;
    view.v_mode = v_mode;
    view.coefficient = coefficient;
    return {view, weights, cells, subgrid, {}};
  }
};

class DevicePaperEngine final : public CountingEngine {
 public:
  DevicePaperEngine(const PositionRule& rule, const Grid& grid, const TimeAxis& time,
                    std::vector<Action> actions, std::int32_t subgrid_radius,
                    std::int32_t block_size, std::int32_t batch)
      : rule_(rule),
        scale_(grid, time),
        actions_(std::move(actions)),
        min_subgrid_{-subgrid_radius, subgrid_radius, -subgrid_radius, subgrid_radius},
        model_(rule, grid, time, actions_, block_size, batch) {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override {
    const SubGrid subgrid = join(
        min_subgrid_,
        subgrid_of(bound_displacements(level, scale_, rule_, cells, actions_, 1), actions_, rule_));
    const Uploaded uploaded(level, weights, cells, stream_);
    const DevicePaperLevel device_level = uploaded.level(level, subgrid);
    PaperModel model;
    for (ActionIndex a(0); a.value < static_cast<std::int32_t>(actions_.size()); ++a.value) {
      model.clear();
      model_.build_action(device_level, a, model, stream_);
      feed_counts(model, subgrid, a, cells, sink);
    }
  }

 private:
  PositionRule rule_;
  DisplacementScale scale_;
  std::vector<Action> actions_;
  SubGrid min_subgrid_;
  DevicePaperModel model_;
  DeviceStream stream_;
};

}  // namespace

std::unique_ptr<CountingEngine> make_device_paper_engine(
    const PositionRule& rule, const Grid& grid, const TimeAxis& time, std::vector<Action> actions,
    std::int32_t subgrid_radius, std::int32_t block_size, std::int32_t batch) {
  return std::make_unique<DevicePaperEngine>(rule, grid, time, std::move(actions), subgrid_radius,
                                             block_size, batch);
}

}  // namespace tidewise
