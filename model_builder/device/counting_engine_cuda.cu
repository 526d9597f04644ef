#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "model_builder/cloud/coefficients.h"
#include "model_builder/cloud/level_facts.h"
#include "model_builder/device/actions.h"
#include "model_builder/device/counting_engine.h"
#include "model_builder/device/level_preparation.h"
#include "model_builder/device/row_launch.h"
#include "model_builder/engines.h"
#include "model_builder/step/level_bounds.h"

namespace tidewise {
namespace {

template <class T>
std::vector<T> download(const DeviceArray<T>& device_values, std::size_t size) {
  std::vector<T> values(size);
  copy_bytes(MemorySpace::host, values.data(), MemorySpace::device, device_values.data(),
             size * sizeof(T));
  return values;
}

/// A copy of a level's velocity in device memory.
struct DeviceVelocity {
  explicit DeviceVelocity(const LevelView& level)
      : u_mean(upload(level.u_mean)),
        v_mean(upload(level.v_mean)),
        u_mode(upload(level.u_mode)),
        v_mode(upload(level.v_mode)),
        coefficient(upload(level.coefficient)),
        view(level) {
    view.u_mean = std::as_const(u_mean).view();
    view.v_mean = std::as_const(v_mean).view();
    view.u_mode = std::as_const(u_mode).view();
    view.v_mode = std::as_const(v_mode).view();
    view.coefficient = std::as_const(coefficient).view();
    view.scalar = {};
    view.masked = view.dry = {};
  }
  DeviceArray<float> u_mean, v_mean, u_mode, v_mode, coefficient;
  LevelView view;
};

/// The packed rows of some cells, on the device.
template <class Entry>
struct RowMemory {
  RowMemory(std::size_t cells, std::size_t actions, const DeviceStream& stream)
      : cell_start(cells), row_size(cells * actions), window(cells), too_wide(cells) {
    // Rows of cells that are not requested are also downloaded.
    set_to_zero(cell_start.data(), cell_start.size(), stream);
    set_to_zero(row_size.data(), row_size.size(), stream);
    set_to_zero(window.data(), window.size(), stream);
  }
  DeviceArray<std::uint32_t> cell_start;
  DeviceArray<std::uint16_t> row_size;
  DeviceArray<CellStencil> window;
  DeviceArray<std::int32_t> too_wide;
  DeviceArray<RowBlock<Entry>> blocks;
  struct Totals {
    unsigned long long blocks = 0;
    std::int32_t too_wide = 0;
  };
  DeviceArray<Totals> totals{1};
};

/// Restores windows from packed rows.
template <class Entry>
class RowFeeder {
 public:
  RowFeeder(const RowMemory<Entry>& memory, std::size_t blocks, std::size_t actions)
      : actions_(actions),
        start_(download(memory.cell_start, memory.cell_start.size())),
        size_(download(memory.row_size, memory.row_size.size())),
        window_(download(memory.window, memory.window.size())),
        blocks_(download(memory.blocks, blocks)) {}

  void feed(CellIndex cell, CountSink& sink) {
    const auto place = static_cast<std::size_t>(cell.value);
    const CellStencil& window = window_[place];
    const auto cells = static_cast<std::size_t>(window.size());
    origin_.assign(actions_, {window.dx_min, window.dy_min});
    count_.assign(actions_ * cells, 0);
    std::size_t block = start_[place];
    for (std::size_t a = 0; a < actions_; ++a) {
      const auto entries = static_cast<std::size_t>(size_[place * actions_ + a]);
      for (std::size_t e = 0; e < entries; ++e) {
        const Entry entry = blocks_[block + e / entries_per_block].entry[e % entries_per_block];
        count_[a * cells + static_cast<std::size_t>(row_place(entry))] = row_count(entry);
      }
      block += static_cast<std::size_t>(blocks_of(static_cast<std::int32_t>(entries)));
    }
    sink.accept(0, cell,
                {0, static_cast<std::int32_t>(actions_), window.width(), window.height(),
                 origin_.data(), count_.data()});
  }

 private:
  std::size_t actions_;
  std::vector<std::uint32_t> start_;
  std::vector<std::uint16_t> size_;
  std::vector<CellStencil> window_;
  std::vector<RowBlock<Entry>> blocks_;
  std::vector<Offset> origin_;
  std::vector<std::uint32_t> count_;
};

class DeviceCountingEngine final : public CountingEngine {
 public:
  DeviceCountingEngine(Engine engine, const PositionRule& rule, const Grid& grid,
                       const TimeAxis& time, std::vector<Action> actions)
      : engine_(engine),
        rule_(rule),
        grid_(grid),
        time_(time),
        actions_(std::move(actions)),
        on_device_(actions_) {}

  void count_level(const LevelView& level, View<const std::uint32_t> weights,
                   View<const CellIndex> cells, CountSink& sink) override {
    const bool narrow = rule_.landing == LandingBy::cell && weights.empty() &&
                        level.realization_count < narrow_row_counts;
    if (narrow) {
      count<NarrowRowEntry>(level, weights, cells, sink);
    } else {
      count<WideRowEntry>(level, weights, cells, sink);
    }
  }

 private:
  template <class Entry>
  void count(const LevelView& level, View<const std::uint32_t> weights, View<const CellIndex> cells,
             CountSink& sink) {
    const auto cell_count = static_cast<std::size_t>(grid_.cell_count());
    EnvironmentInfo info;  // properties that determine the kernels' shapes
    info.grid = grid_;
    info.mode_count = level.mode_count;
    info.realization_count = level.realization_count;
    info.realization_weight.assign(weights.begin(), weights.end());
    const DeviceRowLaunch<Entry> launch(info, rule_, on_device_);
    const DeviceVelocity velocity(level);
    const auto weight = upload(weights);
    std::vector<std::int32_t> wanted;
    for (const CellIndex cell : cells) wanted.push_back(cell.value);
    const auto list = upload(View<const std::int32_t>(wanted));
    DeviceCoefficients coefficients(level.mode_count, level.realization_count);
    DeviceArray<DeviceLevelFacts> facts(1);
    DeviceArray<std::int32_t> of_class(cell_count * (frame_classes + 1));
    DeviceArray<std::uint8_t> class_of = upload(
        View<const std::uint8_t>{std::vector<std::uint8_t>(cell_count, 0).data(), cell_count});
    RowMemory<Entry> rows(cell_count, actions_.size(), stream_);

    DeviceCellLists lists{};
    for (std::int32_t c = 0; c <= frame_classes; ++c) {
      lists.cell[c] = of_class.data() + static_cast<std::size_t>(c) * cell_count;
    }
    lists.count = facts.data()->of_class;
    lists.class_of = class_of.data();
    lists.fits = &facts.data()->fits;
    for (std::int32_t c = 0; c < frame_classes; ++c) lists.limits[c] = launch.limits(c);

    const DisplacementScale scale(grid_, time_);
    coefficients.make(velocity.view, scale, rule_, stream_);
    const DeviceCloud cloud = coefficients.cloud(std::as_const(weight).view());
    // First allocates two blocks per row. If that is too little, a second pass allocates the
    // required number.
    std::size_t room = wanted.size() * actions_.size() * 2 + 1024;
    typename RowMemory<Entry>::Totals totals;
    while (true) {
      rows.blocks = {};
      rows.blocks = DeviceArray<RowBlock<Entry>>(room);
      DeviceLevelFacts start{};
      start.non_terminal = static_cast<std::int32_t>(wanted.size());
      copy_bytes(MemorySpace::device, facts.data(), MemorySpace::host, &start, sizeof start);
      totals = {};
      copy_bytes(MemorySpace::device, rows.totals.data(), MemorySpace::host, &totals,
                 sizeof totals);
      bound_level(velocity.view, scale, rule_, coefficients.range(), list.data(),
                  &facts.data()->non_terminal, on_device_.reach(), facts.data(), stream_);
      sort_by_class(list.data(), &facts.data()->non_terminal, grid_.cell_count(), lists, stream_);
      DeviceRows<Entry> sink_on_device;
      sink_on_device.action_count = on_device_.count();
      sink_on_device.cell_start = rows.cell_start.data();
      sink_on_device.row_size = rows.row_size.data();
      sink_on_device.window = rows.window.data();
      sink_on_device.block = rows.blocks.data();
      sink_on_device.capacity =
          static_cast<std::uint32_t>(std::min(room, std::size_t{no_rows} - 1));
      sink_on_device.block_count = &rows.totals.data()->blocks;
      sink_on_device.too_wide = rows.too_wide.data();
      sink_on_device.too_wide_count = &rows.totals.data()->too_wide;
      if (engine_ == Engine::lattice) {
        launch.run_lattice(cloud, lists, sink_on_device, stream_);
      } else {
        launch.run_direct(cloud, lists, list.data(), &facts.data()->non_terminal, sink_on_device,
                          stream_);
      }
      stream_.synchronize();
      const DeviceLevelFacts found = download(facts, 1).front();
      if (found.not_finite != 0 || found.too_far != 0) refuse(level, cells);
      totals = download(rows.totals, 1).front();
      if (totals.blocks <= room) break;
      room = totals.blocks;
    }
    RowFeeder<Entry> feeder(rows, totals.blocks, actions_.size());
    const std::vector<std::int32_t> too_wide =
        download(rows.too_wide, static_cast<std::size_t>(totals.too_wide));
    std::vector<bool> left(cell_count);
    for (const std::int32_t cell : too_wide) left[static_cast<std::size_t>(cell)] = true;
    for (const CellIndex cell : cells) {
      if (!left[static_cast<std::size_t>(cell.value)]) feeder.feed(cell, sink);
    }
    count_on_host(level, weights, too_wide, sink);
  }

  void count_on_host(const LevelView& level, View<const std::uint32_t> weights,
                     const std::vector<std::int32_t>& numbers, CountSink& sink) {
    if (numbers.empty()) return;
    std::vector<CellIndex> cells(numbers.begin(), numbers.end());
    std::sort(cells.begin(), cells.end());
    make_cpu_engine(Engine::direct, rule_, grid_, time_, actions_, 1)
        ->count_level(level, weights, cells, sink);
  }

  /// Throws the error that the CPU reports for this level.
  [[noreturn]] void refuse(const LevelView& level, View<const CellIndex> cells) const {
    (void)bound_displacements(level, DisplacementScale(grid_, time_), rule_, cells, actions_, 1);
    throw RunError("the GPU refused a flow that the CPU accepts; use --backend cpu");
  }

  Engine engine_;
  PositionRule rule_;
  Grid grid_;
  TimeAxis time_;
  std::vector<Action> actions_;
  DeviceActions on_device_;
  DeviceStream stream_;
};

}  // namespace

std::unique_ptr<CountingEngine> make_device_counting_engine(Engine engine, const PositionRule& rule,
                                                            const Grid& grid, const TimeAxis& time,
                                                            std::vector<Action> actions) {
  return std::make_unique<DeviceCountingEngine>(engine, rule, grid, time, std::move(actions));
}

}  // namespace tidewise
