#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/parallel/team.h"
#include "base/stopwatch.h"
#include "mdp/learning/plan.h"
#include "mdp/methods/functions.h"

namespace tidewise::mdp {
namespace {

constexpr std::int64_t agents_at_once = 64;  // that a thread takes

/// Rounds [begin, end), by threads that meet after each half of a round.
template <class Real>
void run_rounds(const LearningRound<Real>& work, std::int64_t begin, std::int64_t end,
                std::int32_t threads) {
  const auto agents = static_cast<std::int64_t>(work.agents.size);
  for (std::int64_t round = begin; round < end; ++round) {
    for_each_shared(agents, agents_at_once, threads, [&](std::int64_t n) {
      work.act(static_cast<std::size_t>(n), round, OneLane{});
    });
    for_each_shared(agents, agents_at_once, threads,
                    [&](std::int64_t n) { work.settle(static_cast<std::size_t>(n)); });
  }
}

}  // namespace

template <class Real>
ProcessSolution<Real> learn_by_simulation(const DecisionProcess<Real>& process,
                                          const SolveOptions& options, Progress& progress) {
  const Stopwatch all;
  const LearningPlan<Real> plan(process, options.q_learning);
  const auto rows = static_cast<std::size_t>(process.row_count());
  std::vector<Real> table = plan.first_table;
  std::vector<std::int64_t> visits(rows, 0);
  std::vector<LearningAgent> agents = plan.first_agents;
  std::vector<unsigned long long> error_sum(rows, 0);
  std::vector<unsigned> hits(rows, 0);

  LearningRound<Real> work = plan.round();
  work.simulator = {view_of(process), {plan.row_reward.data(), rows}, process.entry_reward};
  work.table.value = {table.data(), rows};
  work.table.error_sum = {error_sum.data(), rows};
  work.table.hits = {hits.data(), rows};
  work.table.visits = {visits.data(), rows};
  work.agents = agents;
  work.starts = plan.starts;
  work.terminal_value = process.initial_value;
  work.exploration = plan.exploration;

  const Stopwatch rounds;
  const std::int64_t count = plan.has_work() ? options.q_learning.steps : 0;
  progress.begin("learning", count, "rounds");
  for (std::int64_t done = 0; done < count; done += rounds_at_once) {
    const std::int64_t end = std::min(done + rounds_at_once, count);
    run_rounds(work, done, end, options.threads);
    progress.advance_to(end);
  }
  progress.end();
  const double sweep_seconds = rounds.seconds();
  ProcessSolution<Real> solution = plan.solution(table, std::move(visits), agents);
  solution.sweep_seconds = sweep_seconds;
  solution.seconds = all.seconds();
  return solution;
}

TIDEWISE_INSTANTIATE_METHOD(learn_by_simulation)

}  // namespace tidewise::mdp
