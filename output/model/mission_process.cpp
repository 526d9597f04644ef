#include "output/model/mission_process.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/hdf5/unlimited.h"
#include "base/parallel/strand.h"
#include "env/levels/level_pair.h"
#include "mdp/file/hdf5.h"
#include "mdp/process/row_writer.h"
#include "output/error/codes.h"
#include "output/model/model_actions.h"
#include "output/run/attributes.h"
#include "solver/step/action_rewards.h"
#include "solver/step/boundary.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/nearness.h"
#include "solver/step/obstacle_index.h"

namespace tidewise {
namespace {

using Process = mdp::DecisionProcess<double>;

constexpr auto end_states = static_cast<std::int32_t>(EndState::count);

/// Cells × levels 0 … L, and the end states.
std::int32_t count_states(const Grid& grid, TimeLevel last) {
  const std::int64_t states = std::int64_t{grid.cell_count()} * (last.value + 1) + end_states;
  if (states > std::numeric_limits<std::int32_t>::max()) {
    throw input_error(errors::process_states_too_many, states);
  }
  return static_cast<std::int32_t>(states);
}

/// The process without its rows.
Process describe_process(const EnvironmentInfo& info, const PlanningProblem& problem) {
  const Mission& mission = problem.mission;
  Process process;
  process.state_count = count_states(info.grid, mission.last);
  process.action_count = static_cast<std::int32_t>(problem.actions.size());
  process.initial_state = mission.departure.value * info.grid.cell_count() + mission.start.value;
  return process;
}

/// Makes the rows of one level after the other.
class ProcessMaker {
 public:
  ProcessMaker(const ModelInfo& model, const EnvironmentInfo& info, const PlanningProblem& problem)
      : model_(model),
        info_(info),
        mission_(problem.mission),
        cells_(info.grid.cell_count()),
        action_count_(static_cast<std::int32_t>(problem.actions.size())),
        rewards_(problem, info.time.step),
        zeros_(static_cast<std::size_t>(cells_), 0.0F),
        at_boundary_(boundary_value(info, mission_)) {}

  /// The states of level k < L.
  Process make_level(TimeLevel k, const CompactLevel& rows, const LevelView& now,
                     const LevelView& next) {
    // Without values of failures and of successors, step_return() is the reward of the step.
    OutcomeRule rule = outcome_rule(info_, mission_, k, mission_.target,
                                    {now.masked, next.masked, now.scalar, next.scalar, zeros_});
    rule.failure = {0, 0, 0, 0};
    rule.arrival_reward = 0;
    const ObstacleIndex obstacles(info_.grid, now.masked, next.masked);
    const NearnessPenalties penalties(
        {info_.grid, nearness_penalty(mission_), now.masked, next.masked}, obstacles);
    mdp::RowWriter<double> writer(local_states(), action_count_, true);
    writer.reserve(static_cast<std::int64_t>(rows.offset.size()));
    for (std::int32_t cell = 0; cell < cells_; ++cell) {
      const bool is_terminal = !rule.landing.is_non_terminal(static_cast<std::size_t>(cell));
      const bool open = is_open_around(obstacles, cell);
      // Part of the reward of a step from this cell that no successor changes.
      const float penalty = is_terminal || mission_.margin == 0 ? 0.0F : penalties(CellIndex(cell));
      for (std::int32_t action = 0; action < action_count_; ++action) {
        transitions_.clear();
        if (!is_terminal) collect(rule, rows, cell, action, open, penalty);
        const std::string fault = writer.add_row(transitions_);
        if (!fault.empty()) {
          throw input_error(errors::process_row_invalid, k.value, cell, action, fault);
        }
      }
    }
    Process level = writer.finish();
    level.state_count = cells_;
    level.row_begin.resize(static_cast<std::size_t>(level.row_count()) + 1);
    level.reward.resize(static_cast<std::size_t>(level.row_count()));
    const std::int32_t first_end_state = (mission_.last.value + 1) * cells_;
    for (std::int32_t& state : level.successor) {
      state += state < 2 * cells_ ? k.value * cells_ : first_end_state - 2 * cells_;
    }
    set_boundary(k, now.masked, level);
    return level;
  }

  /// The states of level L, and the end states.
  Process make_end(View<const std::uint8_t> masked) {
    Process end;
    end.state_count = cells_ + end_states;
    end.action_count = action_count_;
    end.row_begin.resize(static_cast<std::size_t>(end.row_count()) + 1, 0);
    end.reward.resize(static_cast<std::size_t>(end.row_count()), 0);
    set_boundary(mission_.last, masked, end);
    std::int32_t state = (mission_.last.value + 1) * cells_;
    for (const Label label : {Label::target, Label::obstacle, Label::border}) {
      states_of(label).push_back(state++);
      end.initial_value.push_back(value_of(label));
    }
    return end;
  }

  /// Terminal states, grouped by the end of the mission. Complete after make_end().
  const std::vector<mdp::StateLabel>& labels() const { return labels_; }
  /// Reward of each label; that of the end of time is for cells outside the target.
  std::vector<double> label_rewards() const {
    return {value_of(Label::target), value_of(Label::obstacle), value_of(Label::border),
            mission_.failure.late};
  }

 private:
  enum class Label { target, obstacle, border, end_of_time };

  /// Number of states while a level is made: its cells, those of the next level, the end states.
  std::int32_t local_states() const { return 2 * cells_ + end_states; }
  std::int32_t local(EndState end) const { return 2 * cells_ + static_cast<std::int32_t>(end); }

  std::vector<std::int32_t>& states_of(Label label) {
    return labels_[static_cast<std::size_t>(label)].states;
  }
  double value_of(Label label) const {
    if (label == Label::target) return mission_.arrival_reward;
    return label == Label::obstacle ? mission_.failure.obstacle : mission_.failure.outside;
  }

  /// Sets the values of a level's terminal states (docs/model.md, 3.2). In the target it is the
  /// arrival reward, which no row contains.
  void set_boundary(TimeLevel k, View<const std::uint8_t> masked, Process& level) {
    level.initial_value.assign(static_cast<std::size_t>(cells_), 0.0);
    for (std::int32_t cell = 0; cell < cells_; ++cell) {
      const auto index = static_cast<std::size_t>(cell);
      const bool is_closed = masked[index] != 0;
      const bool in_target = mission_.target[index] != 0;
      if (k < mission_.last && is_non_terminal(is_closed, in_target)) continue;
      const Label label = is_closed   ? Label::obstacle
                          : in_target ? Label::target
                                      : Label::end_of_time;
      states_of(label).push_back(k.value * cells_ + cell);
      level.initial_value[index] =
          label == Label::target ? value_of(label) : at_boundary_(is_closed, in_target, index);
    }
  }

  /// True if no path out of the cell can hit an obstacle: the sub-grid contains all paths.
  bool is_open_around(const ObstacleIndex& obstacles, std::int32_t cell) const {
    const SubGrid& reach = model_.subgrid;
    const std::int32_t column = info_.grid.column(CellIndex(cell));
    const std::int32_t row = info_.grid.row(CellIndex(cell));
    return !obstacles.any(column + std::min(reach.dx_min, 0), column + std::max(reach.dx_max, 0),
                          row + std::min(reach.dy_min, 0), row + std::max(reach.dy_max, 0));
  }

  /// Collects the landings of one row in transitions_.
  void collect(const OutcomeRule& rule, const CompactLevel& rows, std::int32_t cell,
               std::int32_t action, bool open, float penalty) {
    const Grid& grid = info_.grid;
    const std::int32_t column = grid.column(CellIndex(cell));
    const std::int32_t row = grid.row(CellIndex(cell));
    const float action_reward = rewards_.kind[rewards_.kind_of[action]];
    const auto at = static_cast<std::size_t>(cell) * static_cast<std::size_t>(action_count_) +
                    static_cast<std::size_t>(action);
    const auto end = static_cast<std::size_t>(rows.row_start[at + 1]);
    for (auto n = static_cast<std::size_t>(rows.row_start[at]); n < end; ++n) {
      const Offset to = model_.subgrid.offset(rows.offset[n]);
      const StepEnd landed = rule.landing(column, row, to, {.open = open});
      transitions_.push_back({successor(rule.landing, landed, column + to.dx, row + to.dy),
                              static_cast<double>(rows.count[n]) / model_.total,
                              rule.step_return(landed, column, row, to, action_reward) + penalty});
    }
  }

  /// The state, numbered for this level, that a step to (column, row) leads to.
  std::int32_t successor(const LandingRule& rule, const StepEnd& landed, std::int32_t column,
                         std::int32_t row) const {
    switch (landed.outcome) {
      case StepOutcome::under_way:
      case StepOutcome::out_of_time:
        break;
      case StepOutcome::arrived:
        if (!rule.in_target(column, row)) return local(EndState::target);
        break;
      case StepOutcome::out_of_domain:
        return local(EndState::border);
      default:
        return local(EndState::obstacle);
    }
    return cells_ + info_.grid.cell(column, row).value;
  }

  const ModelInfo& model_;
  const EnvironmentInfo& info_;
  const Mission& mission_;
  std::int32_t cells_;
  std::int32_t action_count_;
  ActionRewards rewards_;
  std::vector<float> zeros_;  // (y, x)
  BoundaryValue at_boundary_;
  std::vector<mdp::StateLabel> labels_{
      {"target", {}}, {"obstacle", {}}, {"border", {}}, {"end_of_time", {}}};
  std::vector<mdp::Transition> transitions_;
};

void describe_states(Hdf5File& file, const EnvironmentInfo& info, const PlanningProblem& problem) {
  const Mission& mission = problem.mission;
  file.set_attribute("/", "title", "Markov decision process of a mission");
  file.set_attribute("/", "comment",
                     "state = (k * Ny + j) * Nx + i of time, y and x, then the end states target, "
                     "obstacle and border; row = state * action_count + action; entries "
                     "row_begin[row] to row_begin[row + 1] are its successors; a state whose rows "
                     "are empty is terminal and brings its initial_value; label_reward "
                     "is that of each label, at the end of time beside the target");
  TimeAxis time = info.time;
  time.level_count = mission.last.value + 1;
  define_axes(file, info, info.grid, time);
  write_model_actions(file, problem.actions);
  file.set_attribute("speed", "units", speed_units(info));
  const std::string units = value_units(mission.objective, mission.energy, info.units);
  for (const char* variable : {"reward", "entry_reward", "initial_value"}) {
    file.set_attribute(variable, "units", units);
  }
}

}  // namespace

std::int64_t write_mission_process(const std::filesystem::path& path,
                                   const EnvironmentReader& environment,
                                   const PlanningProblem& problem, const ModelInfo& model,
                                   CompactLevelSource& source, const std::string& history,
                                   Progress& progress) {
  const EnvironmentInfo& info = environment.info();
  const TimeLevel last = problem.mission.last;
  mdp::Hdf5ProcessWriter<double> writer(path, describe_process(info, problem),
                                        {.entries = unlimited_dimension,
                                         .entry_reward = true,
                                         .initial_value = true,
                                         .deflate = deflate_level},
                                        history);
  describe_states(writer.file(), info, problem);
  ProcessMaker maker(model, info, problem);
  LevelPair levels(environment, TimeLevel(0), last);
  std::int64_t entries = 0;
  // One level waits while one is written and one is made: three in memory at most.
  Strand writing(1);
  const auto put = [&](Process part) {
    entries += part.entry_count();
    writing.put([&writer, level = std::move(part)] { writer.append(level); });
  };
  progress.begin("building the process", last.value, "levels");
  for (TimeLevel k(0); k < last; ++k.value) {
    const auto counted = source.next();
    levels.advance();
    put(maker.make_level(k, counted.value().rows, levels.now(), levels.next()));
    progress.advance_to(k.value + 1);
  }
  put(maker.make_end(levels.next().masked));
  writing.finish();
  progress.end();
  writer.file().set_attribute("/", "label_reward", maker.label_rewards());
  writer.finish(maker.labels());
  return entries;
}

}  // namespace tidewise
