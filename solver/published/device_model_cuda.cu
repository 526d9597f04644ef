#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/byte_size.h"
#include "base/error.h"
#include "base/kernel/for_each.cuh"
#include "base/memory/array.h"
#include "base/memory/device.h"
#include "model_builder/paper/pipeline.cuh"
#include "solver/explicit/sparse_product.h"
#include "solver/published/device_model.h"

namespace tidewise {
namespace {

constexpr std::size_t entry_bytes = sizeof(std::int32_t) + sizeof(float);

// Computes row starts within a level's entries from row starts within a batch's entries.
struct ShiftStarts {
  const std::int32_t* in_batch;
  std::int32_t before;  // number of the level's entries before the batch's
  std::int32_t* row_start;

  TIDEWISE_HOST_DEVICE void operator()(std::size_t n) const { row_start[n] = before + in_batch[n]; }
};

template <class T>
void copy_part(MemorySpace to, T* destination, MemorySpace from, const T* source, std::size_t count,
               const DeviceStream& stream) {
  copy_bytes(to, destination, from, source, count * sizeof(T), stream);
}

template <class T>
void append(std::vector<T>& all, const PinnedArray<T>& part, std::size_t count) {
  all.insert(all.end(), part.begin(), part.begin() + count);
}

// P_{a,t} and R_{a,t} of one batch, in one memory.
template <MemorySpace Space>
struct BatchMatrices {
  Array<std::int32_t, Space> row, column;  // (entry)
  Array<float, Space> probability;         // (entry)
  Array<float, Space> reward;              // (place)

  void make_room(std::size_t entries, std::size_t cells) {
    const std::size_t room = entries + entries / 4;  // the next batch has about the same size
    if (row.size() < entries) {
      fit(row, room);
      fit(column, room);
      fit(probability, room);
    }
    fit(reward, cells);
  }
};

// A batch that is being copied to the host.
struct Transfer {
  BatchMatrices<MemorySpace::device> device;
  BatchMatrices<MemorySpace::pinned> host;
  DeviceEvent made, arrived;
  std::size_t entries = 0;
  std::size_t cells = 0;
  std::int32_t place = -1;  // place of the level; negative: none is being copied
};

// Two transfers: one is copied and appended while the other is filled.
class HostAppending {
 public:
  Transfer& next(std::size_t cells) {
    Transfer& transfer = transfers_[turn_];
    transfer.device.make_room(0, cells);
    return transfer;
  }
  // Starts the copy of next(), whose matrices are complete on `stream`.
  void send(std::size_t entries, std::size_t cells, std::int32_t place,
            const DeviceStream& stream) {
    Transfer& transfer = transfers_[turn_];
    transfer.made.record(stream);
    transfer.made.hold_up(copying_);
    transfer.host.make_room(entries, cells);
    copy_to_pinned(transfer.host.row, transfer.device.row, entries);
    copy_to_pinned(transfer.host.column, transfer.device.column, entries);
    copy_to_pinned(transfer.host.probability, transfer.device.probability, entries);
    copy_to_pinned(transfer.host.reward, transfer.device.reward, cells);
    transfer.arrived.record(copying_);
    transfer.entries = entries;
    transfer.cells = cells;
    transfer.place = place;
    turn_ = 1 - turn_;
  }
  // Appends the last batch sent, if it has not been appended.
  void append_sent(std::vector<PublishedMatrices>& levels) {
    Transfer& transfer = transfers_[1 - turn_];
    if (transfer.place < 0) return;
    transfer.arrived.synchronize();
    PublishedMatrices& level = levels[static_cast<std::size_t>(transfer.place)];
    append(level.row, transfer.host.row, transfer.entries);
    append(level.column, transfer.host.column, transfer.entries);
    append(level.probability, transfer.host.probability, transfer.entries);
    append(level.reward, transfer.host.reward, transfer.cells);
    transfer.place = -1;
  }

 private:
  template <class T>
  void copy_to_pinned(PinnedArray<T>& to, const DeviceArray<T>& from, std::size_t count) {
    copy_part(MemorySpace::pinned, to.data(), MemorySpace::device, from.data(), count, copying_);
  }

  Transfer transfers_[2];
  int turn_ = 0;
  DeviceStream copying_;
};

}  // namespace

class DevicePublishedModel::Implementation {
 public:
  Implementation(const PublishedProblem& problem, PublishedMemory where, std::int32_t levels,
                 const PaperBlocks& blocks, std::size_t memory, std::int32_t batch)
      : problem_(problem),
        where_(where),
        levels_(static_cast<std::size_t>(levels)),
        blocks_(blocks),
        batch_(static_cast<std::size_t>(std::max(batch, 1))),
        limits_(paper_launch_limits()),
        words_(s2_count_words()) {
    for (const std::int32_t size : {blocks.transition, blocks.count, blocks.reduce}) {
      require_block_size(size, limits_);
    }
    if (where_ == PublishedMemory::device) reserve(memory);
  }

  void build(const PublishedLevel& level) {
    level_start_.push_back(entries_);
    const std::size_t place = level_start_.size() - 1;
    if (where_ == PublishedMemory::host) begin_on_host();
    for (ActionIndex a(0); a.value < problem_.action_count(); ++a.value) {
      build_action(level, a, place);
    }
    if (where_ == PublishedMemory::host) return;
    if (place == 0) require_room(entries_ * levels_);
  }

  void clear() {
    finish();
    entries_ = 0;
    level_start_.clear();
    on_host_.clear();
  }

  void finish() {
    appending_.append_sent(on_host_);
    stream_.synchronize();
  }

  PublishedMatrices matrices(std::int32_t place) const {
    const auto n = static_cast<std::size_t>(place);
    if (where_ == PublishedMemory::host) return on_host_[n];
    const std::size_t begin = level_start_[n];
    const std::size_t count = end_of(n) - begin;
    PublishedMatrices all;
    std::vector<std::int32_t> start(problem_.rows() + 1);
    all.column.resize(count);
    all.probability.resize(count);
    all.reward.resize(problem_.rows());
    copy_part(MemorySpace::host, start.data(), MemorySpace::device, starts(n), start.size(),
              stream_);
    copy_part(MemorySpace::host, all.column.data(), MemorySpace::device, column_.data() + begin,
              count, stream_);
    copy_part(MemorySpace::host, all.probability.data(), MemorySpace::device,
              probability_.data() + begin, count, stream_);
    copy_part(MemorySpace::host, all.reward.data(), MemorySpace::device, rewards(n).data,
              all.reward.size(), stream_);
    stream_.synchronize();
    for (std::size_t row = 0; row + 1 < start.size(); ++row) {
      all.row.insert(all.row.end(), static_cast<std::size_t>(start[row + 1] - start[row]),
                     static_cast<std::int32_t>(row));
    }
    return all;
  }

  void back_up(std::int32_t place, PublishedProduct product, const OutcomeRule& outcome,
               View<const float> value_next, View<float> value, View<std::int16_t> action) {
    const auto n = static_cast<std::size_t>(place);
    const std::size_t begin = level_start_[n];
    const std::size_t rows = problem_.rows();
    fit(expected_, rows);
    const View<float> expected = expected_.view().part(0, rows);
    if (product == PublishedProduct::rows) {
      const PublishedExpectation expect{{starts(n), rows + 1},
                                        column_.data() + begin,
                                        probability_.data() + begin,
                                        rewards(n),
                                        value_next,
                                        expected};
      for_each_on_device(rows, expect, stream_);
    } else {
      if (!product_) product_ = make_sparse_product();
      copy_part(MemorySpace::device, expected.data, MemorySpace::device, rewards(n).data, rows,
                stream_);
      product_->take({rows, problem_.cells(), static_cast<std::int32_t>(end_of(n) - begin),
                      starts(n), column_.data() + begin, probability_.data() + begin});
      product_->multiply(value_next, expected, stream_, 1);
    }
    const PublishedChoice choose{outcome.landing, outcome.failure, problem_.action_count(),
                                 expected,        value,           action};
    for_each_on_device(problem_.cells(), choose, stream_);
  }

  std::size_t entries() const { return entries_; }
  const PublishedMatrices& on_host(std::int32_t place) const {
    return on_host_[static_cast<std::size_t>(place)];
  }
  const DeviceStream& stream() const { return stream_; }

 private:
  // Reserves memory for about as many entries as the previous level has.
  void begin_on_host() {
    PublishedMatrices& level = on_host_.emplace_back();
    level.reward.reserve(problem_.rows());
    if (on_host_.size() < 2) return;
    const std::size_t before = on_host_[on_host_.size() - 2].row.size();
    const std::size_t room = before + before / 8;
    level.row.reserve(room);
    level.column.reserve(room);
    level.probability.reserve(room);
  }

  // Runs all kernels of one action over a level and appends its entries and rewards.
  void build_action(const PublishedLevel& level, ActionIndex action, std::size_t place) {
    const auto window = static_cast<std::size_t>(level.subgrid.size());
    const std::size_t cells = problem_.cells();
    const std::size_t at_once = std::min({batch_, cells_per_batch(window, words_, limits_), cells});
    counts_.make_room(at_once, window);
    fit(sum_r_, at_once);
    for (std::size_t first = 0; first < cells; first += at_once) {
      build_batch(level, action, place, first, std::min(at_once, cells - first));
    }
  }

  void build_batch(const PublishedLevel& level, ActionIndex action, std::size_t place,
                   std::size_t first, std::size_t cells) {
    const auto window = static_cast<std::size_t>(level.subgrid.size());
    const auto first_cell = static_cast<std::int32_t>(first);
    const std::size_t first_row = static_cast<std::size_t>(action.value) * problem_.cells() + first;
    const bool to_host = where_ == PublishedMemory::host;
    Transfer* transfer = to_host ? &appending_.next(cells) : nullptr;

    counts_.clear(cells, window, stream_);
    set_to_zero(sum_r_.data(), cells, stream_);
    launch_transition(
        problem_.transition(level, action, first_cell, counts_.s2_count.data(), sum_r_.data()),
        cells, static_cast<std::size_t>(level.level.realization_count), blocks_.transition, limits_,
        stream_);
    float* reward = to_host ? transfer->device.reward.data()
                            : reward_.data() + place * problem_.rows() + first_row;
    launch_mean(problem_.mean(level, sum_r_.data(), reward), cells, blocks_.reduce, stream_);
    launch_count(counts_, cells, window, blocks_.count, stream_);
    if (to_host) appending_.append_sent(on_host_);  // during the kernels
    const std::size_t entries = scan_entries(counts_, cells, stream_);

    PublishedCoo store;
    if (to_host) {
      transfer->device.make_room(entries, cells);
      store = problem_.coo(level, action, first_cell, transfer->device.row.data(),
                           transfer->device.column.data(), transfer->device.probability.data());
    } else {
      require_room(entries_ + entries);
      require_int32(entries_ + entries - level_start_[place]);
      store = problem_.coo(level, action, first_cell, nullptr, column_.data() + entries_,
                           probability_.data() + entries_);
      const auto before = static_cast<std::int32_t>(entries_ - level_start_[place]);
      // One more element: the start of the next batch's rows, or the level's end.
      for_each_on_device(cells + 1,
                         ShiftStarts{counts_.entry_start.data(), before,
                                     row_start_.data() + place * (problem_.rows() + 1) + first_row},
                         stream_);
    }
    launch_reduce(counts_, cells, window, store, blocks_.reduce, stream_);
    if (to_host) appending_.send(entries, cells, static_cast<std::int32_t>(place), stream_);
    entries_ += entries;
  }

  // Allocates the memory of P and R: rows have a known size, entries get the rest.
  void reserve(std::size_t memory) {
    const std::size_t given = memory > 0 ? memory : device_memory().free / 10 * 9;
    const std::size_t rows = problem_.rows();
    row_bytes_ = levels_ * ((rows + 1) * sizeof(std::int32_t) + rows * sizeof(float));
    // S2_count, sum_R, the expectations of a level and memory of cuSPARSE.
    words_ = std::min(words_, given / (8 * sizeof(std::uint32_t)));
    const std::size_t working =
        words_ * sizeof(std::uint32_t) + rows * 2 * sizeof(float) + (std::size_t{64} << 20);
    memory_ = given > working ? given - working : 0;
    capacity_ = memory_ > row_bytes_ ? (memory_ - row_bytes_) / entry_bytes : 0;
    require_room(1);
    row_start_ = DeviceArray<std::int32_t>(levels_ * (rows + 1));
    reward_ = DeviceArray<float>(levels_ * rows);
    column_ = DeviceArray<std::int32_t>(capacity_);
    probability_ = DeviceArray<float>(capacity_);
  }

  void require_room(std::size_t entries) const {
    if (entries <= capacity_) return;
    throw RunError(
        "the published method's P and R take " +
        describe_bytes(static_cast<double>(row_bytes_ + entries * entry_bytes)) +
        " or more on the GPU, and " + describe_bytes(static_cast<double>(memory_)) +
        " are left for them; take fewer cells, levels or actions, or append on the host");
  }
  static void require_int32(std::size_t entries_of_level) {
    if (entries_of_level <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      return;
    }
    throw RunError(
        "a level of the published method has more than 2^31 entries; take fewer cells "
        "or actions");
  }

  const std::int32_t* starts(std::size_t place) const {
    return row_start_.data() + place * (problem_.rows() + 1);
  }
  View<const float> rewards(std::size_t place) const {
    return reward_.view().part(place * problem_.rows(), problem_.rows());
  }
  std::size_t end_of(std::size_t place) const {
    return place + 1 < level_start_.size() ? level_start_[place + 1] : entries_;
  }

  const PublishedProblem& problem_;
  PublishedMemory where_;
  std::size_t levels_;
  PaperBlocks blocks_;
  std::size_t batch_;
  LaunchLimits limits_;
  std::size_t words_;
  DeviceStream stream_;
  PaperCounts counts_;
  DeviceArray<unsigned long long> sum_r_;  // (place)
  std::vector<std::size_t> level_start_;   // (level): its first entry
  std::size_t entries_ = 0;
  // PublishedMemory::host:
  std::vector<PublishedMatrices> on_host_;  // (level)
  HostAppending appending_;
  // PublishedMemory::device:
  std::size_t memory_ = 0;               // [B]
  std::size_t row_bytes_ = 0;            // [B]
  std::size_t capacity_ = 0;             // entries
  DeviceArray<std::int32_t> row_start_;  // (level, row + 1)
  DeviceArray<float> reward_;            // (level, row)
  DeviceArray<std::int32_t> column_;     // (entry)
  DeviceArray<float> probability_;       // (entry)
  DeviceArray<float> expected_;          // (row)
  std::unique_ptr<SparseProduct> product_;
};

DevicePublishedModel::DevicePublishedModel(const PublishedProblem& problem, PublishedMemory where,
                                           std::int32_t levels, const PaperBlocks& blocks,
                                           std::size_t memory, std::int32_t batch)
    : implementation_(
          std::make_unique<Implementation>(problem, where, levels, blocks, memory, batch)) {}
DevicePublishedModel::~DevicePublishedModel() = default;

void DevicePublishedModel::build(const PublishedLevel& level) { implementation_->build(level); }
void DevicePublishedModel::clear() { implementation_->clear(); }
void DevicePublishedModel::finish() { implementation_->finish(); }
std::size_t DevicePublishedModel::entries() const { return implementation_->entries(); }
PublishedMatrices DevicePublishedModel::matrices(std::int32_t place) const {
  return implementation_->matrices(place);
}
const PublishedMatrices& DevicePublishedModel::on_host(std::int32_t place) const {
  return implementation_->on_host(place);
}
void DevicePublishedModel::back_up(std::int32_t place, PublishedProduct product,
                                   const OutcomeRule& outcome, View<const float> value_next,
                                   View<float> value, View<std::int16_t> action) {
  implementation_->back_up(place, product, outcome, value_next, value, action);
}
const DeviceStream& DevicePublishedModel::stream() const { return implementation_->stream(); }

}  // namespace tidewise
