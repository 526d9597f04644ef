#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// Numbers of files that hold the names, places and times of some variables and none of their
/// values: whoever has these, another program that runs an import within itself, hands them out
/// box by box as they are read. Imports within a CurrentScope read from it.
class LentFields {
 public:
  virtual ~LentFields() = default;
  /// The box [start, start + count) of a variable as it would be stored; nothing where the file has
  /// it itself. Called by any thread of an import. Errors: RunError.
  virtual std::optional<std::vector<double>> read(const std::filesystem::path& file,
                                                  const std::string& variable,
                                                  const std::vector<std::size_t>& start,
                                                  const std::vector<std::size_t>& count) = 0;
};

}  // namespace tidewise::ingest
