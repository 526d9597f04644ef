#pragma once

#include <filesystem>

namespace tidewise {

/// A folder of this process among the system's temporary ones; removed with all that is in it.
class TemporaryFolder {
 public:
  /// Errors: RunError where none can be made.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tidewise
