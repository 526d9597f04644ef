#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "env/file/reader.h"
#include "env/tools/statistics.h"

namespace tidewise {

/// Describes an environment, one property per line. `statistics`: one element for each profile.
std::string describe_environment(const EnvironmentReader& reader,
                                 std::span<const EnvironmentStatistics> statistics);

/// The properties as JSON.
nlohmann::ordered_json environment_as_json(const EnvironmentReader& reader,
                                           std::span<const EnvironmentStatistics> statistics);

/// One line of a report: the padded label, then the text.
std::string report_line(std::string_view label, std::string_view text);

}  // namespace tidewise
