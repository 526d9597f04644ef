#pragma once

#include <cstdint>
#include <vector>

#include "output/score/prediction.h"

namespace tidewise {

/// By how much 90 % windows of arrival are to be wider (> 1) or narrower about their medians.
struct WindowCalibration {
  double factor = 1;
  std::int64_t missions = 0;  ///< number of missions that it is computed from
};

/// A side of a window is taken to be no shorter than this [s]: times are printed to the minute.
inline constexpr double shortest_window_side = 60;

/// Split conformal prediction (Vovk, Gammerman & Shafer 2005), with scores as for conformalised
/// quantile regression (Romano, Patterson & Candès 2019), in units of the window: the distance of
/// the arrival from the predicted median over the length of the window's side there. The factor is
/// the ⌈0.9 (n + 1)⌉-th smallest score, so that a window of an exchangeable mission holds its
/// arrival with 90 % or more. Missions that arrived count, each by its first prediction;
/// predictions of one target, deadline and vehicle are of one mission. `place`: for messages.
/// Errors: InputError for fewer than nine missions.
WindowCalibration calibrate_windows(const std::vector<Prediction>& predictions,
                                    const std::string& place);

}  // namespace tidewise
