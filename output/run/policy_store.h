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

/// Receives a policy while it is solved. Writes policy.h5 in a separate thread, and keeps small
/// policies in memory, too, so that they can be flown while the file is still being written.
class PolicyStore final : public PolicySink {
 public:
  /// A larger policy is read back from its file [B]; it holds 1000 × 1000 cells at 1000 levels.
  static constexpr std::size_t max_memory = std::size_t{2} << 30;

  /// Limit of the rows in memory [B], or a quarter of the free memory if that is less.
  static constexpr std::size_t max_rows = std::size_t{1} << 30;

  /// Creates the file in the writing thread, because that takes longer than the rest.
  /// `memory`: limit of the policy in memory [B]. `departures`: those of further missions that fly
  /// the policy. `pool`: thread and waiting levels that policies share if they are written at the
  /// same time; null: the store has its own. The other parameters are those of PolicyWriter,
  /// PolicyOrigin and Decisions.
  PolicyStore(std::filesystem::path path, const EnvironmentReader& environment,
              const PlanningProblem& problem, const std::string& mission_text,
              std::size_t memory = max_memory, std::vector<TimeLevel> departures = {},
              PolicyPool* pool = nullptr, const std::string& environment_fingerprint = {},
              PolicyExtent extent = PolicyExtent::whole, bool for_all_departures = false);
  /// Memory of a store while it is filled, for missions of this number of departures and legs [B].
  static std::size_t memory_needed(const Grid& grid, TimeLevel last, std::size_t departures,
                                   std::size_t legs = 1);
  /// Part of memory_needed() for levels that wait to be written [B].
  static std::size_t waiting_memory(const Grid& grid);

  /// Errors, also of the functions below: those of PolicyWriter, for earlier levels, too.
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  PolicyRows* rows_to_keep() override { return memory_ ? memory_->rows_to_keep() : nullptr; }
  /// Starts to complete the file, without waiting. Requires that every level has been accepted.
  void begin_completing();
  /// The whole policy, with values at the missions' departures, while the file is completed.
  /// Requires that every level has been accepted.
  const PolicySource& source();
  /// Waits until the file is complete and has its name.
  void finish();

  /// Seconds that the calls above have waited for the file.
  double waited_seconds() const { return threaded_writer_.waited_seconds() + waited_; }

 private:
  /// A writer that is made in the writing thread, before the first level.
  struct LateWriter final : PolicySink {
    std::optional<PolicyWriter> made;
    void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
                View<const float> value) override {
      made->accept(leg, k, action, value);
    }
  };

  std::filesystem::path path_;
  LateWriter writer_;
  std::optional<PolicyMemory> memory_;  // absent if it is read back
  std::optional<PolicyPool> default_pool_;
  std::optional<PolicyFile> file_;
  double waited_ = 0;  // [s]
  enum class State { open, completing, complete } state_ = State::open;
  ThreadedPolicySink threaded_writer_;  // last, because it uses the other members
};

}  // namespace tidewise
