#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <utility>

#include "app/cli/interruption.h"
#include "app/program.h"
#include "app/terminal/outlet.h"
#include "bindings/bindings.h"
#include "bindings/supervised.h"

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

std::mutex& one_command() {
  static std::mutex mutex;
  return mutex;
}

std::pair<std::string, std::vector<std::string>> run(const std::vector<std::string>& words,
                                                     const nb::object& report) {
  std::pair<std::string, std::vector<std::string>> said;
  run_supervised(
      report,
      [&](WatchedProgress& progress) {
        const std::lock_guard lock(one_command());
        KeptWords outlet(progress);
        forget_interruption();
        run_words(words, outlet);
        said = outlet.take();
      },
      ask_for_interruption);
  return said;
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("command", run, nb::arg("words"), nb::arg("report") = nb::none(),
             "What a command of the terminal does, in this process: (what it prints, warnings).");
}

}  // namespace tidewise::python
