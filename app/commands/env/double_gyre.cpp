#include "env/tools/double_gyre.h"

#include "app/cli/common_options.h"
#include "app/cli/environment_options.h"
#include "app/commands/commands.h"
#include "base/parallel/thread_count.h"

namespace tidewise {
namespace {

struct Arguments {
  DoubleGyreOptions gyre;
  std::string out;
  Overwrite overwrite = Overwrite::refused;
};

void run(const Arguments& arguments, const CommandContext& context) {
  validate_environment_output(arguments.out, arguments.overwrite);
  take_default_threads();
  const auto progress = context.make_progress();
  write_double_gyre(arguments.out, arguments.gyre, *progress);
}

}  // namespace

void add_env_double_gyre(Command env, const Context& context) {
  Command command = env.add_command(
      "double-gyre", "Make a kinematic stochastic double gyre",
      "Example:\n  tidewise env double-gyre --out double_gyre.h5 --nx 200 --ny 200 --nt 200");
  Arguments& arguments = add_arguments(command, context, run);
  DoubleGyreOptions& gyre = arguments.gyre;
  command.add_option("--out", arguments.out, "The environment file to write").required();
  add_overwrite_flag(command, arguments.overwrite);
  add_size_options(command, gyre);
  add_seed_option(command, gyre.seed, "Seed of the coefficients");
  command.add_option("--speed", gyre.greatest_speed, "Greatest flow, cells a step").show_default();
}

}  // namespace tidewise
