#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tidewise::ingest {

/// Numbers of files that hold the names, places and times of some variables and none of their
/// values: whoever has these, another program that runs an import within itself, hands them out
/// box by box as they are read.
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

/// While it lives, imports of this process read from them. One at a time.
class LentFieldsScope {
 public:
  explicit LentFieldsScope(LentFields& fields);
  LentFieldsScope(const LentFieldsScope&) = delete;
  LentFieldsScope& operator=(const LentFieldsScope&) = delete;
  ~LentFieldsScope();
};

/// Null where files hold all that they name.
LentFields* current_lent_fields();

}  // namespace tidewise::ingest
