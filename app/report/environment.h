#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "env/file/reader.h"
#include "env/tools/statistics.h"

namespace tidewise {

/// An environment in words and figures, a line each.
std::string describe_environment(const EnvironmentReader& reader,
                                 const EnvironmentStatistics& statistics);

/// The same for programs.
nlohmann::ordered_json environment_to_json(const EnvironmentReader& reader,
                                           const EnvironmentStatistics& statistics);

/// "labels padded  text\n": one line of a report.
std::string report_line(std::string_view label, std::string_view text);

}  // namespace tidewise
