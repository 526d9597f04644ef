#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "app/batch/file/batch_file.h"
#include "output/run/policy_store.h"
#include "planner/problem/mission_problem.h"
#include "solver/policy/memory.h"

namespace tidewise {

/// Receives the policy of missions that share a solve.
class SolveSink final : public PolicySink {
 public:
  /// `leader`: one of the missions. `path`: of the policy.h5 that is written where policies are
  /// asked for, and where memory could not hold them. `departures`: of all the missions. `pool`: of
  /// the pass; must outlive this object.
  SolveSink(const MissionProblem& leader, const std::filesystem::path& path, PolicyFiles policies,
            const std::vector<TimeLevel>& departures, PolicyPool& pool);

  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  /// Has the file, if there is one, completed as soon as it can be: every level has been accepted.
  void begin_completing();
  /// The whole policy; its file is completed meanwhile.
  const PolicySource& source();
  /// Waits until the file, if there is one, is complete.
  void finish();

  /// States in which an action is taken.
  std::int64_t decided() const { return decided_; }
  /// Seconds that the calls above have waited for the file.
  double waited_seconds() const { return store_ ? store_->waited_seconds() : 0; }

 private:
  std::unique_ptr<PolicyStore> store_;
  std::optional<PolicyMemory> memory_;  ///< where nothing is written
  std::int64_t decided_ = 0;
};

}  // namespace tidewise
