#include "output/route/xml.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/printable.h"

namespace tidewise {
namespace {

/// The character of UTF-8 that begins at `at`, which is moved behind it. Requires valid UTF-8.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  std::uint32_t character = first & (0x3Fu >> more);
  for (int n = 0; n < more; ++n) {
    character = character << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
  }
  return character;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  const std::string valid = printable(text);
  std::string escaped;
  for (std::size_t at = 0; at < valid.size();) {
    const std::uint32_t character = next_character(valid, at);
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        // Breaks and tabs of an attribute's value would be read as blanks. Two that are not
        // characters at all XML does not hold.
        if (character == 0xFFFE || character == 0xFFFF) {
          escaped += '?';
        } else if (character < 0x20 || character > 0x7E) {
          escaped += fmt::format("&#{};", character);
        } else {
          escaped += static_cast<char>(character);
        }
    }
  }
  return escaped;
}

XmlWriter::XmlWriter() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") {}

void XmlWriter::open(std::string_view name, const Attributes& attributes) {
  text_.append(2 * open_.size(), ' ');
  text_ += '<';
  text_ += name;
  for (const auto& [key, value] : attributes) {
    text_ += fmt::format(" {}=\"{}\"", key, xml_escaped(value));
  }
}

void XmlWriter::begin(std::string_view name, const Attributes& attributes) {
  open(name, attributes);
  text_ += ">\n";
  open_.emplace_back(name);
}

void XmlWriter::end() {
  const std::string name = open_.back();
  open_.pop_back();
  text_.append(2 * open_.size(), ' ');
  text_ += fmt::format("</{}>\n", name);
}

void XmlWriter::empty(std::string_view name, const Attributes& attributes) {
  open(name, attributes);
  text_ += "/>\n";
}

void XmlWriter::text(std::string_view name, std::string_view text, const Attributes& attributes) {
  open(name, attributes);
  text_ += fmt::format(">{}</{}>\n", xml_escaped(text), name);
}

std::string XmlWriter::take() { return std::move(text_); }

}  // namespace tidewise
