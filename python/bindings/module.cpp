#include <nanobind/stl/string.h>

#include <exception>
#include <filesystem>
#include <new>
#include <string>

#include "app/cli/failure.h"
#include "base/error.h"
#include "base/printable.h"
#include "bindings/bindings.h"
#include "output/version.h"

namespace nb = nanobind;

namespace tidewise::python {
namespace {

/// Raises the exception `name` of tidewise.errors, with the line that the terminal would show.
void raise(const char* name, const std::exception& error) {
  const std::string line = shortened(on_one_line(describe_failure(error)), max_message_bytes);
  const nb::object kind = nb::module_::import_("tidewise.errors").attr(name);
  PyErr_SetString(kind.ptr(), line.c_str());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise("InputError", error);
  } catch (const RunError& error) {
    raise("RunError", error);
  } catch (const std::filesystem::filesystem_error& error) {
    raise("RunError", error);
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError,
                    "out of memory; use fewer realizations, modes or cells, or fewer threads");
  }
}

}  // namespace
}  // namespace tidewise::python

NB_MODULE(_core, module) {
  using namespace tidewise::python;
  module.doc() = "The compiled part of tidewise; its names are for the package's own use.";
  module.attr("__version__") = std::string(tidewise::version());
  nb::register_exception_translator(translate);
  bind_command(module);
  bind_environment(module);
  bind_policy(module);
  bind_mission(module);
  bind_plan(module);
  bind_mdp(module);
  bind_savings(module);
  bind_view(module);
}
