#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "env/file/reader.h"
#include "output/run/policy_file.h"
#include "solver/policy/memory.h"
#include "solver/policy/threaded_sink.h"
#include "solver/step/mission.h"
#include "solver/step/planning_problem.h"

namespace tidewise {

/// Receives a policy while it is solved: writes policy.h5 in a thread of its own, and keeps small
/// policies in memory, too, so that they can be flown while the file is still being written.
class PolicyStore final : public PolicySink {
 public:
  /// A policy that takes more is read back from its file [B]; 1000 × 1000 cells at 1000 levels.
  static constexpr std::size_t max_memory = std::size_t{2} << 30;

  /// And of its rows, where a quarter of what is free is not less.
  static constexpr std::size_t max_rows = std::size_t{1} << 30;

  /// `mission_text`: as of PolicyWriter. `memory`: the most to take of it [B]. `departures`: of
  /// further missions that fly the policy. `pool`: what policies share that are written at once;
  /// without it the store has a thread of its own, and a few levels wait.
  /// `environment_fingerprint`: as of PolicyOrigin; `for_all_departures`: as of Decisions.
  PolicyStore(std::filesystem::path path, const EnvironmentReader& environment,
              const PlanningProblem& problem, const std::string& mission_text,
              std::size_t memory = max_memory, std::vector<TimeLevel> departures = {},
              PolicyPool* pool = nullptr, const std::string& environment_fingerprint = {},
              PolicyExtent extent = PolicyExtent::whole, bool for_all_departures = false);
  /// Memory of a store while it is filled, for missions of this number of departures and legs [B].
  static std::size_t memory_needed(const Grid& grid, TimeLevel last, std::size_t departures,
                                   std::size_t legs = 1);
  /// The part of it in which levels wait [B].
  static std::size_t waiting_memory(const Grid& grid);

  /// Errors, of all four: those of PolicyWriter, also for levels given earlier.
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  PolicyRows* rows_to_keep() override { return memory_ ? memory_->rows_to_keep() : nullptr; }
  /// Has the file completed as soon as it can be; every level has been accepted. Waits for nothing.
  void begin_completing();
  /// The whole policy, once every level has been accepted; values of the missions' departures. The
  /// file is completed meanwhile.
  const PolicySource& source();
  /// Waits until the file is complete and has its name.
  void finish();

  /// Seconds that the calls above have waited for the file.
  double waited_seconds() const { return behind_.waited_seconds() + waited_; }

 private:
  std::filesystem::path path_;
  PolicyWriter writer_;
  std::optional<PolicyMemory> memory_;  // none where it is read back
  std::optional<PolicyPool> own_pool_;
  std::optional<PolicyFile> file_;
  double waited_ = 0;  // [s]
  enum class State { open, completing, complete } state_ = State::open;
  ThreadedPolicySink behind_;  // last: it uses the rest
};

}  // namespace tidewise
