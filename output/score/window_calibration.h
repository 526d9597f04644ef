#pragma once

#include <cstdint>
#include <vector>

#include "output/score/prediction.h"

namespace tidewise {

/// Factor by which to widen (> 1) or narrow 90 % windows of arrival about their medians.
struct WindowCalibration {
  double factor = 1;
  std::int64_t missions = 0;  ///< number of missions that it is computed from
};

/// Least length of a window's side [s], because times are printed to the minute.
inline constexpr double shortest_window_side = 60;

/// Split conformal prediction (Vovk, Gammerman & Shafer 2005), with scores as for conformalised
/// quantile regression (Romano, Patterson & Candès 2019), in units of the window: the distance of
/// the arrival from the predicted median over the length of the window's side there. The factor is
/// the ⌈0.9 (n + 1)⌉-th smallest score, so that a window of an exchangeable mission holds its
/// arrival with 90 % or more. Each mission that arrived counts once, with its first
/// prediction; target, deadline and vehicle identify a mission. `place`: name of the log.
/// Errors: InputError for fewer than nine missions.
WindowCalibration calibrate_windows(const std::vector<Prediction>& predictions,
                                    const std::string& place);

}  // namespace tidewise
