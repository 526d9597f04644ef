#pragma once

#include <mutex>
#include <vector>

#include "output/run/policy_file.h"
#include "planner/run/temporary_folder.h"
#include "tidewise/policy.h"

namespace tidewise {

/// A policy in its temporary file, and the level that was asked for last.
struct Policy::Content {
  TemporaryFolder folder;
  std::filesystem::path path() const { return folder.path() / "policy.h5"; }

  std::optional<PolicyFile> file = {};
  mutable std::mutex mutex = {};  ///< of what follows
  mutable std::optional<TimeLevel> level = {};
  mutable std::vector<std::int16_t> action = {};  ///< (y, x)
  mutable std::vector<float> value = {};          ///< (y, x)
};

}  // namespace tidewise
