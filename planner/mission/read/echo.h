#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner/mission/request.h"

namespace tidewise {

/// The mission in TOML with every key explicit and paths absolute: parse_mission() gives the same
/// mission back. Policies keep it.
std::string to_toml(const RunRequest& request);

/// The mission as JSON, table by table: "mission" in a summary. (In key_table.cpp.)
nlohmann::ordered_json to_json(const RunRequest& request);

}  // namespace tidewise
