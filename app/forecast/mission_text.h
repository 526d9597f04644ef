#pragma once

#include <string>
#include <vector>

#include "app/forecast/mission_answers.h"
#include "env/file/reader.h"
#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// The mission file of answers, with a comment on its lines. `file`: the environment as the file
/// names it. A vehicle whose dives take longer than a step of the environment decides once a dive.
/// Errors: InputError for answers that cannot be read.
std::string mission_text(const MissionAnswers& answers, const EnvironmentReader& environment,
                         const std::string& file);

/// `text` with the keys of `settings` in place of its own, each in its table.
std::string with_settings(const std::string& text, const std::vector<Setting>& settings);

}  // namespace tidewise
