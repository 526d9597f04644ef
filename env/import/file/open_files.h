#pragma once

#include <filesystem>
#include <list>
#include <memory>

#include "env/import/file/forecast_file.h"

namespace tidewise::ingest {

/// The files read last, kept open: forecasts come in hundreds, and a velocity in two at a time.
class OpenFiles {
 public:
  /// In the group that holds the forecast. Errors: those of NetcdfFile.
  std::shared_ptr<const NetcdfFile> open(const std::filesystem::path& path) {
    for (const auto& file : files_) {
      if (file->path() == path) return file;
    }
    if (files_.size() == most) files_.pop_front();
    files_.push_back(open_forecast_file(path));
    return files_.back();
  }

 private:
  static constexpr std::size_t most = 2;

  std::list<std::shared_ptr<const NetcdfFile>> files_;
};

}  // namespace tidewise::ingest
