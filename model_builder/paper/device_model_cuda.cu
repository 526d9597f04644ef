#include <algorithm>

#include "model_builder/cloud/coefficients.h"
#include "model_builder/paper/device_model.h"
#include "model_builder/paper/pipeline.cuh"

namespace tidewise {
namespace {

constexpr std::int32_t cell_block = 128;  // threads per block of kernels with a thread per cell

/// Appends `count` elements from the device; complete in the order of the stream's work.
template <class T>
void append_from(const DeviceArray<T>& source, std::size_t count, std::vector<T>& destination,
                 const DeviceStream& stream) {
  const std::size_t before = destination.size();
  destination.resize(before + count);
  copy_bytes(MemorySpace::host, destination.data() + before, MemorySpace::device, source.data(),
             count * sizeof(T), stream);
}

}  // namespace

DevicePaperModel::DevicePaperModel(const PositionRule& rule, const Grid& grid, const TimeAxis& time,
                                   const std::vector<Action>& actions, std::int32_t block_size,
                                   std::int32_t batch)
    : rule_(rule),
      scale_(grid, time),
      actions_(actions),
      block_size_(block_size),
      batch_(static_cast<std::size_t>(std::max(batch, 1))),
      words_(s2_count_words()),
      limits_(paper_launch_limits()),
      counts_(std::make_shared<PaperCounts>()) {
  require_block_size(block_size, limits_);
}

void DevicePaperModel::build_level(const DevicePaperLevel& level, std::vector<PaperModel>& models,
                                   const DeviceStream& stream) {
  models.resize(actions_.size());
  for (std::size_t a = 0; a < actions_.size(); ++a) {
    build_action(level, ActionIndex(static_cast<std::int32_t>(a)), models[a], stream);
  }
}

void DevicePaperModel::build_action(const DevicePaperLevel& level, ActionIndex action,
                                    PaperModel& model, const DeviceStream& stream) {
  if (level.cells.empty()) return;
  const auto window = static_cast<std::size_t>(level.subgrid.size());
  const std::size_t batch_size = make_room(level);
  if (!coefficients_) {
    coefficients_ =
        std::make_shared<DeviceCoefficients>(level.level.mode_count, level.level.realization_count);
  }
  coefficients_->make(level.level, scale_, rule_, stream);
  for (std::size_t first = 0; first < level.cells.size; first += batch_size) {
    const Batch batch{first, std::min(batch_size, level.cells.size - first)};
    transition(level, batch, actions_[static_cast<std::size_t>(action.value)].displacement, stream);
    compute_mean(level, batch, stream);
    const std::size_t entries = count_entries(batch, window, stream);
    reduce_to_coo(batch, window, entries, stream);
    append(level, batch, entries, model, stream);
  }
}

std::size_t DevicePaperModel::make_room(const DevicePaperLevel& level) {
  const auto window = static_cast<std::size_t>(level.subgrid.size());
  const std::size_t cells =
      std::min({batch_, cells_per_batch(window, words_, limits_), level.cells.size});
  counts_->make_room(cells, window);
  if (!level.landing_reward.empty()) fit(sum_r_, cells);
  return cells;
}

void DevicePaperModel::transition(const DevicePaperLevel& level, const Batch& batch,
                                  Displacement action, const DeviceStream& stream) {
  const auto window = static_cast<std::size_t>(level.subgrid.size());
  counts_->clear(batch.count, window, stream);
  View<const float> rewards;
  if (!level.landing_reward.empty()) {
    rewards = level.landing_reward.part(batch.first * window, batch.count * window);
    set_to_zero(sum_r_.data(), batch.count, stream);
  }
  const PaperTransition transition{level.level,
                                   level.weights,
                                   level.cells.part(batch.first, batch.count),
                                   scale_,
                                   rule_,
                                   coefficients_->mode_scale(),
                                   action,
                                   level.subgrid,
                                   rewards,
                                   counts_->s2_count.data(),
                                   sum_r_.data()};
  launch_transition(transition, batch.count,
                    static_cast<std::size_t>(level.level.realization_count), block_size_, limits_,
                    stream);
}

void DevicePaperModel::compute_mean(const DevicePaperLevel& level, const Batch& batch,
                                    const DeviceStream& stream) {
  if (level.landing_reward.empty()) return;
  std::uint32_t total = static_cast<std::uint32_t>(level.level.realization_count);
  if (!level.weights.empty()) {
    total = rule_.landing == LandingBy::area ? max_realizations_by_area : weight_total;
  }
  launch_mean(PaperMean{sum_r_.data(), static_cast<float>(total * rule_.share())}, batch.count,
              cell_block, stream);
}

std::size_t DevicePaperModel::count_entries(const Batch& batch, std::size_t window,
                                            const DeviceStream& stream) {
  const auto threads = static_cast<std::int32_t>(std::min(window, limits_.block_threads));
  launch_count(*counts_, batch.count, window, threads, stream);
  return scan_entries(*counts_, batch.count, stream);
}

void DevicePaperModel::reduce_to_coo(const Batch& batch, std::size_t window, std::size_t entries,
                                     const DeviceStream& stream) {
  fit(row_, entries);
  fit(offset_, entries);
  fit(count_, entries);
  const PaperCoo store{static_cast<std::int32_t>(batch.first), row_.data(), offset_.data(),
                       count_.data()};
  launch_reduce(*counts_, batch.count, window, store, cell_block, stream);
}

void DevicePaperModel::append(const DevicePaperLevel& level, const Batch& batch,
                              std::size_t entries, PaperModel& model,
                              const DeviceStream& stream) const {
  append_from(row_, entries, model.row, stream);
  append_from(offset_, entries, model.offset, stream);
  append_from(count_, entries, model.count, stream);
  if (!level.landing_reward.empty()) append_from(sum_r_, batch.count, model.mean_reward, stream);
  stream.synchronize();
}

}  // namespace tidewise
