#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/grid.h"
#include "env/index_range.h"
#include "model_builder/step/actions.h"

namespace tidewise {

/// Where a policy lies in space and time, and what its actions are.
struct PolicyPlace {
  std::string name;  ///< for messages
  Grid grid;
  TimeAxis time;      ///< levels 0 … L; none is taken at the last
  double origin = 0;  ///< what its times count from [s since 1970]; 0 where no date is given
  std::string projection;
  std::vector<Action> actions;
  std::vector<std::string> profiles = {};  ///< where they dive, by Action::profile; none: no names
};

/// How one policy, A, lies to another, B: by whole cells and whole steps.
struct PolicyAlignment {
  std::int32_t columns = 0;          ///< column i of B is column i + columns of A
  std::int32_t rows = 0;             ///< the same of rows
  std::int32_t levels = 0;           ///< and of levels
  std::vector<std::int16_t> action;  ///< (action of A): the same one of B
  IndexRange common_columns;         ///< of B, those that A has too
  IndexRange common_rows;
  IndexRange common_levels;  ///< of B, at which both take decisions; may be empty
};

/// Finds it. Spacings, steps and places may differ by a thousandth of a spacing, speeds and
/// headings by 1e-9. Profiles are the same that have one name; where each has one at most, those
/// are. Errors: InputError naming both where the projections, spacings or steps
/// differ, where one is no whole number of cells or steps from the other, where they have no cell
/// in common, and where A has an action that B lacks or dives a profile that B does not.
PolicyAlignment align_policies(const PolicyPlace& a, const PolicyPlace& b);

}  // namespace tidewise
