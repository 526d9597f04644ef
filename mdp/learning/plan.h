#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/stopwatch.h"
#include "mdp/learning/agent.h"
#include "mdp/process/decision_process.h"
#include "mdp/process/options.h"
#include "mdp/process/solution.h"

namespace tidewise::mdp {

/// Q and the number of visits of each row, on the host.
template <class Real>
struct LearnedTable {
  std::vector<Real> value;             ///< QTable::value
  std::vector<std::int64_t> visits;    ///< QTable::visits
  std::vector<double> mean;            ///< QTable::mean
  std::vector<std::int64_t> averaged;  ///< QTable::averaged
  std::vector<LearningAgent> agents;
};

/// Initial data of Q-learning in host memory, for host and device.
template <class Real>
class LearningPlan {
 public:
  /// Borrows `process`. Errors: InputError for invalid options.
  LearningPlan(const DecisionProcess<Real>& process, const QLearningOptions& options);

  /// The scalars of a round; the caller adds the views of the arrays below.
  LearningRound<Real> round() const;
  /// The table before the first round.
  LearnedTable<Real> first_table() const;
  /// Learns: run(begin, end) performs these rounds, learned() returns the table.
  template <class Run, class Learned>
  ProcessSolution<Real> learn(const Run& run, const Learned& learned, Progress& progress) const {
    const Stopwatch watch;
    std::vector<LearnedPolicy> curve;
    const std::int64_t count = starts.empty() ? 0 : options_.steps;
    progress.begin("learning", count, "rounds");
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t point = next_curve_point(done);
      const std::int64_t end = std::min(done + rounds_per_report, point);
      run(done, end);
      done = end;
      progress.advance_to(done);
      if (done == point && options_.curve_points > 0) {
        curve.push_back({done, solution(learned(), done).action});
      }
    }
    progress.end();
    const double seconds = watch.seconds();
    ProcessSolution<Real> result = solution(learned(), count);
    result.sweep_seconds = seconds;
    result.learning.curve = std::move(curve);
    return result;
  }

  std::vector<Real> row_reward;            ///< Simulator::row_reward
  std::vector<std::int32_t> starts;        ///< LearningRound::starts
  std::vector<std::uint64_t> exploration;  ///< LearningRound::exploration

 private:
  /// Rounds between two progress reports, and per launch on a device.
  static constexpr std::int64_t rounds_per_report = 1000;

  std::int64_t next_curve_point(std::int64_t done) const;
  /// The solution after `rounds`: value = max Q and its action over visited rows; for a state never
  /// visited its initial value and its first action.
  ProcessSolution<Real> solution(LearnedTable<Real> table, std::int64_t rounds) const;

  const DecisionProcess<Real>& process_;
  QLearningOptions options_;
  std::int64_t stage_rounds_ = 1;
  int fixed_point_bits_ = 0;  // fractional bits of an error: QTable::to_fixed = 2^bits
};

}  // namespace tidewise::mdp
