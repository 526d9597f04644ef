#include "env/import/depth/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "base/error.h"
#include "base/file/text_file.h"
#include "base/parse_number.h"
#include "env/error/codes.h"
#include "env/units/depths.h"
#include "env/units/profile_text.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

constexpr double share_slack = 1e-3;  // shares are typed with few digits

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw InputError(fmt::format("--profile {}: {}", text, why));
}

void validate_name(const std::string& text, const std::string& name) {
  if (is_profile_name(name)) return;
  refuse(text, error_text(errors::profile_option_name, max_profile_name));
}

std::vector<std::string> split_line(const std::string& line) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::string part = line.substr(begin, end - begin);
    const auto is_space = [](unsigned char letter) { return std::isspace(letter) != 0; };
    while (!part.empty() && is_space(part.back())) part.pop_back();
    while (!part.empty() && is_space(part.front())) part.erase(part.begin());
    parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

std::string read_profile_text(const std::string& path) {
  try {
    return read_text_file(path, text_format::profile);
  } catch (const InputError& error) {
    throw InputError("--profile " + add_words(error.what(),
                                              " (FROM:TO in metres, at:DEPTH, or a CSV file with "
                                              "the columns from,to,share)"));
  }
}

std::vector<DepthRange> read_ranges(const std::string& path) {
  std::istringstream file(read_profile_text(path));
  std::string line;
  std::getline(file, line);
  const auto refuse_line = [&](std::size_t number, const std::string& why) {
    throw InputError(fmt::format("{}: line {}: {}", path, number, why));
  };
  if (split_line(lower_case(line)) != std::vector<std::string>{"from", "to", "share"}) {
    refuse_line(1, error_text(errors::profile_table_header));
  }
  std::vector<DepthRange> ranges;
  for (std::size_t number = 2; std::getline(file, line); ++number) {
    const auto parts = split_line(line);
    if (parts == std::vector<std::string>{""}) continue;
    if (parts.size() != 3) refuse_line(number, error_text(errors::profile_table_numbers));
    const auto from = parse_depth(parts[0]);
    const auto to = parse_depth(parts[1]);
    const auto share = parse_number<double>(parts[2]);
    if (!from || !to || *from > *to) {
      refuse_line(number, error_text(errors::profile_table_depths));
    }
    if (!share || !(*share >= 0 && *share <= 1))
      refuse_line(number, error_text(errors::profile_table_share));
    ranges.push_back({*from, *to, *share});
    if (ranges.size() > max_depth_ranges)
      refuse_line(number, error_text(errors::profile_table_too_long));
  }
  return ranges;
}

/// Parses "0:50@0.4,50:100@0.6", or one range; empty for other text.
std::vector<DepthRange> parse_ranges(const std::string& text) {
  std::vector<DepthRange> ranges;
  for (const std::string& part : split_line(text)) {
    const std::size_t at = part.find('@');
    const auto depths = parse_depths(part.substr(0, at));
    const auto share =
        at == std::string::npos ? std::optional(1.0) : parse_number<double>(part.substr(at + 1));
    if (!depths || !share || !(*share >= 0 && *share <= 1)) return {};
    ranges.push_back({depths->from, depths->to, *share});
  }
  return ranges;
}

/// The text that parse_ranges() parses, with unscaled shares.
std::string to_text(const std::vector<DepthRange>& ranges) {
  std::string text;
  for (const DepthRange& range : ranges) {
    if (range.share == 0) continue;
    text += fmt::format("{}{}:{}@{}", text.empty() ? "" : ",", range.from, range.to, range.share);
  }
  return text;
}

/// Scales shares to a sum of 1, and removes ranges without time.
void normalise_shares(const std::string& origin, std::vector<DepthRange>& ranges) {
  double sum = 0;
  for (const DepthRange& range : ranges) sum += range.share;
  if (!(std::abs(sum - 1) <= share_slack)) {
    throw input_error(errors::profile_shares_sum, origin, sum);
  }
  for (DepthRange& range : ranges) range.share /= sum;
  std::erase_if(ranges, [](const DepthRange& range) { return range.share == 0; });
}

}  // namespace

double Profile::least() const {
  double depth = ranges.front().from;
  for (const DepthRange& range : ranges) depth = std::min(depth, range.from);
  return depth;
}

double Profile::greatest() const {
  double depth = 0;
  for (const DepthRange& range : ranges) depth = std::max(depth, range.to);
  return depth;
}

double DiveRequest::least() const {
  double depth = profiles.front().least();
  for (const Profile& profile : profiles) depth = std::min(depth, profile.least());
  return depth;
}

double DiveRequest::greatest() const {
  double depth = 0;
  for (const Profile& profile : profiles) depth = std::max(depth, profile.greatest());
  return depth;
}

Profile parse_profile(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size()) {
    refuse(text, error_text(errors::profile_option_invalid));
  }
  Profile profile{text.substr(0, equals), text.substr(equals + 1), {}, {}};
  validate_name(text, profile.name);
  profile.ranges = parse_ranges(profile.depths);
  if (!profile.ranges.empty()) {
    normalise_shares("--profile " + text, profile.ranges);
  } else if (profile.depths.starts_with("at:") ||
             (std::isdigit(static_cast<unsigned char>(profile.depths.front())) != 0 &&
              profile.depths.find(':') != std::string::npos)) {
    refuse(text, error_text(errors::profile_option_depths));
  } else {
    const std::string path = profile.depths;
    profile.ranges = read_ranges(path);
    profile.file = path;
    profile.depths = to_text(profile.ranges);
    normalise_shares(path, profile.ranges);
  }
  return profile;
}

void require_different_names(const std::vector<Profile>& profiles) {
  for (std::size_t n = 0; n < profiles.size(); ++n) {
    for (std::size_t other = 0; other < n; ++other) {
      if (profiles[n].name != profiles[other].name) continue;
      throw input_error(errors::profile_option_twice, profiles[n].name,
                        brief_depths(profiles[other].depths), brief_depths(profiles[n].depths));
    }
  }
}

}  // namespace tidewise::ingest
