#pragma once

#include <memory>

#include "app/cli/command.h"
#include "app/cli/context.h"

namespace tidewise {

using Context = std::shared_ptr<CommandContext>;

// Each adds its command, with options and an example in --help, to the program (or, for the second
// words of `env` and `mdp`, to that command), and runs when it is chosen. One file each:
// beside this.
void add_batch(Command program, Context context);
void add_bench(Command program, Context context);
void add_bench_mdp(Command bench, Context context);
void add_build(Command program, Context context);
void add_check(Command program, Context context);
void add_compare(Command program, Context context);
void add_env_double_gyre(Command env, Context context);
void add_env_import(Command env, Context context);
void add_env_info(Command env, Context context);
void add_env_merge(Command env, Context context);
void add_env_select(Command env, Context context);
void add_env_split(Command env, Context context);
void add_env_wind_driven_gyre(Command env, Context context);
void add_mdp_convert(Command mdp, Context context);
void add_mdp_gridworld(Command mdp, Context context);
void add_mdp_mine_field(Command mdp, Context context);
void add_mdp_sample(Command mdp, Context context);
void add_mdp_savings(Command mdp, Context context);
void add_plan(Command program, Context context);
void add_refine(Command program, Context context);
void add_rollout(Command program, Context context);
void add_solve(Command program, Context context);

}  // namespace tidewise
