#pragma once

#include <memory>

#include "app/cli/command.h"
#include "app/cli/context.h"

namespace tidewise {

using Context = std::shared_ptr<CommandContext>;

/// Creates the arguments of a command, in which its options are stored and which live as long as
/// the command. If the command is chosen, it calls `run` with them.
template <class Arguments>
Arguments& add_arguments(Command command, const Context& context,
                         void (*run)(const Arguments&, const CommandContext&)) {
  const auto arguments = std::make_shared<Arguments>();
  command.callback([=] { run(*arguments, *context); });
  return *arguments;
}

// Each function adds a command with options and an example in --help to the program (or, for the
// second words of `env` and `mdp`, to that command). Each command has a file of its own in this
// folder.
void add_batch(Command program, const Context& context);
void add_bench(Command program, const Context& context);
void add_bench_mdp(Command bench, const Context& context);
void add_bound(Command program, const Context& context);
void add_build(Command program, const Context& context);
void add_check(Command program, const Context& context);
void add_compare(Command program, const Context& context);
void add_departures(Command program, const Context& context);
void add_env_double_gyre(Command env, const Context& context);
void add_env_import(Command env, const Context& context);
void add_env_info(Command env, const Context& context);
void add_env_resample(Command env, const Context& context);
void add_env_wind_driven_gyre(Command env, const Context& context);
void add_errors(Command program, const Context& context);
void add_example(Command program, const Context& context);
void add_init(Command program, const Context& context);
void add_lookup(Command program, const Context& context);
void add_export(Command program, const Context& context);
void add_mdp_convert(Command mdp, const Context& context);
void add_mdp_gridworld(Command mdp, const Context& context);
void add_mdp_mine_field(Command mdp, const Context& context);
void add_mdp_sample(Command mdp, const Context& context);
void add_mdp_savings(Command mdp, const Context& context);
void add_observe(Command program, const Context& context);
void add_plan(Command program, const Context& context);
void add_reach(Command program, const Context& context);
void add_refine(Command program, const Context& context);
void add_rehearse(Command program, const Context& context);
void add_replan(Command program, const Context& context);
void add_rollout(Command program, const Context& context);
void add_score(Command program, const Context& context);
void add_serve(Command program, const Context& context);
void add_solve(Command program, const Context& context);
void add_view(Command program, const Context& context);

}  // namespace tidewise
