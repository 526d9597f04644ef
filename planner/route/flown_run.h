#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "output/run/policy_file.h"
#include "planner/problem/mission_problem.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// A run on disk with its flights, from which routes are made.
class FlownRun {
 public:
  /// Reads the run in `folder` (of 'tidewise plan' or 'tidewise rollout', or a policy.h5) and its
  /// flights. If they were not written, or follow the model (rollout.mode), the policy is flown
  /// again in continuous mode. `threads`: of the CPU; nullopt: all. Errors: InputError for a
  /// path that is no run, a damaged run, or one whose environment was replaced.
  FlownRun(const std::string& run, std::optional<std::int32_t> threads, Progress& progress);

  const std::filesystem::path& folder() const { return folder_; }
  const MissionProblem& run() const { return *run_; }
  const EnvironmentInfo& info() const { return run_->info(); }
  /// Flights in continuous mode, at least one.
  const RolloutResult& flights() const { return flights_; }
  /// The realizations that were flown through, in order of the flights.
  std::vector<std::int32_t> realizations() const;
  /// The policy's file; empty if the run has none.
  std::filesystem::path policy_file() const {
    return policy_ ? policy_->path() : std::filesystem::path();
  }
  /// Returns the policy. Errors: InputError if the run has none, because it is a rollout.
  const PolicyFile& policy() const;
  /// Warnings to print, one line each.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<PolicyFile> policy_;
  std::unique_ptr<MissionProblem> run_;
  RolloutResult flights_;
  std::vector<std::string> warnings_;
};

}  // namespace tidewise
