#include "solver/induction/cpu_level_solver.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "base/memory/array.h"
#include "solver/backup/expectation.h"
#include "solver/induction/value_overflow.h"
#include "solver/legs/legs.h"
#include "solver/step/boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"

namespace tidewise {
namespace {

constexpr float no_value_yet = -std::numeric_limits<float>::infinity();

std::size_t index_of(CellIndex cell) { return static_cast<std::size_t>(cell.value); }

}  // namespace

std::vector<PassMember> members_of_legs(const Mission& mission, std::size_t first) {
  std::vector<PassMember> members;
  const bool for_all_phases = mission.decisions.hold() && mission.decisions.for_all_departures;
  for (std::int32_t phase = 0; phase < (for_all_phases ? mission.decisions.every : 1); ++phase) {
    for (std::size_t leg = first; leg <= mission.via.size(); ++leg) {
      PassMember& member = members.emplace_back(PassMember{leg_mission(mission, leg), leg});
      member.is_phase = for_all_phases;
      if (for_all_phases) member.mission.decisions = {mission.decisions.every, TimeLevel(phase)};
      if (leg == mission.via.size()) continue;
      member.next = members.size();
      member.place = mission.via[leg].cells;
    }
  }
  return members;
}

// The backups of all members that decide in a cell.
class CpuLevelSolver::Backups final : public CountSink {
 public:
  explicit Backups(std::size_t members) { backups_.reserve(members); }
  template <class... Arguments>
  void add(View<const std::uint8_t> decides, Arguments&&... arguments) {
    backups_.push_back({decides, LevelBackup(std::forward<Arguments>(arguments)...)});
  }
  // With one member no marks are needed.
  CountSink& sink() {
    if (backups_.size() == 1) return backups_.front().backup;
    return *this;
  }
  void accept(std::int32_t thread, CellIndex cell, const CellTransitions& counts) override {
    for (MemberBackup& member : backups_) {
      if (member.decides[index_of(cell)] != 0) member.backup.accept(thread, cell, counts);
    }
  }

 private:
  struct MemberBackup {
    View<const std::uint8_t> decides;  // (y, x)
    LevelBackup backup;
  };
  std::vector<MemberBackup> backups_;
};

CpuLevelSolver::CpuLevelSolver(const EnvironmentInfo& info, const RowWindow& window,
                               const std::vector<Action>& actions, const PositionRule& rule,
                               std::vector<PassMember> members, std::int32_t threads,
                               CountLevel count, PolicyRows* rows)
    : info_(info),
      threads_(threads),
      count_(std::move(count)),
      inverse_count_(inverse_count(row_total(info, rule))),
      band_begin_(static_cast<std::size_t>(info.grid.cell(0, window.south_halo()).value)),
      band_end_(band_begin_ +
                static_cast<std::size_t>(window.size()) * static_cast<std::size_t>(info.grid.nx)),
      masked_next_(cell_count()),
      scalar_next_(info.has_scalar ? cell_count() : 0) {
  for (PassMember& problem : members) {
    std::erase_if(problem.place, [&](std::int32_t cell) {
      return static_cast<std::size_t>(cell) < band_begin_ ||
             static_cast<std::size_t>(cell) >= band_end_;
    });
    Member member;
    member.rewards = ActionRewards({actions, problem.mission, rule}, info.time.step);
    member.value = Array<float>(cell_count(), 0.0F);
    member.value_next = Array<float>(cell_count(), 0.0F);
    member.action = Array<std::int16_t>(cell_count(), no_action);
    const std::size_t held = problem.mission.decisions.hold() ? actions.size() * cell_count() : 0;
    member.held = Array<float>(held, 0.0F);
    member.held_next = Array<float>(held, 0.0F);
    if (members.size() > 1) member.decides.assign(cell_count(), 0);
    member.problem = std::move(problem);
    members_.push_back(std::move(member));
  }
  const bool keeps_rows = members_.size() == 1 && members_.front().held.empty();
  rows_ = keeps_rows ? rows : nullptr;
}

void CpuLevelSolver::start(const LevelFields<>& fields) {
  const LevelView level = fields.view(info_);
  for (Member& member : members_) set_boundary(member, level, BeyondTarget::late);
  keep(level);
}

void CpuLevelSolver::step(TimeLevel k, const LevelFields<>& fields) {
  const LevelView level = fields.view(info_);
  advance();
  for (Member& member : members_) set_boundary(member, level, BeyondTarget::non_terminal);
  solve(k, level);
  keep(level);
}

std::int64_t CpuLevelSolver::decided() const {
  std::int64_t cells = 0;
  for (const Member& member : members_) cells += static_cast<std::int64_t>(member.decided.size());
  return cells;
}

void CpuLevelSolver::hand_over(TimeLevel k, PolicySink& sink) const {
  for (std::size_t m = members_.size(); m-- > 0;) {
    if (hands_over(m, k)) sink.accept(leg_of(m), k, action(m), value(m));
  }
}

void CpuLevelSolver::clear() {
  for (Member& member : members_) {
    for (auto* plane : {&member.value, &member.value_next, &member.held, &member.held_next}) {
      std::fill(plane->begin(), plane->end(), 0.0F);
    }
  }
  obstacles_.reset();
}

void CpuLevelSolver::start(std::size_t member, View<const CellIndex> cells) {
  const BoundaryValue at_boundary = boundary_value(info_, members_[member].problem.mission);
  for (const CellIndex cell : cells) {
    members_[member].value[index_of(cell)] = at_boundary.late(cell.value);
    members_[member].action[index_of(cell)] = no_action;
  }
}

void CpuLevelSolver::advance() {
  for (Member& member : members_) {
    std::swap(member.value, member.value_next);
    std::swap(member.held, member.held_next);
  }
}

void CpuLevelSolver::decide(TimeLevel k, const LevelView& level,
                            const std::vector<View<const CellIndex>>& cells) {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const std::vector<std::int32_t>& place = members_[m].problem.place;
    std::vector<CellIndex>& decided = members_[m].decided;
    decided.clear();
    std::copy_if(cells[m].begin(), cells[m].end(), std::back_inserter(decided),
                 [&](CellIndex cell) {
                   return !std::binary_search(place.begin(), place.end(), cell.value);
                 });
    for (const CellIndex cell : decided) {
      members_[m].value[index_of(cell)] = no_value_yet;
      members_[m].action[index_of(cell)] = no_action;
    }
  }
  solve(k, level);
}

void CpuLevelSolver::keep(const LevelView& level) {
  std::copy(level.masked.begin(), level.masked.end(), masked_next_.begin());
  std::copy(level.scalar.begin(), level.scalar.end(), scalar_next_.begin());
}

std::vector<View<float>> CpuLevelSolver::planes_to_exchange(TimeLevel k) {
  std::vector<View<float>> planes;
  for (Member& member : members_) {
    const HeldActions held_values =
        held_actions(member.problem.mission, TimeLevel(k.value - 1), member.held.view(), {});
    if (held_values.next.empty()) planes.push_back(member.value);
    for (std::size_t at = 0; at < held_values.next.size; at += cell_count()) {
      planes.push_back(member.held.view().part(at, cell_count()));
    }
  }
  return planes;
}

HeldActions CpuLevelSolver::held_of(Member& member, TimeLevel k) const {
  return held_actions(member.problem.mission, k, member.held_next, member.held);
}

void CpuLevelSolver::set_boundary(Member& member, const LevelView& level, BeyondTarget water) {
  const Mission& mission = member.problem.mission;
  const BoundaryValue at_boundary = boundary_value(info_, mission);
  member.decided.clear();
  std::fill(member.action.begin(), member.action.end(), no_action);
  for (std::size_t cell = 0; cell < cell_count(); ++cell) {
    const bool masked = level.masked[cell] != 0;
    const bool in_target = mission.target[cell] != 0;
    if (water == BeyondTarget::non_terminal && is_non_terminal(masked, in_target) &&
        cell >= band_begin_ && cell < band_end_) {
      member.value[cell] = no_value_yet;
      member.decided.emplace_back(static_cast<std::int32_t>(cell));
    } else {
      member.value[cell] = at_boundary(masked, in_target, cell);
    }
  }
}

// Every cell in which some member decides, ascending; `decides` marks those of each.
View<const CellIndex> CpuLevelSolver::all_decided() {
  if (members_.size() == 1) return members_.front().decided;
  counted_.clear();
  for (Member& member : members_) {
    std::fill(member.decides.begin(), member.decides.end(), std::uint8_t{0});
    for (const CellIndex cell : member.decided) member.decides[index_of(cell)] = 1;
    united_.clear();
    std::set_union(counted_.begin(), counted_.end(), member.decided.begin(), member.decided.end(),
                   std::back_inserter(united_));
    counted_.swap(united_);
  }
  return counted_;
}

void CpuLevelSolver::solve(TimeLevel k, const LevelView& level) {
  const View<const CellIndex> cells = all_decided();
  // Obstacles that do not move need their table only once.
  if (!obstacles_ || info_.obstacles == Obstacles::moving) {
    obstacles_.emplace(info_.grid, level.masked, masked_next_);
  }
  Backups backups(members_.size());
  for (Member& member : members_) {
    const Mission& mission = member.problem.mission;
    const OutcomeRule rule =
        outcome_rule(info_, mission, k, mission.target,
                     {level.masked, masked_next_, level.scalar, scalar_next_, member.value_next});
    backups.add(member.decides, rule, member.rewards, inverse_count_, threads_, *obstacles_,
                member.value, member.action, held_of(member, k), rows_);
  }
  if (rows_ != nullptr) rows_->begin_level(threads_);
  count_(k, level, cells, backups.sink());
  if (rows_ != nullptr) rows_->end_level(k, members_.front().action);
  for (Member& member : members_) add_margin(member, k, level);
  for (std::size_t m = members_.size(); m-- > 0;) require_finite(members_[m], k);
  take_over(k);
}

void CpuLevelSolver::add_margin(Member& member, TimeLevel k, const LevelView& level) {
  const Mission& mission = member.problem.mission;
  if (!(mission.margin > 0)) return;
  const NearnessPenalties penalties(
      {info_.grid, nearness_penalty(mission), level.masked, masked_next_}, *obstacles_);
  add_penalties(penalties, member.decided, info_.grid, member.value);
  add_penalties(penalties, member.decided, info_.grid, held_of(member, k).now);
}

void CpuLevelSolver::require_finite(const Member& member, TimeLevel k) const {
  const auto is_finite = [&](CellIndex cell) {
    return std::isfinite(member.value[index_of(cell)]);
  };
  if (std::all_of(member.decided.begin(), member.decided.end(), is_finite)) return;
  Grid band_grid = info_.grid;  // from the first row to solve on
  band_grid.first_row += band_grid.row(CellIndex(static_cast<std::int32_t>(band_begin_)));
  refuse_overflow(band_grid, k, member.value.view().part(band_begin_, band_end_ - band_begin_));
}

void CpuLevelSolver::take_over(TimeLevel k) {
  for (std::size_t m = members_.size(); m-- > 0;) {
    Member& member = members_[m];
    if (member.problem.next == PassMember::none) continue;
    const Member& next = members_[member.problem.next];
    const std::size_t held = held_of(member, k).now.size;
    for (const std::int32_t place : member.problem.place) {
      const auto cell = static_cast<std::size_t>(place);
      member.value[cell] = next.value[cell];
      member.action[cell] = next.action[cell];
      for (std::size_t at = cell; at < held; at += cell_count()) {
        member.held[at] = next.held[at];
      }
    }
  }
}

std::unique_ptr<LevelSolver> make_cpu_level_solver(const EnvironmentInfo& info,
                                                   const PlanningProblem& problem,
                                                   std::int32_t threads, CountLevel count,
                                                   PolicyRows* rows) {
  return std::make_unique<CpuLevelSolver>(info, all_rows(info.grid.ny), problem.actions,
                                          problem.rule, members_of_legs(problem.mission), threads,
                                          std::move(count), rows);
}

}  // namespace tidewise
