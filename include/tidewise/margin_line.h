#pragma once

#include <cstdint>
#include <filesystem>

#include "tidewise/mission_file.h"

namespace tidewise {

/// A line of the table of a run whose margin flights chose (Plan::margins()).
struct MarginLine {
  std::filesystem::path run;  ///< its folder
  std::int32_t line = 0;      ///< from 0, which is no margin
};

/// plan() with the margin and the price of failing of that line, in place of those that the mission
/// says: one plan, and nothing is flown to choose. Errors: those of plan(); InputError where there
/// is no such run, table or line, and for a run of another mission or forecast.
Plan plan(const Environment& environment, const MissionFile& mission, const MarginLine& line,
          Progress* progress = nullptr);

}  // namespace tidewise
