#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/array.h"
#include "model_builder/step/actions.h"
#include "solver/published/step.h"
#include "solver/step/mission_outcome.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// P_{a,t} and R_{a,t} of one level: a sparse matrix in coordinate form, with the rows of one
/// action after those of another. Row a · Nc + cell. A cell without an action has no entries and R
/// = 0.
struct PublishedMatrices {
  std::vector<std::int32_t> row;  ///< (entry), ascending
  /// (entry): cell at the next level; in a row sorted by row of the grid, then column
  std::vector<std::int32_t> column;
  std::vector<float> probability;  ///< (entry)
  std::vector<float> reward;       ///< (row)
};

/// Input of the kernels for one level, in host or device memory. Trivially copyable.
struct PublishedLevel {
  LevelView level;                    ///< velocity and coefficients are read
  View<const std::uint32_t> weights;  ///< (realization); empty if each counts 1
  OutcomeRule outcome;                ///< value_next is not read
  SubGrid subgrid;                    ///< contains every landing
  float reward_scale = 1;             ///< scale of sum_R
};

/// The published method for one mission, with all data that levels share.
class PublishedProblem {
 public:
  /// `subgrid_radius`: minimum radius of the neighbouring sub-grid [cells]; 10 gives the paper's 21
  /// × 21. Errors: InputError for landings with bilinear weights.
  PublishedProblem(const EnvironmentInfo& info, const PlanningProblem& problem,
                   std::int32_t subgrid_radius = 0);

  /// Grid of the environment.
  const Grid& grid() const { return info_.grid; }
  /// Number of actions.
  std::int32_t action_count() const { return static_cast<std::int32_t>(actions_.size()); }
  /// Rows of the matrices of a level.
  std::size_t rows() const { return cells() * actions_.size(); }
  /// Number of cells.
  std::size_t cells() const { return static_cast<std::size_t>(info_.grid.cell_count()); }
  /// The mission.
  const Mission& mission() const { return mission_; }
  const std::vector<std::uint32_t>& weights() const { return weights_; }

  /// Input of level k on the host, from its fields and those of level k+1. Borrows the fields and
  /// data of this object. Errors: InputError if a step may reach 1024 cells.
  PublishedLevel level(TimeLevel k, const LevelView& now, View<const std::uint8_t> masked_next,
                       View<const float> scalar_next, std::int32_t threads) const;
  /// Replaces the fields of a level by their copies in device memory. target: (y, x).
  static PublishedLevel in_memory_of(PublishedLevel level, const LevelView& now,
                                     View<const std::uint8_t> masked_next,
                                     View<const float> scalar_next, View<const std::uint8_t> target,
                                     View<const std::uint32_t> weights);

  /// Kernels of one action for a batch of cells that begins with `first_cell`.
  PublishedTransition transition(const PublishedLevel& level, ActionIndex action,
                                 std::int32_t first_cell, std::uint32_t* s2_count,
                                 unsigned long long* sum_r) const;
  /// Kernel that computes R of the batch.
  PublishedMean mean(const PublishedLevel& level, const unsigned long long* sum_r,
                     float* reward) const;
  /// Kernel that writes entries of P of the batch.
  PublishedCoo coo(const PublishedLevel& level, ActionIndex action, std::int32_t first_cell,
                   std::int32_t* row, std::int32_t* column, float* probability) const;

  /// Appends the row of one cell and action by one plain loop over realizations on the host, as
  /// Algorithm 1 does without a GPU.
  void append_row(const PublishedLevel& level, ActionIndex action, CellIndex cell,
                  PublishedMatrices& matrices) const;
  /// Builds all rows of a level; `threads` threads take parts of the cells.
  PublishedMatrices build(const PublishedLevel& level, std::int32_t threads) const;

  /// Sparse value iteration of one level on the host, by one thread. expected: (row), work space.
  /// value_next, value, action: (y, x).
  void back_up(const PublishedMatrices& matrices, const OutcomeRule& outcome,
               View<const float> value_next, View<float> expected, View<float> value,
               View<std::int16_t> action) const;

 private:
  void bound(const LevelView& now, View<const float> scalar_next, std::int32_t threads,
             PublishedLevel& level) const;

  EnvironmentInfo info_;
  const Mission& mission_;
  std::vector<Action> planning_actions_;
  std::vector<PublishedAction> actions_;
  PositionRule rule_;
  std::int32_t subgrid_radius_;
  std::vector<std::uint32_t> weights_;  // (realization), or empty
  double total_;                        // total weight of the realizations
};

}  // namespace tidewise
