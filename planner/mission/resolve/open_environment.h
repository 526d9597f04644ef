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

/// A mission's environment, with the mission's no-go zones closed in addition to the file's mask:
/// closures() has one entry per zone, in their order. For station keeping its scalar field is g of
/// docs/model.md, 3.11. All code that plans, evaluates, flies or draws a mission opens its
/// environment by this function. Errors: those of the file; InputError for a zone whose place or
/// time cannot be converted to the environment's coordinates.
EnvironmentReader open_environment(const RunRequest& request);

}  // namespace tidewise
