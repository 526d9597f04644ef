#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <memory>
#include <mutex>
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

/// Passes on to one that outlives it.
class PassedOnProgress final : public Progress {
 public:
  explicit PassedOnProgress(Progress& inner) : inner_(inner) {}
  void begin(std::string_view work, std::int64_t total, std::string_view unit) override {
    inner_.begin(work, total, unit);
  }
  void advance_to(std::int64_t done) override { inner_.advance_to(done); }
  void end() override { inner_.end(); }

 private:
  Progress& inner_;
};

/// Keeps what a command says.
class KeptWords final : public Outlet {
 public:
  explicit KeptWords(Progress& progress) : progress_(progress) {}
  void print(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    text_ += text;
  }
  void warn(std::string_view text) override {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(text);
  }
  std::unique_ptr<Progress> make_progress() override {
    return std::make_unique<PassedOnProgress>(progress_);
  }
  std::pair<std::string, std::vector<std::string>> take() {
    return {std::move(text_), std::move(warnings_)};
  }

 private:
  Progress& progress_;
  std::mutex mutex_;
  std::string text_;
  std::vector<std::string> warnings_;
};

/// Fields that a function of Python's hands out: of (file, variable, start, count) an array of
/// float64, or None.
class FieldsOfPython final : public ingest::LentFields {
 public:
  explicit FieldsOfPython(nb::object read) : read_(std::move(read)) {}
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
    } catch (const std::exception& error) {  // of Python's, which may not be held without its lock
      throw RunError(error.what());
    }
  }

 private:
  nb::object read_;
};

std::mutex& one_command() {
  static std::mutex mutex;
  return mutex;
}

std::pair<std::string, std::vector<std::string>> run(const std::vector<std::string>& words,
                                                     const nb::object& report,
                                                     const nb::object& fields) {
  FieldsOfPython lent(fields);
  std::pair<std::string, std::vector<std::string>> said;
  run_supervised(
      report,
      [&](WatchedProgress& progress) {
        const std::lock_guard lock(one_command());
        KeptWords outlet(progress);
        forget_interruption();
        std::optional<CurrentScope<ingest::LentFields>> lending;
        if (!fields.is_none()) lending.emplace(lent);
        run_words(words, outlet);
        said = outlet.take();
      },
      ask_for_interruption);
  return said;
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("command", run, nb::arg("words"), nb::arg("report") = nb::none(),
             nb::arg("fields") = nb::none(),
             "What a command of the terminal does, in this process: (what it prints, warnings). "
             "fields: a function of (file, variable, start, count) that gives what files that are "
             "imported do not hold, as float64, or None; called by another thread.");
}

}  // namespace tidewise::python
