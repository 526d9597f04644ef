#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/batch/file/axis.h"
#include "planner/mission/read/toml_document.h"

namespace tidewise {

enum class Combination { product, zip };
enum class PolicyFiles { all, none };

/// A batch file as it is written (docs/plan/batch.md): a base mission and what to vary.
struct BatchFile {
  std::string name;                 ///< the path as given, for messages
  std::filesystem::path mission;    ///< the base mission
  std::filesystem::path directory;  ///< absolute; folder of the results
  Combination combine = Combination::product;
  PolicyFiles policies = PolicyFiles::all;
  std::int64_t tracks = 200;  ///< maximum number of flights in a trajectories.nc
  /// Maximum host memory for the policies of one pass [B]; absent: a share of the free memory.
  std::optional<std::int64_t> memory;
  /// The axis of [[mission]] first, if the file has one, then those of [vary] in the file's order.
  std::vector<BatchAxis> axes;
};

/// Reads a batch file. Its paths are relative to its folder; batch.directory defaults to runs/<name
/// of the file>. Errors: InputError with file, line, key, the value and what is allowed.
BatchFile read_batch_file(const std::filesystem::path& path);

}  // namespace tidewise
