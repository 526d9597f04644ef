#pragma once

#include <string>
#include <vector>

#include "app/forecast/mission_answers.h"
#include "env/file/reader.h"
#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// The text of the mission file for `answers`, with comments. `file`: path of the environment in
/// the mission file. A vehicle whose dives take longer than a step of the environment decides once
/// a dive. Errors: InputError for answers that cannot be read.
std::string mission_text(const MissionAnswers& answers, const EnvironmentReader& environment,
                         const std::string& file);

/// `text` with the values of `settings`: a key is replaced, or added to its table.
std::string with_settings(const std::string& text, const std::vector<Setting>& settings);

}  // namespace tidewise
