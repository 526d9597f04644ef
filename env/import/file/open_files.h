#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <list>
#include <memory>

#include "env/import/file/forecast_file.h"

namespace tidewise::ingest {

/// The files opened last, kept open: forecasts come in hundreds, and a velocity in two at a time,
/// or in two for each member.
class OpenFiles {
 public:
  /// Keeps as many files open as one time needs, up to what processes and memory allow.
  void keep(std::size_t count) { max_ = std::clamp<std::size_t>(count, 2, 32); }

  /// In the group that holds the forecast. Errors: those of NetcdfFile.
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
