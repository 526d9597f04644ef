#pragma once

#include <string>
#include <string_view>

namespace tidewise {

enum class NestedText { json, toml };

/// Levels within levels that a text may have; what is worth writing has ten. Parsers and whatever
/// walks through their trees call themselves for each, until the stack ends.
constexpr int most_nesting = 64;

/// Refuses a text that goes deeper: objects, arrays, tables, and in TOML the dots of keys. Looks at
/// brackets and quotes alone; whether it is JSON or TOML is for the parser to say. `place`: what
/// messages begin with. Errors: InputError.
void require_shallow(std::string_view text, NestedText kind, const std::string& place);

}  // namespace tidewise
