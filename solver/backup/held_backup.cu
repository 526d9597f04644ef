#include "model_builder/device/count_launch.cuh"
#include "solver/backup/held_actions.h"
#include "solver/backup/held_backup.h"

namespace tidewise {
namespace {

// A backup whose actions continue with their own value at the next level. It stores the value of
// each action.
struct BackupOfHeld : DeviceBackup {
  HeldActions held;
  std::size_t cells = 0;

  __device__ OutcomeRule rule_of(std::int32_t a) const {
    OutcomeRule own = rule;
    own.value_next = held.next.part(static_cast<std::size_t>(a) * cells, cells);
    return own;
  }

  // One window of outcomes serves all actions; NaN marks the values that depend on the action.
  __device__ float outcome_in_window(std::int32_t column, std::int32_t row, Offset to,
                                     PathsFromCell ways, float action_part) const {
    const StepEnd end = rule.landing(column, row, to, ways);
    if (held.next.size > 0 && end.outcome == StepOutcome::under_way) return NAN;
    return rule.step_return(end, column, row, to, action_part);
  }
  __device__ float outcome_of(std::int32_t a, float in_window, std::int32_t from_cell,
                              std::int32_t to_cell) const {
    if (!isnan(in_window)) return in_window;
    return rule_of(a).value_between(
        {StepOutcome::under_way, 1}, from_cell, to_cell,
        kind[static_cast<std::size_t>(kind_of[static_cast<std::size_t>(a)])]);
  }
  // A value that is not finite would enter the sums of level k − 1. It counts as the best, so that
  // the level is refused.
  __device__ float keep(std::int32_t cell, std::int32_t a, float expected) const {
    if (held.now.size == 0) return expected;
    held.now[static_cast<std::size_t>(a) * cells + static_cast<std::size_t>(cell)] = expected;
    return isfinite(expected) ? expected : INFINITY;
  }

  template <class Table, class Group>
  __device__ void take(std::int32_t cell, const Table& table, char* memory,
                       const Group& group) const {
    take_by(*this, cell, table, memory, group);
  }

  __device__ float line(std::int32_t cell, std::int32_t a, Offset first, const std::uint32_t* count,
                        std::int32_t width) const {
    if (held.next.size == 0) return DeviceBackup::line(cell, a, first, count, width);
    DeviceBackup own = *this;
    own.rule = rule_of(a);
    return own.line(cell, a, first, count, width);
  }
  __device__ void of_action(std::int32_t cell, std::int32_t a, float sum, Best& best) const {
    const float expected = keep(cell, a, sum * inverse_count);
    if (expected > best.value) best = {expected, a};
  }
};

class CountingHeldBackup final : public HeldBackup {
 public:
  CountingHeldBackup(const EnvironmentInfo& info, const PositionRule& rule,
                     const DeviceActions& actions, std::int32_t kinds, const Mission& mission)
      : launch_(info, rule, actions, kinds),
        mission_(mission),
        cells_(static_cast<std::size_t>(info.grid.cell_count())),
        now_(cells_ * static_cast<std::size_t>(actions.count())),
        next_(now_.size()) {}

  void begin(TimeLevel k) override {
    std::swap(now_, next_);
    held_ = held_actions(mission_, k, std::as_const(next_).view(), now_.view());
  }
  View<float> next() override { return held_.next.empty() ? View<float>() : next_.view(); }
  View<float> now() override { return held_.now; }
  void run_lattice(const DeviceCloud& cloud, const DeviceCellLists& lists,
                   const DeviceBackup& backup, const DeviceStream& stream) override {
    launch_.run_lattice(cloud, lists, with(backup), stream);
  }
  void run_direct(const DeviceCloud& cloud, const DeviceCellLists& lists, const std::int32_t* list,
                  const std::int32_t* count, const DeviceBackup& backup,
                  const DeviceStream& stream) override {
    launch_.run_direct(cloud, lists, list, count, with(backup), stream);
  }

 private:
  BackupOfHeld with(const DeviceBackup& backup) const {
    BackupOfHeld sink;
    static_cast<DeviceBackup&>(sink) = backup;
    sink.held = held_;
    sink.cells = cells_;
    return sink;
  }

  DeviceCountLaunch<BackupOfHeld> launch_;
  const Mission& mission_;
  std::size_t cells_;
  DeviceArray<float> now_;  // (action, y, x)
  DeviceArray<float> next_;
  HeldActions held_;
};

}  // namespace

std::unique_ptr<HeldBackup> make_held_backup(const EnvironmentInfo& info, const PositionRule& rule,
                                             const DeviceActions& actions, std::int32_t kinds,
                                             const Mission& mission) {
  return std::make_unique<CountingHeldBackup>(info, rule, actions, kinds, mission);
}

}  // namespace tidewise
