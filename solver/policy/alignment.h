#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/grid.h"
#include "env/index_range.h"
#include "model_builder/step/actions.h"

namespace tidewise {

/// Grid, levels and actions of a policy.
struct PolicyFrame {
  std::string name;  ///< for messages
  Grid grid;
  TimeAxis time;      ///< levels 0 … L; no action is taken at L
  double origin = 0;  ///< time of level 0 [s since 1970]; 0 if no date is given
  std::string projection;
  std::vector<Action> actions;
  /// Names of the profiles, by Action::profile; empty: none.
  std::vector<std::string> profiles = {};
};

/// Offset between a policy A and another policy B, in whole cells and steps.
struct PolicyAlignment {
  std::int32_t columns = 0;          ///< column i of B is column i + columns of A
  std::int32_t rows = 0;             ///< row j of B is row j + rows of A
  std::int32_t levels = 0;           ///< level k of B is level k + levels of A
  std::vector<std::int16_t> action;  ///< (action of A): the equal action of B
  IndexRange common_columns;         ///< columns of B that A also has
  IndexRange common_rows;
  IndexRange common_levels;  ///< levels of B at which both take actions; may be empty
};

/// Aligns two policies. Spacings, steps and places may differ by a thousandth of a spacing, speeds
/// and headings by 1e-9. Profiles are equal if their names are, or if each policy has at most one
/// profile. Errors: InputError that names both policies, if their projections, spacings or steps
/// differ, if they are not whole cells and steps apart, if they have no common cell, or if B lacks
/// an action or a profile of A.
PolicyAlignment align_policies(const PolicyFrame& a, const PolicyFrame& b);

}  // namespace tidewise
