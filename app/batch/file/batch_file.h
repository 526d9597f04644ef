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
  std::string name;                 ///< what messages call it: the path that was given
  std::filesystem::path mission;    ///< the base mission
  std::filesystem::path directory;  ///< absolute; where everything goes
  Combination combine = Combination::product;
  PolicyFiles policies = PolicyFiles::all;
  /// The most of the host's memory that the policies of one pass may take [B]; absent: a share of
  /// what is free.
  std::optional<std::int64_t> memory;
  /// [[mission]] first where it is there, then [vary] in the order of the file.
  std::vector<BatchAxis> axes;
};

/// Reads a batch file. Paths in it count from its folder; without batch.directory it goes to
/// runs/<name of the file>. Errors: InputError with file, line, key, what was found and what is
/// allowed.
BatchFile read_batch_file(const std::filesystem::path& path);

}  // namespace tidewise
