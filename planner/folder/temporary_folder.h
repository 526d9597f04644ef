#pragma once

#include <filesystem>

namespace tidewise {

/// A folder among the system's temporary files, which is removed with its contents.
class TemporaryFolder {
 public:
  /// Makes the folder. Errors: RunError if that fails.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tidewise
