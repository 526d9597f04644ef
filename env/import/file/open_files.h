#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <list>
#include <memory>

#include "env/import/file/netcdf_file.h"

namespace tidewise::ingest {

/// The files opened last, kept open: forecasts come in hundreds, and a velocity in two at a time,
/// or in two for each member.
class OpenFiles {
 public:
  /// Keeps as many files open as one time needs, up to what processes and memory allow.
  void keep(std::size_t count) { most_ = std::clamp<std::size_t>(count, 2, 32); }

  /// Errors: those of NetcdfFile.
  std::shared_ptr<const NetcdfFile> open(const std::filesystem::path& path) {
    for (const auto& file : files_) {
      if (file->path() == path) return file;
    }
    while (files_.size() >= most_) files_.pop_front();
    files_.push_back(std::make_shared<const NetcdfFile>(path));
    return files_.back();
  }

 private:
  std::size_t most_ = 2;
  std::list<std::shared_ptr<const NetcdfFile>> files_;
};

}  // namespace tidewise::ingest
