#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "app/commands/mdp/model_output.h"
#include "app/solve/output.h"
#include "bindings/bindings.h"
#include "bindings/mdp_rows.h"
#include "bindings/supervised.h"
#include "mdp/api/named_options.h"
#include "mdp/methods/table.h"
#include "tidewise/process.h"

namespace nb = nanobind;

namespace tidewise::python {
namespace {

// Arrays of Python are read in place, without conversion; tidewise/mdp.py converts them if needed.
template <class T>
using InputArray = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InputCube = nb::ndarray<const double, nb::ndim<3>, nb::device::cpu>;

template <class T>
std::span<const T> span_of(const InputArray<T>& array) {
  return {array.data(), array.size()};
}

/// A Python array that shows elements of `owner`, and keeps `owner` alive.
template <class T>
nb::ndarray<nb::numpy, T> shown(T* data, std::vector<std::size_t> shape, nb::handle owner) {
  return {data, shape.size(), shape.data(), owner};
}
template <class T>
nb::ndarray<nb::numpy, T> shown(std::vector<T>& values, nb::handle owner) {
  return shown(values.data(), {values.size()}, owner);
}

/// Keeps Python arrays alive that a process reads. Any thread may release them.
template <class... Arrays>
std::shared_ptr<const void> keep_alive(Arrays... arrays) {
  using Owned = std::tuple<Arrays...>;
  return {new Owned(std::move(arrays)...), [](const Owned* owned) {
            const nb::gil_scoped_acquire locked;
            delete owned;
          }};
}

/// All parts of a process except its rows, as Python arrays. Shares the arrays.
struct InputHeader {
  std::int32_t state_count;
  std::int32_t action_count;
  InputArray<double> reward;
  std::optional<InputArray<double>> terminal_value;
  double discount;
  bool minimize;

  ProcessHeader header() const {
    ProcessHeader header{
        state_count, action_count, span_of(reward),
        {},          discount,     minimize ? mdp::Direction::minimize : mdp::Direction::maximize};
    if (terminal_value) header.terminal_value = span_of(*terminal_value);
    return header;
  }
};

using InputRows =
    std::tuple<InputArray<std::int64_t>, InputArray<std::int32_t>, InputArray<double>>;

SparseRows rows_of(const InputRows& input) {
  return {span_of(std::get<0>(input)), span_of(std::get<1>(input)), span_of(std::get<2>(input))};
}

mdp::Process from_rows(const InputHeader& input, const InputRows& matrix) {
  const ProcessHeader header = input.header();
  const SparseRows rows = rows_of(matrix);
  auto owner = keep_alive(matrix, input.reward);
  const nb::gil_scoped_release released;
  if (!can_be_read_in_place(header, rows)) return process_of(header, {rows});
  return mdp::Process(mdp::ProcessViews{
      header.state_count, header.action_count, rows.begin, rows.column, rows.probability,
      header.reward, header.terminal_value, header.discount, header.direction, std::move(owner)});
}

mdp::Process from_actions(const InputHeader& input, const std::vector<InputRows>& matrices) {
  const ProcessHeader header = input.header();
  std::vector<SparseRows> rows;
  rows.reserve(matrices.size());
  for (const InputRows& matrix : matrices) rows.push_back(rows_of(matrix));
  const nb::gil_scoped_release released;
  return process_of(header, rows);
}

mdp::Process from_dense(const InputHeader& input, const InputCube& cube) {
  const ProcessHeader header = input.header();
  const DenseActions dense{cube.data(), cube.stride(0), cube.stride(1), cube.stride(2)};
  const nb::gil_scoped_release released;
  return process_of(header, dense);
}

mdp::Process read(const std::string& path, std::optional<double> discount,
                  const std::string& target, bool counts_rewards, bool minimize) {
  return supervised(nb::none(), [&](WatchedProgress& progress) {
    return mdp::Process::read(
        path,
        {discount, target, counts_rewards ? mdp::Goal::reward : mdp::Goal::probability,
         minimize ? mdp::Direction::minimize : mdp::Direction::maximize},
        &progress);
  });
}

mdp::Solution solve(const mdp::Process& process, mdp::NamedRequest request,
                    const std::optional<InputArray<double>>& first_value,
                    const nb::object& report) {
  mdp::settle_method(request);
  mdp::SolverOptions& options = request.solver;
  if (first_value) {
    options.first_value.assign(first_value->data(), first_value->data() + first_value->size());
  }
  return supervised(
      report, [&](WatchedProgress& progress) { return mdp::solve(process, options, &progress); });
}

nb::ndarray<nb::numpy, double> action_values(const mdp::Process& process,
                                             const InputArray<double>& value,
                                             std::int32_t threads) {
  auto values = std::make_unique<std::vector<double>>();
  {
    const nb::gil_scoped_release released;
    *values = mdp::action_values(process, span_of(value), threads);
  }
  double* const data = values->data();
  const nb::capsule owner(values.release(), [](void* pointer) noexcept {
    delete static_cast<std::vector<double>*>(pointer);
  });
  return shown(data,
               {static_cast<std::size_t>(process.state_count()),
                static_cast<std::size_t>(process.action_count())},
               owner);
}

/// A read-only Python array of a process's elements.
template <class T>
nb::ndarray<nb::numpy, const T> shown(std::span<const T> values, nb::handle owner) {
  return nb::ndarray<nb::numpy, const T>(values.data(), {values.size()}, owner);
}

template <auto Rows>
auto shown_array(nb::handle self) {
  return shown((nb::cast<const mdp::Process&>(self).*Rows)(), self);
}

void bind_process(nb::module_& module) {
  nb::class_<InputHeader>(module, "MdpHeader")
      .def(nb::new_([](std::int32_t states, std::int32_t actions, InputArray<double> reward,
                       std::optional<InputArray<double>> terminal_value, double discount,
                       bool minimize) {
             return InputHeader{states,   actions, std::move(reward), std::move(terminal_value),
                                discount, minimize};
           }),
           nb::arg("states"), nb::arg("actions"), nb::arg("reward").noconvert(),
           nb::arg("terminal_value").noconvert().none(), nb::arg("discount"), nb::arg("minimize"));
  nb::class_<mdp::Process>(module, "MdpProcess")
      .def_static("from_rows", &from_rows, nb::arg("header"), nb::arg("matrix").noconvert())
      .def_static("from_actions", &from_actions, nb::arg("header"), nb::arg("matrices").noconvert())
      .def_static("from_dense", &from_dense, nb::arg("header"), nb::arg("cube").noconvert())
      .def_static("read", &read, nb::arg("path"), nb::arg("discount").none(), nb::arg("target"),
                  nb::arg("counts_rewards"), nb::arg("minimize"))
      .def(
          "write",
          [](const mdp::Process& process, const std::string& path, bool overwrite) {
            const nb::gil_scoped_release released;
            validate_model_output(path, overwrite ? Overwrite::asked : Overwrite::refused);
            process.write(path);
          },
          nb::arg("path"), nb::arg("overwrite"))
      .def("action_values", &action_values, nb::arg("value").noconvert(), nb::arg("threads"))
      .def_prop_ro("state_count", &mdp::Process::state_count)
      .def_prop_ro("action_count", &mdp::Process::action_count)
      .def_prop_ro("transition_count", &mdp::Process::transition_count)
      .def_prop_ro("discount", &mdp::Process::discount)
      .def_prop_ro("fingerprint", &mdp::Process::fingerprint)
      .def_prop_ro("minimize",
                   [](const mdp::Process& process) {
                     return process.direction() == mdp::Direction::minimize;
                   })
      .def_prop_ro("row_begin", &shown_array<&mdp::Process::row_begin>)
      .def_prop_ro("successor", &shown_array<&mdp::Process::successor>)
      .def_prop_ro("probability", &shown_array<&mdp::Process::probability>);
}

template <auto Member>
auto shown_member(nb::handle self) {
  return shown(nb::cast<mdp::Solution&>(self).*Member, self);
}

void bind_solution(nb::module_& module) {
  nb::class_<mdp::Solution>(module, "MdpSolution")
      .def_prop_ro("value", &shown_member<&mdp::Solution::value>)
      .def_prop_ro("policy", &shown_member<&mdp::Solution::policy>)
      .def_prop_ro("min_value", &shown_member<&mdp::Solution::min_value>)
      .def_prop_ro("max_value", &shown_member<&mdp::Solution::max_value>)
      .def_prop_ro("step_value", &shown_member<&mdp::Solution::step_value>)
      .def_prop_ro("step_policy", &shown_member<&mdp::Solution::step_policy>)
      .def_prop_ro("endless", &shown_member<&mdp::Solution::endless>)
      .def_prop_ro("history",
                   [](nb::handle self) {  // bytes of records; tidewise/mdp.py has their fields
                     auto& history = nb::cast<mdp::Solution&>(self).history;
                     static_assert(sizeof(mdp::SweepRecord) == 32);
                     return shown(reinterpret_cast<std::uint8_t*>(history.data()),
                                  {history.size() * sizeof(mdp::SweepRecord)}, self);
                   })
      .def_ro("lower", &mdp::Solution::lower)
      .def_ro("upper", &mdp::Solution::upper)
      .def_ro("residual", &mdp::Solution::residual)
      .def_prop_ro(
          "outcome",
          [](const mdp::Solution& solution) { return std::string(mdp::name_of(solution.outcome)); })
      .def_ro("converged", &mdp::Solution::converged)
      .def_ro("shortfall", &mdp::Solution::shortfall)
      .def_ro("sweeps", &mdp::Solution::sweeps)
      .def_ro("seconds", &mdp::Solution::seconds)
      .def_prop_ro("method",
                   [](const mdp::Solution& solution) { return std::string(solution.method); })
      .def_prop_ro("backend", [](const mdp::Solution& solution) {
        return solution.backend == BackendChoice::cuda ? "cuda" : "cpu";
      });
}

}  // namespace

void bind_mdp(nb::module_& module) {
  module.def("mdp_methods", [] {
    std::vector<std::string> names;
    for (const mdp::MethodRow& row : mdp::method_rows()) names.emplace_back(row.name);
    return names;
  });
  module.def("mdp_options", [] {  // names and allowed words; used by tests
    std::vector<std::tuple<std::string, std::vector<std::string>>> options;
    for (const mdp::NamedOption& option : mdp::named_options()) {
      options.emplace_back(option.name,
                           std::vector<std::string>(option.words.begin(), option.words.end()));
    }
    return options;
  });
  bind_process(module);
  bind_solution(module);
  nb::class_<mdp::NamedRequest>(module, "MdpOptions")
      .def(nb::init<>())
      .def(
          "set",
          [](mdp::NamedRequest& request, std::string_view name, std::string_view value,
             bool is_setting) {
            mdp::set_option(request, name, value,
                            is_setting ? std::optional(mdp::OptionUse::setting) : std::nullopt);
          },
          nb::arg("name"), nb::arg("value"), nb::arg("is_setting") = false)
      .def("keep_history", [](mdp::NamedRequest& request) { request.solver.keeps_history = true; })
      .def("keep_steps", [](mdp::NamedRequest& request) { request.solver.keeps_steps = true; })
      .def("measure_absolute", [](mdp::NamedRequest& request) {
        request.solver.error_measure = mdp::ErrorMeasure::absolute;
      });
  module.def(
      "write_mdp_solution",
      [](const std::string& path, const mdp::Process& process, const mdp::Solution& solution,
         bool with_action_values, std::int32_t state_count, bool overwrite) {
        const nb::gil_scoped_release released;
        validate_solution_output(path, overwrite ? Overwrite::asked : Overwrite::refused, {});
        mdp::write_solution(path, process, solution, with_action_values, state_count);
      },
      nb::arg("path"), nb::arg("process"), nb::arg("solution"), nb::arg("with_action_values"),
      nb::arg("state_count"), nb::arg("overwrite"));
  module.def(
      "read_mdp_values",
      [](const std::string& path) {
        auto stored = [&] {
          const nb::gil_scoped_release released;
          return std::make_unique<mdp::StoredValues>(mdp::read_solution_values(path));
        }();
        const std::string fingerprint = stored->model_fingerprint;
        std::vector<double>& value = stored->value;
        const nb::capsule owner(stored.release(), [](void* pointer) noexcept {
          delete static_cast<mdp::StoredValues*>(pointer);
        });
        return std::make_tuple(shown(value, owner), fingerprint);
      },
      nb::arg("path"));
  module.def("solve_mdp", &solve, nb::arg("process"), nb::arg("options"),
             nb::arg("first_value").noconvert().none(), nb::arg("report").none());
}

}  // namespace tidewise::python
