#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// The candidate that `word` was most likely meant to be; empty when none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string_view>& candidates);

/// Errors: InputError with place and key when a key is none of mission_keys() nor a table of them,
/// with the nearest known key; or when a table stands where a value should.
void refuse_unknown_keys(const std::vector<TomlEntry>& entries);

}  // namespace tidewise
