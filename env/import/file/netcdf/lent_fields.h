#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// Values of variables whose files hold only names, positions and times. Another program that runs
/// an import within its process provides the values box by box as they are read. Imports within a
/// CurrentScope read from this object.
class LentFields {
 public:
  virtual ~LentFields() = default;
  /// The box [start, start + count) of a variable as it would be stored; nullopt if the file itself
  /// has the values. Any thread of an import may call it. Errors: RunError.
  virtual std::optional<std::vector<double>> read(const std::filesystem::path& file,
                                                  const std::string& variable,
                                                  const std::vector<std::size_t>& start,
                                                  const std::vector<std::size_t>& count) = 0;
};

}  // namespace tidewise::ingest
