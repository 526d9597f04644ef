#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "output/run/policy_file.h"
#include "planner/folder/temporary_folder.h"
#include "tidewise/policy.h"

namespace tidewise {

/// A policy's file, which its legs share.
struct OpenPolicyFile {
  /// `temporary` is removed with this object; null if the file is the user's.
  explicit OpenPolicyFile(const std::filesystem::path& path,
                          std::unique_ptr<const TemporaryFolder> temporary = {})
      : folder(std::move(temporary)), file(path) {}

  std::unique_ptr<const TemporaryFolder> folder;
  PolicyFile file;
  mutable std::mutex mutex = {};  ///< for reading
};

/// One leg of a policy file, and the level that was read last.
struct Policy::Content {
  std::shared_ptr<const OpenPolicyFile> opened = {};
  std::size_t leg = 0;  ///< counted from 0

  /// The members below are guarded by the file's mutex.
  mutable std::optional<TimeLevel> level = {};
  mutable std::vector<std::int16_t> action = {};  ///< (y, x)
  mutable std::vector<float> value = {};          ///< (y, x)

  const PolicyFile& file() const { return opened->file; }
  const PolicySource& source() const { return file().leg(leg); }
};

}  // namespace tidewise
