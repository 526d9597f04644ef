#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "env/file/reader.h"
#include "env/tools/statistics.h"

namespace tidewise {

/// An environment in words and figures, a line each. Each of several profiles has statistics.
std::string describe_environment(const EnvironmentReader& reader,
                                 std::span<const EnvironmentStatistics> statistics);

/// The report as JSON.
nlohmann::ordered_json environment_as_json(const EnvironmentReader& reader,
                                           std::span<const EnvironmentStatistics> statistics);

/// "labels padded  text\n": one line of a report.
std::string report_line(std::string_view label, std::string_view text);

}  // namespace tidewise
