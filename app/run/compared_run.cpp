#include "app/run/compared_run.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "base/nesting.h"
#include "planner/run/path.h"

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

}  // namespace

ComparedRun open_compared_run(const std::string& name, const std::vector<Setting>& settings) {
  PolicyFile policy(policy_path(name));
  RunRequest mission =
      parse_mission(policy.mission_text(), policy.path().string() + " (mission)", settings);
  Json summary = read_summary(policy.path().parent_path() / "summary.json");
  policy.validate();
  return {name, std::move(policy), std::move(mission), std::move(summary)};
}

}  // namespace tidewise
