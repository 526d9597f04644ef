#include "env/import/file/forecast_file.h"

#include <algorithm>
#include <string>
#include <vector>

#include "env/import/file/find_velocity.h"

namespace tidewise::ingest {
namespace {

/// True if the file's group itself has a variable that is not only a coordinate.
bool has_fields(const NetcdfFile& file) {
  const auto& variables = file.variables();
  return std::any_of(variables.begin(), variables.end(), [&](const std::string& variable) {
    if (!file.is_own(variable)) return false;
    const auto dimensions = file.dimensions(variable);
    return dimensions.size() > 1 || (dimensions.size() == 1 && dimensions[0].name != variable);
  });
}

/// The group to open; empty for the root.
std::string forecast_group(NetcdfFile& file) {
  if (file.groups().empty() || holds_velocity(file)) return {};
  const bool has_root_fields = has_fields(file);
  std::vector<std::string> with_velocity;
  std::vector<std::string> with_fields;
  for (const std::string& group : file.groups()) {
    file.enter(group);
    if (holds_velocity(file)) with_velocity.push_back(group);
    if (!has_root_fields && has_fields(file)) with_fields.push_back(group);
  }
  if (with_velocity.size() == 1) return with_velocity.front();
  if (with_velocity.empty() && with_fields.size() == 1) return with_fields.front();
  return {};
}

}  // namespace

std::shared_ptr<const NetcdfFile> open_forecast_file(const std::filesystem::path& path) {
  auto file = std::make_shared<NetcdfFile>(path);
  file->enter(forecast_group(*file));
  return file;
}

}  // namespace tidewise::ingest
