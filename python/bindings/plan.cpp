#include <nanobind/nanobind.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>

#include "app/report/run.h"
#include "app/run/prediction.h"
#include "bindings/bindings.h"
#include "bindings/supervised.h"
#include "planner/api/plan_content.h"
#include "planner/outputs/outputs.h"
#include "tidewise/mission_file.h"
#include "tidewise/planner.h"
#include "tidewise/rollout.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tidewise::python {
namespace {

/// Transition counts, or none: Python cannot hold a null object of a class.
struct Counts {
  std::shared_ptr<const KeptCounts> counts;
};

Counts count(const Environment& environment, const MissionFile& mission, const nb::object& report) {
  return supervised(report, [&](WatchedProgress& progress) {
    return Counts{keep_counts(environment, mission, &progress)};
  });
}

Plan plan_mission(const Environment& environment, const MissionFile& mission,
                  const nb::object& report, const Counts* counts) {
  return supervised(report, [&](WatchedProgress& progress) {
    return plan_by_counts(environment, mission, counts != nullptr ? counts->counts.get() : nullptr,
                          &progress);
  });
}

Flights fly_plan(const Plan& planned, const MissionFile& mission, const nb::object& report) {
  return supervised(
      report, [&](WatchedProgress& progress) { return fly(planned, mission.rollout, &progress); });
}

void require_free_folder(const std::filesystem::path& folder, const MissionFile& mission,
                         const Environment& environment, bool overwrite) {
  const nb::gil_scoped_release released;
  Outputs outputs(overwrite ? Overwrite::asked : Overwrite::refused);
  outputs.add_mission_inputs(mission);
  outputs.add_input(environment.file());
  outputs.add_run_output(folder);
  outputs.validate();
}

/// Returns the report that the terminal prints. `log`: file to append the prediction to; empty:
/// none.
std::string save_plan(const Plan& planned, const std::filesystem::path& folder,
                      const std::optional<Flights>& flights, bool with_environment,
                      const std::string& log) {
  const nb::gil_scoped_release released;
  const auto saved = with_environment ? SavedEnvironment::with_run : SavedEnvironment::where_it_is;
  std::string report;
  save_run(planned, folder, flights ? &*flights : nullptr, saved,
           [&](const MissionProblem& run, const RunSummary& summary, const RolloutResult& flown) {
             report = describe_run(run, summary, folder, {Details::shown, Values::hidden});
             const PredictionOptions predictions(log);
             predictions.validate(run.environment());
             predictions.record({.problem = run,
                                 .command = "plan",
                                 .run = std::filesystem::absolute(folder),
                                 .flights = flown,
                                 .recommended = to_json(summary.recommendation)});
           });
  return report;
}

}  // namespace

void bind_plan(nb::module_& module) {
  nb::class_<Plan>(module, "Plan", "A solved mission.")
      .def_prop_ro("policy", &Plan::policy)
      .def_prop_ro("warnings", &Plan::warnings)
      .def("save", &save_plan, "folder"_a, "flights"_a.none(), "with_environment"_a, "log"_a = "");
  nb::class_<Flights>(module, "Flights", "All flights of one policy.")
      .def_prop_ro("warnings", &Flights::warnings);
  nb::class_<Counts>(module, "Counts", "Transition counts that missions of a vehicle share.");
  module.def("count", count, "environment"_a, "mission"_a, "report"_a = nb::none());
  module.def("plan", plan_mission, "environment"_a, "mission"_a, "report"_a = nb::none(),
             "counts"_a = nb::none());
  module.def("require_place", require_free_folder, "folder"_a, "mission"_a, "environment"_a,
             "overwrite"_a,
             "Refuses a folder where a run would replace another one, or its input.");
  module.def("fly", fly_plan, "plan"_a, "mission"_a, "report"_a = nb::none());
}

}  // namespace tidewise::python
