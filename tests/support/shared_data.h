#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tidewise::test {

/// A file of the real-data folder next to the checkout (../shared/data), or nullopt if the folder
/// does not exist. Use with TIDEWISE_REQUIRE_SHARED_DATA.
std::optional<std::filesystem::path> shared_data(const std::string& name);

}  // namespace tidewise::test

/// Declares `variable`, a path, or skips the test with the reason.
#define TIDEWISE_REQUIRE_SHARED_DATA(variable, name)                                   \
  const auto variable##_found = ::tidewise::test::shared_data(name);                   \
  if (!variable##_found) GTEST_SKIP() << "../shared/data/" << name << " is not there"; \
  const std::filesystem::path& variable = *variable##_found
