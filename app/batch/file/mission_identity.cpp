#include "app/batch/file/mission_identity.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <system_error>

#include "planner/mission/read/key_table.h"

namespace tidewise {
namespace fs = std::filesystem;

nlohmann::ordered_json identity_of(const RunRequest& request) {
  return to_json(request, {Changes::counts, Changes::policy, Changes::flights});
}

nlohmann::ordered_json environment_identity(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error) return nullptr;
  const auto changed = fs::last_write_time(file, error);
  if (error) return nullptr;
  const auto since =
      std::chrono::duration_cast<std::chrono::nanoseconds>(changed.time_since_epoch());
  return {{"file", file.string()}, {"size", size}, {"changed", since.count()}};
}

}  // namespace tidewise
