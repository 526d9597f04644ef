#pragma once

#include <filesystem>
#include <vector>

namespace tidewise {

/// The path itself or its nearest parent that exists. A link counts even if its target is missing.
std::filesystem::path nearest_existing(const std::filesystem::path& path);

/// Creates the missing folders of an output. The destructor removes those that this object created
/// and that are empty, unless keep() was called.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();

  /// Creates a folder and its missing parents. Replaces nothing, and creates nothing through a link
  /// whose target is missing. Errors: InputError, which names --out, if that fails.
  void make(const std::filesystem::path& folder);
  /// Keeps all folders.
  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;  // outermost first
};

}  // namespace tidewise
