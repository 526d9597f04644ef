#include <filesystem>

#include "app/commands/commands.h"
#include "app/report/environment.h"
#include "app/report/knowledge.h"
#include "app/run/finished_run.h"
#include "app/run/flight_setup.h"
#include "app/terminal/terminal.h"
#include "planner/learning/knowledge.h"
#include "planner/run/run_mission.h"

namespace tidewise {
namespace {

using Arguments = FlightArguments;

void run(const Arguments& arguments, const CommandContext& context) {
  const KnowledgeRequest request;
  const auto setup = set_up_flights(arguments, "bound", FlightMode::continuous,
                                    [&](const FlightSetup&, const MissionProblem& run) {
                                      validate_knowledge_request(run, nullptr, request);
                                    });
  MissionProblem& run = *setup->run;
  const auto progress = context.make_progress();
  RunSummary summary = begin_flight_summary(*setup);
  const RolloutResult policy_flights = fly(run, setup->policy, summary, *progress);
  const KnowledgeFlights bound_flights =
      fly_with_knowledge(run, policy_flights, setup->policy, nullptr, request, *progress);
  summary.rollout = bound_flights.worth.bound;
  summary.steered_by = "clairvoyant";
  summary.knowledge = to_json(bound_flights, request);
  RunFolder& folder = *setup->folder;
  summary.seconds.write += write_flights(run, bound_flights.bound->rollout, folder.staging(),
                                         summary, run.rollout.threads);
  finish_run_folder(run, folder, summary, context);
  print("{}{}", describe_knowledge(run, bound_flights),
        report_line("written to",
                    folder.path().lexically_proximate(std::filesystem::current_path()).string()));
}

}  // namespace

void add_bound(Command program, const Context& context) {
  Command command = program.add_command(
      "bound",
      "Bound the value of information: plan and fly each realization separately, and compare with "
      "the run's policy",
      "Examples:\n  tidewise research bound runs/double_gyre_time --realizations 100\n"
      "  tidewise research bound runs/washington --environment later.h5");
  Arguments& arguments = add_arguments(command, context, run);
  add_flight_options(command, arguments, "--environment,--truth",
                     "Simulate in this environment, of the same cells and times, which the "
                     "clairvoyant plans use, too");
  MissionOptions& options = arguments.options;
  options.add(command, "--realizations", "rollout.realizations",
              "all, how many, or [a, list] (rollout.realizations)");
  options.add_backend(command);
  add_flight_folder_option(command, arguments, "bound");
}

}  // namespace tidewise
