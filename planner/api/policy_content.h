#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "output/run/policy_file.h"
#include "planner/run/temporary_folder.h"
#include "tidewise/policy.h"

namespace tidewise {

/// A policy in its file, and the level that was asked for last.
struct Policy::Content {
  std::unique_ptr<const TemporaryFolder> folder = {};  ///< null where the file is the user's
  std::filesystem::path path = {};

  std::optional<PolicyFile> file = {};
  mutable std::mutex mutex = {};  ///< of what follows
  mutable std::optional<TimeLevel> level = {};
  mutable std::vector<std::int16_t> action = {};  ///< (y, x)
  mutable std::vector<float> value = {};          ///< (y, x)
};

}  // namespace tidewise
