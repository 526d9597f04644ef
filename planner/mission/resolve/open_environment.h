#pragma once

#include "env/file/reader.h"
#include "planner/mission/request.h"

namespace tidewise {

/// The file of a mission's environment, of whose profiles its vehicle's are read. Errors:
/// InputError of the file's, and for a profile that it has not, or several where the mission names
/// none.
EnvironmentReader open_forecast(const RunRequest& request);

/// The same for learning: reads all profiles of the file, those of the mission first, and without
/// drift at the surface. Errors: those of the file, and for a missing profile.
EnvironmentReader open_learned(const RunRequest& request);

/// A mission's environment, with its zones that no vehicle is to enter closed on top of what the
/// file closes: closures() has one for each zone, in their order. Where the mission keeps to a
/// place its scalar field is g of docs/model.md, 3.11. Who plans, evaluates, flies or draws a
/// mission opens its environment so. Errors: InputError of the file's, and for a zone whose place
/// or time the environment has no numbers for.
EnvironmentReader open_environment(const RunRequest& request);

}  // namespace tidewise
