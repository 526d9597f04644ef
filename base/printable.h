#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tidewise {

/// `text` made safe for a terminal or a UTF-8 file: control characters that move a cursor, change
/// the writing direction or ring a bell become \u001b and the like, bytes that are not UTF-8 become
/// \xff. Line breaks and tabs stay.
std::string printable(std::string_view text);

/// As printable(), on one line: line breaks become spaces.
std::string on_one_line(std::string_view text);

/// `text` as character data or attribute value of XML or HTML, in ASCII. Other characters become
/// &#…;. Control characters, which XML 1.0 cannot hold, become readable text ("\u001b").
std::string xml_escaped(std::string_view text);

/// `text` without its middle if it is longer than `limit` bytes: the beginning names the subject,
/// the end the remedy. Characters stay whole.
std::string shortened(std::string_view text, std::size_t limit);

/// Limit of a message, and of a text from a file that a message quotes [B].
constexpr std::size_t max_message_bytes = 1500;
constexpr std::size_t max_echo_bytes = 500;

/// True if `text` is UTF-8, as all texts in files of this program must be.
bool is_utf8(std::string_view text);

}  // namespace tidewise
