#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tidewise {

/// `text` as it may reach a terminal or a file in UTF-8: what would move a cursor, turn the
/// direction of writing or ring a bell is written as \u001b, what is not UTF-8 as \xff.
/// Line breaks and tabs stay.
std::string printable(std::string_view text);

/// The same on one line: breaks become spaces.
std::string on_one_line(std::string_view text);

/// `text` as character data or an attribute's value of XML or HTML, in ASCII: other characters as
/// &#…;, and control characters, which XML 1.0 cannot hold, as people read them ("\u001b").
std::string xml_escaped(std::string_view text);

/// `text` with its middle left out where it is longer than `most` bytes: beginnings say what it is,
/// ends what to do. Characters stay whole.
std::string shortened(std::string_view text, std::size_t most);

/// Bytes of a message, and of a text from a file that a report echoes.
constexpr std::size_t most_of_message = 1500;
constexpr std::size_t most_of_echo = 500;

/// Whether `text` is UTF-8, as every text in a file of this program has to be.
bool is_utf8(std::string_view text);

}  // namespace tidewise
