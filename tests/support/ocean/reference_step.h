#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "env/level_fields.h"
#include "model_builder/step/displacement.h"
#include "model_builder/step/position.h"
#include "solver/step/mission.h"
#include "solver/step/step_outcome.h"

namespace tidewise::test {

// One step of the model by plain loops: an independent implementation of docs/model.md, 1.2 to 3.4,
// that reveals errors in model_builder/step or solver/step.

/// n(s, a, Δ), keyed by (dy, dx): rows from south to north, each from west to east.
using RowCounts = std::map<std::pair<std::int32_t, std::int32_t>, std::uint32_t>;

/// Displacements in one cell: of each realization's deviation from the mean, and of the mean.
struct Cloud {
  std::vector<std::int32_t> x;  ///< D, (realization)
  std::vector<std::int32_t> y;
  Displacement mean;  ///< M
};

Cloud cloud_of(const LevelView& level, const TimeAxis& time, const PositionRule& rule,
               std::size_t cell);

/// Returns the position p of one realization along x and y [1/256 of a cell].
std::pair<std::int32_t, std::int32_t> position_in(const Cloud& flow, Displacement action,
                                                  const PositionRule& rule,
                                                  std::size_t realization);

RowCounts count(const Cloud& flow, Displacement action, const PositionRule& rule,
                const std::vector<std::uint32_t>& weights);

/// Returns each leg as a mission (3.7); only the last one has a target.
std::vector<Mission> legs_of(const Mission& mission);

/// True if an action is chosen at level k, false if it is held (3.9).
bool decides(const Mission& mission, std::int32_t k);

/// The two levels of a step, and the mission.
struct Step {
  const EnvironmentInfo& info;
  const Mission& mission;
  const LevelFields<>& now;
  const LevelFields<>& next;
  bool last;  ///< k+1 = L

  std::size_t index(std::int32_t column, std::int32_t row) const;
  bool contains(std::int32_t column, std::int32_t row) const;
  /// True if a cell is closed at k or k+1.
  bool closed(std::int32_t column, std::int32_t row) const;
};

/// End of a step, and the fraction of the step that is completed.
struct Landing {
  StepOutcome outcome = StepOutcome::under_way;
  double made = 1;
};

/// Returns the value of a late arrival in a cell (3.2).
float late(const Grid& grid, const Mission& mission, std::int32_t column, std::int32_t row);

/// Returns the fraction of a straight line, from (x, y) relative to a disc's centre, at which the
/// line enters the disc (3.3); above 1 if it does not enter. In units of length.
double disc_entered(double x, double y, double along_x, double along_y, double radius);

/// Applies the six rules of 3.1 for a step from a cell to the cell at an offset.
Landing land(const Step& step, std::int32_t column, std::int32_t row, std::int32_t dx,
             std::int32_t dy);

/// g(s, k) and g(s', k+1) of this step; 0 without a scalar field.
std::pair<float, float> scalars(const Step& step, std::int32_t column, std::int32_t row,
                                std::int32_t dx, std::int32_t dy);

/// r(s, a, s') (3.4). `action_part`: the part that depends only on the action.
float reward(const Step& step, const std::pair<float, float>& scalar, float action_part);

/// The proximity penalty of a cell (3.10), 0 or less.
float nearness(const Step& step, std::int32_t column, std::int32_t row);

}  // namespace tidewise::test
