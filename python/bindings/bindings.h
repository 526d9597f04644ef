#pragma once

#include <nanobind/nanobind.h>

namespace tidewise::python {

// Each adds its part to the module tidewise._core; a file an idea, beside this.
void bind_command(nanobind::module_& module);
void bind_environment(nanobind::module_& module);
void bind_mdp(nanobind::module_& module);
void bind_mission(nanobind::module_& module);
void bind_plan(nanobind::module_& module);
void bind_policy(nanobind::module_& module);
void bind_savings(nanobind::module_& module);
void bind_view(nanobind::module_& module);

}  // namespace tidewise::python
