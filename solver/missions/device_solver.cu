#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "base/kernel/for_each.cuh"
#include "base/kernel/warp.h"
#include "base/kernel/write_to_host.cuh"
#include "base/memory/cuda_check.h"
#include "base/memory/device_transfer.h"
#include "base/memory/native_stream.h"
#include "model_builder/device/level_preparation.h"
#include "solver/backup/expectation.h"
#include "solver/missions/device_solver.h"
#include "solver/missions/member_backup.cuh"
#include "solver/missions/memory.h"
#include "solver/missions/rows.h"
#include "solver/missions/slots.h"
#include "solver/step/device_boundary.h"
#include "solver/step/nearness.h"

namespace tidewise {
namespace {

constexpr std::int32_t list_threads = 256;

// True if a cell is in the target of each of the first `members` members.
__device__ bool in_all_targets(const GroupView& group, std::int32_t members, std::int32_t cell) {
  for (std::int32_t first = 0; first < members; first += members_per_word) {
    const std::int32_t some = members - first;
    const std::uint32_t required = some < members_per_word ? (1u << some) - 1 : 0xffffffffu;
    if ((group.targets(cell, first) & required) != required) return false;
  }
  return true;
}

// Appends the cells that are non-terminal for some of the first `members` members to `cells`, in
// any order, and adds their number to *cell_count, which must be 0 before.
__global__ void list_non_terminal(const __grid_constant__ GroupView group, std::int32_t members,
                                  View<const std::uint8_t> masked, std::int32_t* cells,
                                  std::int32_t* cell_count) {
  const auto cell = static_cast<std::int32_t>(blockIdx.x * list_threads + threadIdx.x);
  const bool listed = static_cast<std::size_t>(cell) < masked.size &&
                      is_non_terminal(masked[static_cast<std::size_t>(cell)] != 0,
                                      in_all_targets(group, members, cell));
  const std::int32_t place = DeviceWarp().append(listed, cell_count);
  if (listed) cells[place] = cell;
}

// Adds proximity penalties to the values of the members' cells.
struct AddGroupPenalties {
  GroupView group;
  Grid grid;
  View<const std::uint8_t> masked_now;
  View<const std::uint8_t> masked_next;
  const NearnessPenalty* price;  ///< (member)
  std::int32_t members;          ///< number of members for which a step begins
  const std::int32_t* cells;
  const std::int32_t* cell_count;
  float* value;  ///< (cell, member)

  __device__ void operator()(std::size_t n) const {
    if (n >= static_cast<std::size_t>(*cell_count)) return;
    const std::int32_t cell = cells[n];
    float* of_cell =
        value + static_cast<std::size_t>(cell) * static_cast<std::size_t>(group.stride);
    for (std::int32_t m = 0; m < members; ++m) {
      if (!(price[m].margin > 0)) continue;
      if ((group.targets(cell, m) >> (m % members_per_word) & 1u) != 0) continue;
      of_cell[m] += NearnessRule{grid, price[m], masked_now, masked_next}(CellIndex(cell));
    }
  }
};

__global__ void transpose_group(const __grid_constant__ MemberPlanes planes) {
  __shared__ float scratch[MemberPlanes::scratch_size];
  planes(DeviceWarp{}, static_cast<std::int32_t>(blockIdx.x) * MemberPlanes::side,
         static_cast<std::int32_t>(blockIdx.y) * MemberPlanes::side, scratch);
}

void launch_transpose(const MemberPlanes& planes, const DeviceStream& stream) {
  constexpr std::int32_t side = MemberPlanes::side;
  const dim3 grid(static_cast<unsigned>((planes.cells + side - 1) / side),
                  static_cast<unsigned>((planes.present + side - 1) / side));
  transpose_group<<<grid, lanes_per_warp, 0, native(stream)>>>(planes);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

class DeviceGroupSolver::Implementation {
 public:
  Implementation(const EnvironmentInfo& info, const PositionRule& rule,
                 const std::vector<Action>& actions, const std::vector<const Mission*>& missions,
                 Engine engine, std::size_t memory, const std::vector<TakenPlace>& taken)
      : info_(info),
        table_(info, actions, missions),
        actions_(actions),
        rule_(rule),
        lattice_(engine == Engine::lattice),
        group_(table_),
        weight_(upload(counting_weights(info, rule_))),
        rows_(make_group_rows(info, rule_, actions_, table_.action_groups.size(),
                              row_memory(info, rule, actions.size(), missions.size(), memory))),
        direct_(info, actions_, table_),
        preparation_(info, rule_, actions_, [&](std::int32_t c) { return rows_->limits(c); }),
        near_targets_(cells() * static_cast<std::size_t>(table_.stride())),
        near_target_count_(1),
        price_(upload(prices(table_))),
        taken_(upload(taken_cells(table_, taken))) {
    for (auto& slot : levels_) slot.emplace(cells(), info);
    for (auto& slot : results_) {
      slot.emplace(cells(), static_cast<std::size_t>(table_.stride()), missions.size());
    }
  }

  TimeLevel last() const { return table_.last(); }
  const DeviceStream& preparation() const { return preparing_; }
  const DeviceStream& counting() const { return counting_; }
  std::int32_t awaiting_backup() const { return static_cast<std::int32_t>(counted_ - backed_up_); }
  std::int32_t in_flight() const { return static_cast<std::int32_t>(backed_up_ - collected_); }

  void count(TimeLevel k, const LevelView& fields) {
    LevelSlot& slot = level(counted_);
    slot.level = k;
    slot.fields = fields;
    // The slot's earlier level has been backed up, and so has the level before it, which read the
    // slot's fields and used the rows.
    if (counted_ >= group_level_slots) level(counted_ - 2).backed_up.hold_up(preparing_);
    if (counted_ >= group_row_buffers) level(counted_ - 2).backed_up.hold_up(counting_);
    prepare(slot);
    slot.is_prepared.hold_up(counting_);
    if (counted_ > 0) count_rows(slot, counted_ % group_row_buffers);
    write_to_host(slot.host_facts, slot.facts, counting_);
    slot.counted.record(counting_);
    ++counted_;
  }

  BackedUp back_up() {
    LevelSlot& slot = level(backed_up_);
    const std::size_t buffer = backed_up_ % group_row_buffers;
    slot.counted.synchronize();
    const DeviceLevelFacts& facts = slot.host_facts[0];
    if (facts.not_finite != 0 || facts.too_far != 0) return {slot.level, true};
    const bool first = backed_up_ == 0;
    if (!first && !rows_->is_complete(buffer) && rows_->make_room(buffer)) {
      count_again(slot, buffer);
    }
    ResultSlot& result = this->result(backed_up_);
    result.level = slot.level;
    result.present = table_.present(slot.level);
    const GroupStep step = step_of(slot, result);
    slot.counted.hold_up(solving_);
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(step.near_targets.count, 0, sizeof(std::int32_t), native(solving_)));
    rows_->back_up(buffer, step, table_, result.present, solving_);
    if (!first && rows_->totals(buffer).left_out > 0) {
      const ResultSlot& next = this->result(backed_up_ - 1);
      next.turned.hold_up(solving_);
      const MemberBackups::Cells cells{cloud(slot), slot.prepared.lists(preparation_),
                                       rows_->left_out(buffer), rows_->left_out_count(buffer)};
      direct_.run(cells, step, next.value_plane.data(), table_.stepping(slot.level), solving_);
      slot.backed_up.record(solving_);
      slot.backed_up.hold_up(counting_);  // the caller may release the fields afterwards
    }
    if (!first && !price_.empty()) add_penalties(slot, result);
    if (!first) take_over(result);
    slot.backed_up.record(solving_);
    slot.backed_up.hold_up(copying_);
    send(result);
    ++backed_up_;
    return {slot.level, false};
  }

  SolvedGroupLevel collect() {
    const ResultSlot& result = this->result(collected_);
    result.copied.synchronize();
    ++collected_;
    SolvedGroupLevel solved;
    solved.level = result.level;
    solved.member.resize(static_cast<std::size_t>(table_.member_count()));
    for (std::int32_t m = 0; m < result.present; ++m) {
      const auto place = static_cast<std::size_t>(m);
      const MemberTally& tally = result.host_tally[place];
      solved.member[table_.place(m)] = {tally.decided, tally.overflow != 0,
                                        result.host_action.view().part(place * cells(), cells()),
                                        result.host_value.view().part(place * cells(), cells())};
    }
    return solved;
  }

 private:
  // Penalties, (member); empty if no member has a proximity penalty.
  static std::vector<NearnessPenalty> prices(const GroupTable& table) {
    std::vector<NearnessPenalty> found;
    bool some = false;
    for (std::int32_t m = 0; m < table.member_count(); ++m) {
      found.push_back(nearness_penalty(table.mission(m)));
      some = some || table.mission(m).margin > 0;
    }
    return some ? found : std::vector<NearnessPenalty>{};
  }

  static std::size_t row_memory(const EnvironmentInfo& info, const PositionRule& rule,
                                std::size_t actions, std::size_t members, std::size_t memory) {
    const std::size_t all = group_memory(info, rule, actions, members);
    const std::size_t more = memory > all ? memory - all : 0;
    return more + group_row_memory(info, rule, actions);
  }

  std::size_t cells() const { return static_cast<std::size_t>(info_.grid.cell_count()); }
  LevelSlot& level(std::size_t n) { return *levels_[n % group_level_slots]; }
  ResultSlot& result(std::size_t n) { return *results_[n % group_result_slots]; }

  // Prepares what does not depend on values: cells to count, coefficients, bounds.
  void prepare(LevelSlot& slot) {
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(slot.facts.data(), 0, sizeof(DeviceLevelFacts), native(preparing_)));
    copy_to_slot(slot.masked, slot.fields.masked);
    copy_to_slot(slot.scalar, slot.fields.scalar);
    if (counted_ > 0) {
      DeviceLevelFacts* facts = slot.facts.data();
      const auto blocks = static_cast<unsigned>((cells() + list_threads - 1) / list_threads);
      list_non_terminal<<<blocks, list_threads, 0, native(preparing_)>>>(
          group_.view(), table_.stepping(slot.level), slot.masked.view(), slot.non_terminal.data(),
          &facts->non_terminal);
      TIDEWISE_CUDA_CHECK(cudaGetLastError());
      slot.coefficients.make(slot.fields, scale_, rule_, preparing_);
      slot.prepared.prepare(preparation_, slot.fields, slot.coefficients.range(),
                            slot.masked.view(), level(counted_ - 1).masked.view(),
                            slot.non_terminal.data(), &facts->non_terminal, facts, preparing_);
    }
    slot.is_prepared.record(preparing_);
  }

  template <class T>
  void copy_to_slot(DeviceArray<T>& host, View<const T> field) {
    copy_bytes(MemorySpace::device, host.data(), MemorySpace::device, field.data,
               host.size() * sizeof(T), preparing_);
  }

  void count_rows(LevelSlot& slot, std::size_t buffer) {
    rows_->count(buffer,
                 {cloud(slot), slot.prepared.lists(preparation_), slot.non_terminal.data(),
                  &slot.facts.data()->non_terminal, lattice_},
                 counting_);
  }

  // Counts again, with room for all rows.
  void count_again(LevelSlot& slot, std::size_t buffer) {
    DeviceLevelFacts* facts = slot.facts.data();
    TIDEWISE_CUDA_CHECK(
        cudaMemsetAsync(facts->of_class, 0, sizeof facts->of_class, native(counting_)));
    slot.prepared.sort(preparation_, slot.non_terminal.data(), &facts->non_terminal, counting_);
    count_rows(slot, buffer);
    slot.counted.record(counting_);
    slot.counted.synchronize();
  }

  GroupStep step_of(LevelSlot& slot, ResultSlot& result) {
    GroupStep step;
    step.level = slot.level.value;
    step.group = group_.view();
    step.landing.grid = info_.grid;
    step.landing.target = step.group.some_target;
    step.landing.masked_now = slot.masked.view();
    step.near_masked = slot.prepared.near_masked();
    step.inverse_count = inverse_count(row_total(info_, rule_));
    step.scalar_now = slot.scalar.data();
    step.value = result.value.data();
    step.action = result.action.data();
    step.near_targets = {near_targets_.data(), near_target_count_.data()};
    if (backed_up_ > 0) {
      const LevelSlot& next = level(backed_up_ - 1);
      step.landing.masked_next = next.masked.view();
      step.scalar_next = next.scalar.data();
      step.value_next = this->result(backed_up_ - 1).value.data();
    }
    return step;
  }

  // Copies the results to planes of members and to the host.
  void send(ResultSlot& result) {
    TIDEWISE_CUDA_CHECK(cudaMemsetAsync(
        result.tally.data(), 0, result.tally.size() * sizeof(MemberTally), native(copying_)));
    launch_transpose({info_.grid.cell_count(), table_.stride(), result.present, result.value.data(),
                      result.action.data(), result.value_plane.data(), result.action_plane.data(),
                      result.tally.data()},
                     copying_);
    result.turned.record(copying_);
    const auto present = static_cast<std::size_t>(result.present);
    const auto copy_to_host = [&](auto& host, const auto& device, std::size_t size) {
      copy_bytes(MemorySpace::pinned, host.data(), MemorySpace::device, device.data(),
                 size * sizeof(*host.data()), copying_);
    };
    copy_to_host(result.host_value, result.value_plane, present * cells());
    copy_to_host(result.host_action, result.action_plane, present * cells());
    copy_to_host(result.host_tally, result.tally, present);
    result.copied.record(copying_);
  }

  void add_penalties(const LevelSlot& slot, ResultSlot& result) {
    for_each_on_device(slot.non_terminal.size(),
                       AddGroupPenalties{group_.view(), info_.grid, slot.masked.view(),
                                         level(backed_up_ - 1).masked.view(), price_.data(),
                                         table_.stepping(slot.level), slot.non_terminal.data(),
                                         &slot.facts.data()->non_terminal, result.value.data()},
                       solving_);
  }

  void take_over(ResultSlot& result) {
    for_each_on_device(taken_.size(),
                       TakeOverCells{taken_.view(), static_cast<std::uint32_t>(table_.stride()),
                                     static_cast<std::uint32_t>(table_.stepping(result.level)),
                                     result.value.data(), result.action.data()},
                       solving_);
  }

  DeviceCloud cloud(const LevelSlot& slot) const { return slot.coefficients.cloud(weight_.view()); }

  const EnvironmentInfo& info_;
  GroupTable table_;
  DisplacementScale scale_{info_.grid, info_.time};
  DeviceActions actions_;
  PositionRule rule_;
  bool lattice_;
  GroupOnDevice group_;
  DeviceArray<std::uint32_t> weight_;
  std::unique_ptr<GroupRows> rows_;
  MemberBackups direct_;
  LevelPreparation preparation_;
  DeviceArray<std::uint32_t> near_targets_;      // see GroupStep
  DeviceArray<std::int32_t> near_target_count_;  // a single number
  DeviceArray<NearnessPenalty> price_;           // (member), or empty if there is no penalty
  DeviceArray<TakenCell> taken_;
  DeviceStream preparing_;
  DeviceStream counting_;
  DeviceStream solving_;
  DeviceStream copying_;
  std::array<std::optional<LevelSlot>, group_level_slots> levels_;
  std::array<std::optional<ResultSlot>, group_result_slots> results_;
  // Number of levels so far.
  std::size_t counted_ = 0;
  std::size_t backed_up_ = 0;
  std::size_t collected_ = 0;
};

DeviceGroupSolver::DeviceGroupSolver(const EnvironmentInfo& info, const PositionRule& rule,
                                     const std::vector<Action>& actions,
                                     const std::vector<const Mission*>& missions, Engine engine,
                                     std::size_t memory, const std::vector<TakenPlace>& taken)
    : implementation_(
          std::make_unique<Implementation>(info, rule, actions, missions, engine, memory, taken)) {}
DeviceGroupSolver::~DeviceGroupSolver() = default;

TimeLevel DeviceGroupSolver::last() const { return implementation_->last(); }
const DeviceStream& DeviceGroupSolver::preparation_stream() const {
  return implementation_->preparation();
}
const DeviceStream& DeviceGroupSolver::counting_stream() const {
  return implementation_->counting();
}
void DeviceGroupSolver::count(TimeLevel k, const LevelView& fields) {
  implementation_->count(k, fields);
}
std::int32_t DeviceGroupSolver::awaiting_backup() const {
  return implementation_->awaiting_backup();
}
DeviceGroupSolver::BackedUp DeviceGroupSolver::back_up() { return implementation_->back_up(); }
std::int32_t DeviceGroupSolver::in_flight() const { return implementation_->in_flight(); }
std::int32_t DeviceGroupSolver::depth() { return group_result_slots; }
SolvedGroupLevel DeviceGroupSolver::collect() { return implementation_->collect(); }

}  // namespace tidewise
