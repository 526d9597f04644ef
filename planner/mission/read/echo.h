#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner/mission/request.h"

namespace tidewise {

/// The mission in TOML with every key explicit and paths absolute: parse_mission() gives the same
/// mission back. Policy files contain it.
std::string to_toml(const RunRequest& request);

/// Returns the mission as JSON, an object for each table, as in summary.json. Defined in
/// key_table.cpp.
nlohmann::ordered_json to_json(const RunRequest& request);

}  // namespace tidewise
