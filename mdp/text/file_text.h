#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tidewise::mdp {

// Words and numbers of text files, for all readers of models.

/// The text without white space at both ends.
std::string_view trimmed(std::string_view text);
/// The whole of `text` as a finite number, also with a leading +; else nullopt.
std::optional<double> to_number(std::string_view text);
/// The whole of `text` as an integer; else nullopt.
std::optional<std::int64_t> to_integer(std::string_view text);
/// The text in quotes for a message: unprintable characters become ?, long texts are cut.
std::string in_quotes(std::string_view text);
/// True if `text` is an integer ≥ 0 without sign and leading zero.
bool is_plain_index(std::string_view text);

}  // namespace tidewise::mdp
