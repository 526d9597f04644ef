#include "app/run/compared_run.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "app/run/path.h"
#include "base/error.h"
#include "base/nesting.h"

namespace tidewise {
namespace {

using Json = nlohmann::ordered_json;

Json read_summary(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  require_shallow(text, NestedText::json, path.string());
  Json summary = Json::parse(text, nullptr, false);
  const bool right = summary.is_object() && summary.contains("mission") &&
                     summary["mission"].is_object() && summary.contains("value_at_start");
  if (right) return summary;
  throw InputError(fmt::format(
      "{}: is no summary of a run, or is not there; name a folder that 'tidewise plan' made",
      path.string()));
}

/// Every value that is no table, by its key.
void flatten(const Json& table, const std::string& prefix, Json& flat) {
  for (const auto& [key, value] : table.items()) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) {
      flatten(value, name, flat);
    } else {
      flat[name] = value;
    }
  }
}

}  // namespace

ComparedRun::ComparedRun(const std::string& typed, const std::vector<Setting>& settings)
    : name(typed),
      policy(policy_path(typed)),
      mission(
          parse_mission(policy.mission_text(), policy.path().string() + " (mission)", settings)),
      summary(read_summary(policy.path().parent_path() / "summary.json")) {
  policy.validate();
}

std::vector<MissionDifference> mission_differences(const ComparedRun& first,
                                                   const ComparedRun& second) {
  Json a = Json::object();
  Json b = Json::object();
  flatten(first.summary["mission"], "", a);
  flatten(second.summary["mission"], "", b);
  std::vector<MissionDifference> differences;
  for (const auto& [key, value] : a.items()) {
    const Json other = b.contains(key) ? b[key] : Json();
    if (value != other) differences.push_back({key, value, other});
  }
  for (const auto& [key, value] : b.items()) {
    if (!a.contains(key)) differences.push_back({key, Json(), value});
  }
  return differences;
}

}  // namespace tidewise
