#include "app/report/columns.h"

#include <algorithm>

namespace tidewise {
namespace {

/// Number of visible characters.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char letter) { return (letter & 0xC0) != 0x80; }));
}

}  // namespace

std::string as_columns(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return "";
  std::vector<std::size_t> width(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t n = 0; n < row.size(); ++n) width[n] = std::max(width[n], width_of(row[n]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  " + row[0] + std::string(width[0] - width_of(row[0]), ' ');
    for (std::size_t n = 1; n < row.size(); ++n) {
      line += "  " + std::string(width[n] - width_of(row[n]), ' ') + row[n];
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace tidewise
