#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/interruption.h"
#include "app/program.h"
#include "app/terminal/outlet.h"
#include "base/current.h"
#include "base/error.h"
#include "bindings/bindings.h"
#include "bindings/supervised.h"
#include "env/import/file/netcdf/lent_fields.h"

namespace nb = nanobind;

namespace tidewise::python {
namespace {

/// Forwards to a Progress that outlives it.
class ForwardedProgress final : public Progress {
 public:
  explicit ForwardedProgress(Progress& inner) : inner_(inner) {}
  void begin(std::string_view work, std::int64_t total, std::string_view unit) override {
    inner_.begin(work, total, unit);
  }
  void advance_to(std::int64_t done) override { inner_.advance_to(done); }
  void end() override { inner_.end(); }

 private:
  Progress& inner_;
};

/// Collects the output of a command.
class CollectedOutput final : public Outlet {
 public:
  explicit CollectedOutput(Progress& progress) : progress_(progress) {}
  void print(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    text_ += text;
  }
  void warn(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(text);
  }
  std::unique_ptr<Progress> make_progress() override {
    return std::make_unique<ForwardedProgress>(progress_);
  }
  bool take(const nlohmann::ordered_json& figures) override {
    figures_ = figures.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return true;
  }
  nb::tuple result() const {
    const nb::object figures =
        figures_.empty() ? nb::none() : nb::module_::import_("json").attr("loads")(figures_);
    return nb::make_tuple(text_, figures, warnings_);
  }

 private:
  Progress& progress_;
  std::mutex mutex_;
  std::string text_;
  std::string figures_;
  std::vector<std::string> warnings_;
};

/// A value of plain Python: None, bool, int, float, str, or a list of these.
nlohmann::json json_of(const nb::handle& value) {
  if (value.is_none()) return nullptr;
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::int_>(value)) {
    std::int64_t whole = 0;
    if (nb::try_cast(value, whole)) return whole;
    std::uint64_t natural = 0;
    if (nb::try_cast(value, natural)) return natural;
    return nb::cast<std::string>(nb::str(value));
  }
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (!nb::isinstance<nb::list>(value)) return nb::cast<std::string>(nb::str(value));
  nlohmann::json list = nlohmann::json::array();
  for (const nb::handle element : nb::cast<nb::list>(value)) list.push_back(json_of(element));
  return list;
}

/// Fields that a Python function returns: an array of float64 for (file, variable, start, count),
/// or None.
class PythonFields final : public ingest::LentFields {
 public:
  explicit PythonFields(nb::object read) : read_(std::move(read)) {}
  std::optional<std::vector<double>> read(const std::filesystem::path& file,
                                          const std::string& variable,
                                          const std::vector<std::size_t>& start,
                                          const std::vector<std::size_t>& count) override {
    const nb::gil_scoped_acquire acquired;
    try {
      const nb::object values = read_(file.string(), variable, start, count);
      if (values.is_none()) return std::nullopt;
      const auto array = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(values);
      return std::vector<double>(array.data(), array.data() + array.size());
    } catch (const std::exception& error) {  // a Python exception must not be held without the GIL
      throw RunError(error.what());
    }
  }

 private:
  nb::object read_;
};

std::mutex& command_mutex() {
  static std::mutex mutex;
  return mutex;
}

nb::tuple run(const char* name, const nb::dict& options, const nb::object& report,
              const nb::object& fields) {
  PythonFields python_fields(fields);
  nlohmann::json values = nlohmann::json::object();
  for (const auto [key, value] : options) values[nb::cast<std::string>(key)] = json_of(value);
  std::optional<CollectedOutput> outlet;
  run_supervised(
      report,
      [&](WatchedProgress& progress) {
        const std::lock_guard lock(command_mutex());
        outlet.emplace(progress);
        clear_interruption();
        std::optional<CurrentScope<ingest::LentFields>> lending;
        if (!fields.is_none()) lending.emplace(python_fields);
        run_command(name, values, *outlet);
      },
      request_interruption);
  return outlet->result();
}

}  // namespace

void bind_command(nb::module_& module) {
  // Each function runs a command of the terminal. Its options have the names of the command's
  // options. Returns (report, figures or None, warnings).
  for (const auto& [function, name] : std::initializer_list<std::pair<const char*, const char*>>{
           {"batch", "batch"},
           {"bound", "research bound"},
           {"compare", "compare"},
           {"departures", "departures"},
           {"double_gyre", "env double-gyre"},
           {"example", "example"},
           {"export", "export"},
           {"fit_forecast_error", "errors"},
           {"import_forecast", "env import"},
           {"info", "env info"},
           {"lookup", "lookup"},
           {"observe", "observe"},
           {"reach", "reach"},
           {"refine", "research refine"},
           {"replan", "replan"},
           {"rollout", "rollout"},
           {"score", "score"},
           {"view", "view"},
           {"wind_driven_gyre", "env wind-driven-gyre"}}) {
    module.def(
        function,
        [name = name](const nb::dict& options, const nb::object& report, const nb::object& fields) {
          return run(name, options, report, fields);
        },
        nb::arg("options"), nb::arg("report") = nb::none(), nb::arg("fields") = nb::none(),
        "(report, figures or None, warnings). fields: a function of (file, variable, start, count) "
        "that gives what files that are imported do not hold, as float64, or None; called by "
        "another thread.");
  }
}

}  // namespace tidewise::python
