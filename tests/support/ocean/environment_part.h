#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/index_range.h"

namespace tidewise::test {

/// Flow of a part: all realizations, their mean, or still water.
enum class PartFlow { ensemble, mean, still };

/// A part of an environment; a member that is not set keeps everything.
struct EnvironmentPart {
  std::optional<IndexRange> levels = {};
  std::optional<IndexRange> columns = {};
  std::optional<IndexRange> rows = {};
  std::vector<std::int32_t> realizations = {};  ///< ascending
  std::string profile = {};
  PartFlow flow = PartFlow::ensemble;  ///< mean and still have one mode and one realization, of 0
};

/// Returns `count` numbers of realizations: 0, step, 2 step, …
std::vector<std::int32_t> some_realizations(std::int32_t count, std::int32_t step = 1);

/// Writes a part of the environment `from`, which has no lon and lat, to `to`.
void write_part(const std::filesystem::path& from, const std::filesystem::path& to,
                const EnvironmentPart& part);

}  // namespace tidewise::test
