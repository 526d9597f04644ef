#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/context.h"

namespace tidewise {

using Context = std::shared_ptr<CommandContext>;

// Each adds its command, with options and an example in --help, to the program (or, for the second
// words of `env` and `mdp`, to that command), and runs when it is chosen. One file each:
// beside this.
void add_batch(CLI::App& program, Context context);
void add_bench(CLI::App& program, Context context);
void add_bench_bands(CLI::App& bench, Context context);
void add_bench_explicit(CLI::App& bench, Context context);
void add_bench_gyre(CLI::App& bench, Context context);
void add_bench_mdp(CLI::App& bench, Context context);
void add_bench_missions(CLI::App& bench, Context context);
void add_bench_planner(CLI::App& bench, Context context);
void add_build(CLI::App& program, Context context);
void add_check(CLI::App& program, Context context);
void add_compare(CLI::App& program, Context context);
void add_env_double_gyre(CLI::App& env, Context context);
void add_env_import(CLI::App& env, Context context);
void add_env_info(CLI::App& env, Context context);
void add_env_merge(CLI::App& env, Context context);
void add_env_select(CLI::App& env, Context context);
void add_env_split(CLI::App& env, Context context);
void add_env_wind_driven_gyre(CLI::App& env, Context context);
void add_mdp_convert(CLI::App& mdp, Context context);
void add_mdp_gridworld(CLI::App& mdp, Context context);
void add_mdp_mine_field(CLI::App& mdp, Context context);
void add_mdp_sample(CLI::App& mdp, Context context);
void add_mdp_savings(CLI::App& mdp, Context context);
void add_plan(CLI::App& program, Context context);
void add_refine(CLI::App& program, Context context);
void add_rollout(CLI::App& program, Context context);
void add_solve(CLI::App& program, Context context);

}  // namespace tidewise
