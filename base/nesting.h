#pragma once

#include <string>
#include <string_view>

namespace tidewise {

/// Formats with nested levels.
enum class NestedText { json, toml };

/// Maximum nesting of a text; useful texts have about ten levels. Parsers recurse for each level
/// and would overflow the stack.
constexpr int max_nesting = 64;

/// Refuses a text that nests deeper than max_nesting: objects, arrays, tables, and in TOML the dots
/// of keys. Looks only at brackets and quotes; the parser checks the rest. `place`: the beginning
/// of messages. Errors: InputError.
void require_shallow(std::string_view text, NestedText kind, const std::string& place);

}  // namespace tidewise
