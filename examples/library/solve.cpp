// A walk along five cells to the last of them. A step succeeds in eight of ten tries and costs 1.
// The solution is the direction for each cell, and the expected number of tries.
#include <tidewise/process.h>

#include <cstdio>

int main() {
  namespace mdp = tidewise::mdp;
  constexpr std::int32_t cells = 5;
  enum Action : std::int32_t { left, right, action_count };

  mdp::ProcessArrays walk;
  walk.state_count = cells;
  walk.action_count = action_count;
  walk.row_begin = {0};
  for (std::int32_t cell = 0; cell < cells; ++cell) {
    for (std::int32_t action = 0; action < action_count; ++action) {
      const std::int32_t next = action == left ? cell - 1 : cell + 1;
      const bool is_end = cell == cells - 1;  // a state without actions
      if (!is_end && next >= 0) {
        const bool ahead = next > cell;  // successors ascend
        walk.successor.insert(walk.successor.end(), {ahead ? cell : next, ahead ? next : cell});
        walk.probability.insert(walk.probability.end(), {ahead ? 0.2 : 0.8, ahead ? 0.8 : 0.2});
      }
      walk.row_begin.push_back(static_cast<std::int64_t>(walk.successor.size()));
      walk.reward.push_back(-1);
    }
  }

  try {
    mdp::SolverOptions options;
    options.tolerance = 1e-9;
    const mdp::Solution solution = mdp::solve(mdp::Process(std::move(walk)), options);
    for (std::int32_t cell = 0; cell < cells; ++cell) {
      const auto at = static_cast<std::size_t>(cell);
      std::printf("cell %d: go %s, %.4f tries\n", cell,
                  solution.policy[at] == right  ? "right"
                  : solution.policy[at] == left ? "left"
                                                : "nowhere",
                  0 - solution.value[at]);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "solve: %s\n", error.what());
    return 1;
  }
}
