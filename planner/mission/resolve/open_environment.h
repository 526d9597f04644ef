#pragma once

#include "env/file/reader.h"
#include "planner/mission/request.h"

namespace tidewise {

/// Opens the file of a mission's environment for reading the profiles of its vehicle. Errors: those
/// of the file; InputError for a missing profile, or if the file has several and the mission names
/// none.
EnvironmentReader open_forecast(const RunRequest& request);

/// Opens the environment for learning: all profiles of the file, those of the mission first,
/// without drift at the surface and no-go zones. Errors: those of the file, and for a missing
/// profile.
EnvironmentReader open_for_learning(const RunRequest& request);

/// A mission's environment, with the mission's no-go zones closed in addition to the file's mask:
/// closures() has one entry per zone, in their order. For station keeping and target following its
/// scalar field is g of docs/model.md, 3.11. All code that plans, evaluates, flies or draws a
/// mission opens its environment by this function. Errors: those of the file; InputError for a zone
/// whose place or time cannot be converted to the environment's coordinates.
EnvironmentReader open_environment(const RunRequest& request);

}  // namespace tidewise
