#include "support/shared_data.h"

namespace tidewise::test {

std::optional<std::filesystem::path> shared_data(const std::string& name) {
  std::filesystem::path path = std::filesystem::path(TIDEWISE_SHARED_DATA) / name;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace tidewise::test
