#include "learning/track/table/gpx_table.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/error.h"
#include "base/parse_number.h"
#include "env/units/text.h"
#include "learning/error/codes.h"

namespace tidewise {
namespace {

/// A text without comments, which may contain elements.
std::string without_comments(std::string text) {
  for (auto begin = text.find("<!--"); begin != std::string::npos; begin = text.find("<!--")) {
    const auto end = text.find("-->", begin);
    text.erase(begin, end == std::string::npos ? end : end + 3 - begin);
  }
  return text;
}

/// True if an element with this name, with or without a namespace's prefix, begins at `at`.
bool begins(std::string_view text, std::size_t at, std::string_view name) {
  std::string_view tag = text.substr(at + 1);
  tag = tag.substr(0, tag.find_first_of(" \t\r\n/>"));
  const auto colon = tag.find(':');
  return (colon == std::string_view::npos ? tag : tag.substr(colon + 1)) == name;
}

/// An attribute's text; empty if there is none.
std::string attribute(std::string_view tag, std::string_view name) {
  for (auto at = tag.find(name); at != std::string_view::npos; at = tag.find(name, at + 1)) {
    if (at == 0 || std::string_view(" \t\r\n").find(tag[at - 1]) == std::string_view::npos)
      continue;
    const auto quote = tag.find_first_not_of(" \t\r\n=", at + name.size());
    if (quote == std::string_view::npos || (tag[quote] != '"' && tag[quote] != '\'')) continue;
    const auto end = tag.find(tag[quote], quote + 1);
    if (end == std::string_view::npos) return {};
    return trimmed(std::string(tag.substr(quote + 1, end - quote - 1)));
  }
  return {};
}

/// The content of the first element with this name.
std::string content(std::string_view text, std::string_view name) {
  for (auto at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (!begins(text, at, name)) continue;
    const auto begin = text.find('>', at);
    if (begin == std::string_view::npos) return {};
    return trimmed(std::string(text.substr(begin + 1, text.find('<', begin) - begin - 1)));
  }
  return {};
}

double number_of(const std::string& text) {
  return parse_number<double>(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

bool is_gpx(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '<') return false;
  const std::string beginning = without_comments(text.substr(first, 4096));
  for (auto at = beginning.find('<'); at != std::string::npos; at = beginning.find('<', at + 1)) {
    if (begins(beginning, at, "gpx")) return true;
  }
  return false;
}

TrackTable read_gpx_track(const std::filesystem::path& path, const std::string& text) {
  TrackTable table;
  table.path = path;
  table.file_kind = "a GPX track";
  table.row_name = "point";
  table.columns = {{.name = "time"},
                   {.name = "lon", .units = "degrees_east"},
                   {.name = "lat", .units = "degrees_north"}};
  const std::string bare = without_comments(text);
  const std::string_view all = bare;
  bool has_time = false;
  for (auto at = all.find('<'); at != std::string_view::npos; at = all.find('<', at + 1)) {
    if (!begins(all, at, "trkpt")) continue;
    const auto end_of_tag = std::min(all.find('>', at), all.size() - 1);
    const std::string_view tag = all.substr(at, end_of_tag - at);
    std::string_view inside;
    if (!tag.ends_with('/')) {
      inside = all.substr(end_of_tag + 1);
      auto end = inside.find("</");
      while (end != std::string_view::npos && !begins(inside, end + 1, "trkpt")) {
        end = inside.find("</", end + 1);
      }
      inside = inside.substr(0, end);
    }
    const std::string texts[] = {content(inside, "time"), attribute(tag, "lon"),
                                 attribute(tag, "lat")};
    table.rows.push_back(table.rows.size() + 1);
    for (std::size_t n = 0; n < 3; ++n) {
      table.columns[n].texts.push_back(texts[n]);
      table.columns[n].numbers.push_back(number_of(texts[n]));
    }
    has_time = has_time || !texts[0].empty();
  }
  if (!has_time) throw input_error(errors::gpx_without_track, path.string());
  return table;
}

}  // namespace tidewise
