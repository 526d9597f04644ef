#include <cstdint>
#include <vector>

#include "base/parallel/team.h"
#include "base/stopwatch.h"
#include "mdp/learning/plan.h"
#include "mdp/methods/functions.h"

namespace tidewise::mdp {
namespace {

constexpr std::int64_t agents_per_piece = 64;

/// Runs rounds [begin, end) on threads that synchronize after each half of a round.
template <class Real>
void run_rounds(const LearningRound<Real>& work, std::int64_t begin, std::int64_t end,
                std::int32_t threads) {
  const auto agents = static_cast<std::int64_t>(work.agents.size);
  for (std::int64_t round = begin; round < end; ++round) {
    for_each_shared(agents, agents_per_piece, threads, [&](std::int64_t n) {
      work.act(static_cast<std::size_t>(n), round, OneLane{});
    });
    for_each_shared(agents, agents_per_piece, threads,
                    [&](std::int64_t n) { work.settle(static_cast<std::size_t>(n), round); });
  }
}

}  // namespace

template <class Real>
ProcessSolution<Real> learn_by_simulation(const DecisionProcess<Real>& process,
                                          const SolveOptions& options, Progress& progress) {
  const Stopwatch stopwatch;
  const LearningPlan<Real> plan(process, options.q_learning);
  const auto rows = static_cast<std::size_t>(process.row_count());
  LearnedTable<Real> table = plan.first_table();
  std::vector<unsigned long long> error_sum(rows, 0);
  std::vector<unsigned> hits(rows, 0);

  LearningRound<Real> work = plan.round();
  work.simulator = {view_of(process), {plan.row_reward.data(), rows}, process.entry_reward};
  work.table.value = {table.value.data(), rows};
  work.table.error_sum = {error_sum.data(), rows};
  work.table.hits = {hits.data(), rows};
  work.table.visits = {table.visits.data(), rows};
  work.table.mean = {table.mean.data(), rows};
  work.table.averaged = {table.averaged.data(), rows};
  work.agents = table.agents;
  work.starts = plan.starts;
  work.terminal_value = process.initial_value;
  work.exploration = plan.exploration;

  ProcessSolution<Real> solution = plan.learn(
      [&](std::int64_t begin, std::int64_t end) { run_rounds(work, begin, end, options.threads); },
      [&] { return table; }, progress);
  solution.seconds = stopwatch.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(learn_by_simulation)

}  // namespace tidewise::mdp
