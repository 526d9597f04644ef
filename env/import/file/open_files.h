#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <list>
#include <memory>

#include "env/import/file/forecast_file.h"

namespace tidewise::ingest {

/// Keeps the most recently opened files open. A forecast may have hundreds of files, and one time
/// of a velocity may need two, or two for each member.
class OpenFiles {
 public:
  /// Sets the number of files to keep open, clamped to 2 … 32, because open files take memory.
  void keep(std::size_t count) { max_ = std::clamp<std::size_t>(count, 2, 32); }

  /// A file, open in the group that holds the forecast. Errors: those of NetcdfFile.
  std::shared_ptr<const NetcdfFile> open(const std::filesystem::path& path) {
    for (const auto& file : files_) {
      if (file->path() == path) return file;
    }
    while (files_.size() >= max_) files_.pop_front();
    files_.push_back(open_forecast_file(path));
    return files_.back();
  }

 private:
  std::size_t max_ = 2;
  std::list<std::shared_ptr<const NetcdfFile>> files_;
};

}  // namespace tidewise::ingest
