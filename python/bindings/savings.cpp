#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "app/cli/backend_options.h"
#include "bindings/bindings.h"
#include "bindings/supervised.h"
#include "mdp/savings/solve_savings.h"
#include "mdp/savings/validation.h"

namespace nb = nanobind;

namespace tidewise::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::vector<double> vector_of(const Numbers& array) {
  return {array.data(), array.data() + array.size()};
}

struct SolvedSavings {
  mdp::SavingsSolution solution;
  std::vector<double> euler_error;
  std::string backend;
};

SolvedSavings solve(const mdp::SavingsProblem& problem, mdp::SavingsOptions options,
                    const std::string& backend, std::int32_t threads, const nb::object& report) {
  return supervised(report, [&](WatchedProgress& progress) {
    BackendRequest request;
    request.backend = backend == "cuda"  ? BackendChoice::cuda
                      : backend == "cpu" ? BackendChoice::cpu
                                         : BackendChoice::automatic;
    if (threads > 0) request.threads = threads;
    const Backend selected = take_backend(request);
    options.threads = selected.threads;
    SolvedSavings solved;
    solved.solution = selected.kind == BackendKind::cuda
                          ? mdp::solve_savings_on_device(problem, options, progress)
                          : mdp::solve_savings(problem, options, progress);
    solved.euler_error = mdp::euler_errors(problem, solved.solution).error;
    solved.backend = selected.name;
    return solved;
  });
}

template <auto Member>
nb::ndarray<nb::numpy, double> shown(nb::handle self) {
  std::vector<double>& values = nb::cast<SolvedSavings&>(self).solution.*Member;
  return {values.data(), {values.size()}, self};
}

}  // namespace

void bind_savings(nb::module_& module) {
  nb::class_<SolvedSavings>(module, "SavingsSolution")
      .def_prop_ro("value", &shown<&mdp::SavingsSolution::value>)
      .def_prop_ro("saving", &shown<&mdp::SavingsSolution::saving>)
      .def_prop_ro("consumption", &shown<&mdp::SavingsSolution::consumption>)
      .def_prop_ro("euler_error",
                   [](nb::handle self) {
                     std::vector<double>& values = nb::cast<SolvedSavings&>(self).euler_error;
                     return nb::ndarray<nb::numpy, double>(values.data(), {values.size()}, self);
                   })
      .def_prop_ro("error", [](const SolvedSavings& solved) { return solved.solution.error_bound; })
      .def_prop_ro("sweeps", [](const SolvedSavings& solved) { return solved.solution.sweeps; })
      .def_prop_ro("seconds", [](const SolvedSavings& solved) { return solved.solution.seconds; })
      .def_ro("backend", &SolvedSavings::backend);
  module.def(
      "solve_savings",
      [](const Numbers& assets, const Numbers& productivity, const Numbers& transition,
         const Numbers& consumption, const Numbers& utility, double wage, double interest,
         double discount, bool on_grid, double tolerance, const std::string& backend,
         std::int32_t threads, const nb::object& report) {
        mdp::SavingsProblem problem;
        problem.assets = vector_of(assets);
        problem.productivity = {vector_of(productivity), vector_of(transition)};
        problem.utility = {vector_of(consumption), vector_of(utility)};
        problem.wage = wage;
        problem.interest = interest;
        problem.discount = discount;
        mdp::SavingsOptions options;
        options.method = on_grid ? mdp::SavingsMethod::on_grid : mdp::SavingsMethod::off_grid;
        options.tolerance = tolerance;
        return solve(problem, options, backend, threads, report);
      },
      nb::arg("assets"), nb::arg("productivity"), nb::arg("transition"), nb::arg("consumption"),
      nb::arg("utility"), nb::arg("wage"), nb::arg("interest"), nb::arg("discount"),
      nb::arg("on_grid"), nb::arg("tolerance"), nb::arg("backend"), nb::arg("threads"),
      nb::arg("report").none());
}

}  // namespace tidewise::python
