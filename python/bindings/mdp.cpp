#include "bindings/bindings.h"

namespace tidewise::python {

void bind_mdp(nanobind::module_& module) { (void)module; }

}  // namespace tidewise::python
