#pragma once

#include <nanobind/nanobind.h>

namespace tidewise::python {

// Each function adds one topic to the module tidewise._core. Its file in this folder has the
// topic's name.
void bind_command(nanobind::module_& module);
void bind_environment(nanobind::module_& module);
void bind_mdp(nanobind::module_& module);
void bind_mission(nanobind::module_& module);
void bind_plan(nanobind::module_& module);
void bind_policy(nanobind::module_& module);
void bind_savings(nanobind::module_& module);
void bind_view(nanobind::module_& module);

}  // namespace tidewise::python
