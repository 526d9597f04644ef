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
  /// `leader`: one of the missions. `path`: path of policy.h5, which is written if policies are
  /// requested or do not fit in memory. `departures`: departures of all missions. `pool`: the
  /// pass's pool; must outlive this object.
  SolveSink(const MissionProblem& leader, const std::filesystem::path& path, PolicyFiles policies,
            const std::vector<TimeLevel>& departures, PolicyPool& pool);

  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  /// Starts the completion of the file, if there is one. Requires that every level was accepted.
  void begin_completing();
  /// The complete policy. Its file may still be in completion.
  const PolicySource& source();
  /// Waits until the file, if there is one, is complete.
  void finish();

  /// Number of states with an action.
  std::int64_t decided() const { return decided_; }
  /// Seconds that calls of this object have waited for the file.
  double waited_seconds() const { return store_ ? store_->waited_seconds() : 0; }

 private:
  std::unique_ptr<PolicyStore> store_;
  std::optional<PolicyMemory> memory_;  ///< if no file is written
  std::int64_t decided_ = 0;
};

}  // namespace tidewise
