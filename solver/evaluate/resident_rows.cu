#include <algorithm>

#include "base/error.h"
#include "base/kernel/warp.h"
#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "model_builder/device/level_preparation.h"
#include "model_builder/device/row_buffer.h"
#include "model_builder/device/row_launch.h"
#include "solver/evaluate/resident_rows.h"
#include "solver/missions/memory.h"

namespace tidewise {
namespace {

constexpr std::int32_t threads = 256;
constexpr std::int32_t lanes = 32;
// Number of neighbouring cells that a warp processes one after the other.
constexpr std::int32_t cells_per_warp = 8;
// Initial number of blocks per row.
constexpr std::size_t blocks_per_row = 4;

// Writes the cells that hold mass of some member to `cells`, neighbours next to each other, and
// marks the actions taken in them. wanted: see DeviceRows, `words` per cell.
__global__ void list_held(View<const MemberStep> members, std::int32_t words, std::uint32_t* wanted,
                          std::int32_t* cells, std::int32_t* cell_count) {
  const auto cell = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  bool held = false;
  if (cell < members[0].probability.size) {
    std::uint32_t* of_cell = wanted + cell * static_cast<std::size_t>(words);
    for (std::int32_t w = 0; w < words; ++w) of_cell[w] = 0;
    for (std::size_t m = 0; m < members.size; ++m) {
      const MemberStep& member = members[m];
      if (!(member.probability[cell].probability > 0)) continue;
      held = true;
      const std::int16_t action = member.step.context.policy[cell];
      if (action != no_action) of_cell[action / 32] |= 1u << action % 32;
    }
  }
  const std::int32_t place = DeviceWarp().append(held, cell_count);
  if (held) cells[place] = static_cast<std::int32_t>(cell);
}

// A warp copies the row of one cell's action into a window of its size.
template <class Entry>
__device__ LandingStencil take_row(const DeviceWarp& warp, const LandingWork& work,
                                   const LevelRows<Entry>& rows, const LandingTask& task,
                                   std::uint32_t start, std::uint32_t* count) {
  const std::uint16_t* sizes = rows.row_size + static_cast<std::size_t>(task.cell) *
                                                   static_cast<std::size_t>(rows.action_count);
  std::int32_t before = 0;  // number of blocks of the rows before
  for (std::int32_t a = warp.lane(); a < task.action; a += lanes) before += blocks_of(sizes[a]);
  before = warp.from(warp.exclusive_sum(before) + before, lanes - 1);
  const Entry* entries = rows.block[start + static_cast<std::uint32_t>(before)].entry;
  const std::int32_t size = sizes[task.action];
  const CellStencil places = rows.window[task.cell];
  const std::int32_t width = places.width();
  std::int32_t west = places.width();
  std::int32_t south = places.height();
  std::int32_t east = 0;
  std::int32_t north = 0;
  for (std::int32_t n = warp.lane(); n < size; n += lanes) {
    const auto place = static_cast<std::int32_t>(row_place(entries[n]));
    const std::int32_t row = place / width;
    const std::int32_t column = place - row * width;
    west = min(west, column);
    east = max(east, column);
    south = min(south, row);
    north = max(north, row);
  }
  west = warp.least(west);
  south = warp.least(south);
  east = warp.greatest(east);
  north = warp.greatest(north);
  const LandingStencil window{{places.dx_min + west, places.dy_min + south},
                              east - west + 1,
                              north - south + 1,
                              east - west + 1,
                              count};
  if (window.width * window.height > work.window_words) {
    if (warp.lane() == 0) work.facts[task.member].missed = 1;
    return {};
  }
  for (std::int32_t n = warp.lane(); n < window.width * window.height; n += lanes) count[n] = 0;
  warp.sync();
  for (std::int32_t n = warp.lane(); n < size; n += lanes) {
    const Entry entry = entries[n];
    const auto place = static_cast<std::int32_t>(row_place(entry));
    const std::int32_t row = place / width;
    window.at(place - row * width - west, row - south) = row_count(entry);
  }
  return window;
}

template <class Entry>
__global__ void __launch_bounds__(threads)
    take_rows(const __grid_constant__ LandingWork work,
              const __grid_constant__ LevelRows<Entry> rows) {
  const DeviceWarp warp;
  const std::size_t cells = work.members[0].probability.size;
  const std::size_t of_block = static_cast<std::size_t>(threads / lanes) * cells_per_warp;
  const std::size_t first = work.first + blockIdx.x * of_block +
                            static_cast<std::size_t>(threadIdx.x / lanes) * cells_per_warp;
  bool holds = false;
  const std::size_t own = first + static_cast<std::size_t>(warp.lane());
  if (warp.lane() < cells_per_warp && own < work.end) {
    const MemberCell at = MemberCell::of(own, cells);
    holds = work.members[at.member].probability[at.cell].probability > 0;
    if (holds && work.facts[at.member].holds == 0) work.facts[at.member].holds = 1;
  }
  for (std::uint32_t waiting = warp.ballot(holds); waiting != 0; waiting &= waiting - 1) {
    const std::size_t number = first + static_cast<std::size_t>(__ffs(waiting) - 1);
    const LandingTask task = landing_task(work, number);
    LandingStencil window;
    if (task.width > 0) {
      const std::uint32_t start = rows.cell_start[task.cell];
      if (start == no_rows) {
        if (warp.lane() == 0) {
          work.left[atomicAdd(work.left_count, 1u)] = static_cast<std::uint32_t>(number);
        }
        continue;
      }
      window = take_row(
          warp, work, rows, task, start,
          work.counts + (number - work.first) * static_cast<std::size_t>(work.window_words));
    }
    if (warp.lane() == 0) work.members[task.member].window[task.cell] = window;
  }
}

// Lists all cells that hold mass.
__global__ void leave_all(const __grid_constant__ LandingWork work) {
  const std::size_t number =
      work.first + static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (number >= work.end) return;
  const MemberCell at = MemberCell::of(number, work.members[0].probability.size);
  if (!(work.members[at.member].probability[at.cell].probability > 0)) return;
  work.facts[at.member].holds = 1;
  work.left[atomicAdd(work.left_count, 1u)] = static_cast<std::uint32_t>(number);
}

// Has no rows. Used for several profiles, whose rows would need several velocities.
class NoRows final : public ResidentRows {
 public:
  void count(const LevelView&, View<const MemberStep>, const DeviceCoefficients&,
             View<const std::uint32_t>, const DeviceStream&) override {}
  void take(const LandingWork& work, const DeviceStream& stream) const override {
    const auto blocks = static_cast<unsigned>((work.end - work.first + threads - 1) / threads);
    leave_all<<<blocks, threads, 0, native(stream)>>>(work);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }
  void make_room(const DeviceStream&) override {}
};

template <class Entry>
class ResidentRowsOf final : public ResidentRows {
 public:
  ResidentRowsOf(const EnvironmentInfo& info, const PositionRule& rule,
                 const DeviceActions& actions, std::size_t different, std::size_t memory)
      : cells_(info.grid.cell_count()),
        scale_(info.grid, info.time),
        rule_(rule),
        actions_(actions),
        max_blocks_(std::min(memory / sizeof(RowBlock<Entry>), std::size_t{no_rows} - 1)),
        launch_(info, rule, actions),
        buffer_(cells(), static_cast<std::size_t>(actions.count()),
                std::min(cells() * different * blocks_per_row, max_blocks_)),
        held_(cells()),
        of_class_(cells() * (frame_classes + 1)),
        class_of_(cells()),
        facts_(1),
        wanted_(cells() * static_cast<std::size_t>(words_of_actions(actions.count()))),
        needed_(1, 0) {
    TIDEWISE_CUDA_CHECK(cudaMemset(class_of_.data(), 0, class_of_.size()));
  }

  void count(const LevelView& level, View<const MemberStep> members,
             const DeviceCoefficients& coefficients, View<const std::uint32_t> weight,
             const DeviceStream& stream) override {
    DeviceLevelFacts* facts = facts_.data();
    set_to_zero(facts, 1, stream);
    set_to_zero(buffer_.totals.data(), 1, stream);
    const auto blocks = static_cast<unsigned>((cells_ + threads - 1) / threads);
    list_held<<<blocks, threads, 0, native(stream)>>>(members, words_of_actions(actions_.count()),
                                                      wanted_.data(), held_.data(),
                                                      &facts->non_terminal);
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
    bound_level(level, scale_, rule_, coefficients.range(), held_.data(), &facts->non_terminal,
                actions_.reach(), facts, stream);
    const DeviceCellLists lists = this->lists();
    sort_by_class(held_.data(), &facts->non_terminal, cells_, lists, stream);
    DeviceRows<Entry> sink = buffer_.sink();
    sink.wanted = wanted_.data();
    launch_.run_lattice(coefficients.cloud(weight), lists, sink, stream);
    copy_bytes(MemorySpace::pinned, needed_.data(), MemorySpace::device,
               &buffer_.totals.data()->blocks, sizeof(unsigned long long), stream);
  }

  void take(const LandingWork& work, const DeviceStream& stream) const override {
    constexpr std::size_t of_block = static_cast<std::size_t>(threads / lanes) * cells_per_warp;
    const auto blocks = static_cast<unsigned>((work.end - work.first + of_block - 1) / of_block);
    take_rows<<<blocks, threads, 0, native(stream)>>>(work, buffer_.rows());
    TIDEWISE_CUDA_CHECK(cudaGetLastError());
  }

  void make_room(const DeviceStream& stream) override {
    const auto needed = static_cast<std::size_t>(needed_[0]);
    const std::size_t before = buffer_.blocks.size();
    if (needed <= before || before == max_blocks_) return;
    stream.synchronize();
    buffer_.blocks = {};  // frees the old blocks first
    try {
      buffer_.blocks = DeviceArray<RowBlock<Entry>>(std::min(needed + needed / 4, max_blocks_));
    } catch (const RunError&) {  // other processes use the memory
      buffer_.blocks = DeviceArray<RowBlock<Entry>>(before);
      max_blocks_ = before;
    }
  }

 private:
  std::size_t cells() const { return static_cast<std::size_t>(cells_); }

  DeviceCellLists lists() {
    DeviceCellLists lists{};
    for (std::int32_t c = 0; c <= frame_classes; ++c) {
      lists.cell[c] = of_class_.data() + static_cast<std::size_t>(c) * cells();
    }
    lists.count = facts_.data()->of_class;
    lists.class_of = class_of_.data();
    lists.fits = &facts_.data()->fits;
    for (std::int32_t c = 0; c < frame_classes; ++c) lists.limits[c] = launch_.limits(c);
    return lists;
  }

  std::int32_t cells_;
  DisplacementScale scale_;
  PositionRule rule_;
  const DeviceActions& actions_;
  std::size_t max_blocks_;
  DeviceRowLaunch<Entry> launch_;
  RowBuffer<Entry> buffer_;
  DeviceArray<std::int32_t> held_;          // cells
  DeviceArray<std::int32_t> of_class_;      // (class): cells
  DeviceArray<std::uint8_t> class_of_;      // (y, x): see DeviceCellLists
  DeviceArray<DeviceLevelFacts> facts_;     // facts of the current level
  DeviceArray<std::uint32_t> wanted_;       // (cell, word), of the current level
  PinnedArray<unsigned long long> needed_;  // number of blocks, of the last completed level
};

}  // namespace

std::size_t resident_row_memory(const EnvironmentInfo& info, const PositionRule& rule,
                                std::size_t different) {
  if (info.velocities > 1) return 0;
  const std::size_t block = needs_wide_rows(info, rule) ? sizeof(RowBlock<WideRowEntry>)
                                                        : sizeof(RowBlock<NarrowRowEntry>);
  return static_cast<std::size_t>(info.grid.cell_count()) * different * blocks_per_row * block;
}

std::unique_ptr<ResidentRows> make_resident_rows(const EnvironmentInfo& info,
                                                 const PositionRule& rule,
                                                 const DeviceActions& actions,
                                                 std::size_t different, std::size_t memory) {
  if (info.velocities > 1) return std::make_unique<NoRows>();
  if (needs_wide_rows(info, rule)) {
    return std::make_unique<ResidentRowsOf<WideRowEntry>>(info, rule, actions, different, memory);
  }
  return std::make_unique<ResidentRowsOf<NarrowRowEntry>>(info, rule, actions, different, memory);
}

}  // namespace tidewise
