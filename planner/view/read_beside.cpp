#include "planner/view/read_beside.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file/text_file.h"
#include "output/route/text.h"
#include "planner/run/recommend.h"
#include "solver/fly/trajectory.h"

namespace tidewise {
namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

bool is_newer_than_policy(const fs::path& file, const fs::path& folder) {
  std::error_code missing;
  const auto written = fs::last_write_time(file, missing);
  if (missing) return false;
  const auto planned = fs::last_write_time(folder / "policy.h5", missing);
  return missing || written >= planned;
}

/// Returns a file's text; nullopt if it cannot be read or is too large, so that the page omits it.
std::optional<std::string> text_of(const fs::path& file, const TextFormat& format) {
  try {
    return read_text_file(file, format);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

std::optional<Outlook> read_rehearsal(const fs::path& folder) {
  const fs::path file = folder / "rehearsal.geojson";
  if (!is_newer_than_policy(file, folder)) return {};
  const auto text = text_of(file, text_format::rehearsal);
  const Json map = text ? Json::parse(*text, nullptr, false) : Json();
  if (!map.is_object() || !map.contains("features")) return {};
  std::int64_t count = 0;
  std::vector<double> times;
  std::map<std::string, std::vector<double>> keeping;  // station keeping by realization
  std::int64_t lost = 0;
  for (const Json& feature : map["features"]) {
    if (!feature.is_object() || !feature.contains("properties")) continue;
    const Json& flown = feature["properties"];
    if (!flown.is_object() || flown.value("kind", Json()) != "rehearsal") continue;
    ++count;
    const Json after = flown.value("hours", Json());
    const Json outcome = flown.value("outcome", Json());
    if (outcome == outcome_text(TrajectoryOutcome::arrived) && after.is_number()) {
      times.push_back(3600 * after.get<double>());
    }
    for (const char* key : {"within", "distance"}) {
      const Json value = flown.value(key, Json());
      if (value.is_number()) keeping[key].push_back(value.get<double>());
    }
    if (outcome != outcome_text(TrajectoryOutcome::out_of_time)) ++lost;
  }
  if (count == 0) return {};
  Outlook outlook = rehearsed_outlook(std::move(times), count);
  for (const auto& [key, values] : keeping) {
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    outlook.keeping = {sum / static_cast<double>(values.size()), key == "distance"};
    outlook.lost = lost;
  }
  return outlook;
}

}  // namespace tidewise
