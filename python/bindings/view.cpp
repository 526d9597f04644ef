#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "bindings/bindings.h"
#include "output/view/page.h"
#include "planner/view/read_run.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tidewise::python {
namespace {

std::string view_data(const std::string& run, const std::optional<std::string>& environment) {
  const nb::gil_scoped_release released;
  std::vector<std::string> warnings;  // the view's notes have those that concern its reader
  SilentProgress silent;
  std::vector<RunView> views;
  views.push_back(
      read_run_view(open_run_to_view(run), environment, warnings, silent, ViewDetail::prompt));
  return make_view_data(std::move(views));
}

}  // namespace

void bind_view(nb::module_& module) {
  module.def("served_page", &make_served_page,
             "The page of a run as HTML, without the run: it asks its server for that.");
  module.def("view_data", &view_data, "run"_a, "environment"_a = nb::none(),
             "What that page shows of a run, as JSON.");
}

}  // namespace tidewise::python
