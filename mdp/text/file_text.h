#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tidewise::mdp {

// Words and numbers of text files, as all readers of models take them.

/// Without white space at both ends.
std::string_view trimmed(std::string_view text);
/// The whole of `text` as a finite number, also with a + in front; nothing otherwise.
std::optional<double> to_number(std::string_view text);
/// The whole of `text` as an integer; nothing otherwise.
std::optional<std::int64_t> to_integer(std::string_view text);
/// 'text' in quotes for an error's one line: what cannot be printed is a ?, long texts are cut.
std::string in_quotes(std::string_view text);
/// Whether `text` is an integer ≥ 0 as a program writes it: no sign, no zero in front.
bool is_plain_index(std::string_view text);

}  // namespace tidewise::mdp
