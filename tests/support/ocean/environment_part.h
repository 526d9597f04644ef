#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/index_range.h"

namespace tidewise::test {

enum class PartFlow { ensemble, mean, still };

/// A part of an environment; a member that is not set keeps all.
struct EnvironmentPart {
  std::optional<IndexRange> levels = {};
  std::optional<IndexRange> columns = {};
  std::optional<IndexRange> rows = {};
  std::vector<std::int32_t> realizations = {};  ///< ascending
  std::string profile = {};
  PartFlow flow = PartFlow::ensemble;  ///< mean and still: one mode and one realization of 0
};

/// `count` of them: 0, step, 2 step, …
std::vector<std::int32_t> some_realizations(std::int32_t count, std::int32_t step = 1);

/// Writes a part of the environment `from`, which lies on a plane without lon and lat.
void write_part(const std::filesystem::path& from, const std::filesystem::path& to,
                const EnvironmentPart& part);

}  // namespace tidewise::test
