#pragma once

#include <filesystem>
#include <vector>

namespace tidewise {

/// The path itself, or the nearest folder above it, that exists; a link counts even where it leads
/// nowhere.
std::filesystem::path nearest_existing(const std::filesystem::path& path);

/// The folders of an output, made where they are missing. The destructor removes those that were
/// made here and are empty, unless keep() was called.
class MadeFolders {
 public:
  MadeFolders() = default;
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;
  ~MadeFolders();

  /// Makes a folder and those above it. Nothing that exists is replaced, and no folder is made
  /// through a link that leads nowhere. Errors: InputError, of --out, where it cannot be made.
  void make(const std::filesystem::path& folder);
  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;  // the outermost first
};

}  // namespace tidewise
