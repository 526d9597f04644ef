#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>

#include "env/environment_info.h"

namespace tidewise {

/// The action that the policy takes first.
struct FirstAction {
  double heading = 0;  ///< [rad] counter-clockwise from +x
  double speed = 0;    ///< [m s-1 or 1]
  /// [degrees] clockwise from true north; absent without longitudes and for a vehicle that drifts.
  std::optional<double> bearing;
  EnvironmentProfile profile =
      {};  ///< profile of the dive; without a name if there is one velocity
};

/// Predicted station keeping or target following.
struct ExpectedKeeping {
  double mean = 0;  ///< share of the time within the target, or distance from it [m or 1]
  bool is_distance = false;
};

/// Probability and time of arrival, or station keeping.
struct Outlook {
  /// Source of an outlook: flights through the environment, the evaluation on the model, or flights
  /// through the forecast's own files.
  enum class Basis { flights, model, rehearsal } basis = Basis::model;
  std::int64_t flights = 0;  ///< 0 for the model
  double chance = 0;         ///< probability of arrival
  /// [s or 1] after the departure: the median of the flights that arrive, or the model's mean.
  double time = std::numeric_limits<double>::quiet_NaN();
  /// [s or 1] The window of arrivals begins `earlier` before `time` and ends `later` after it. It
  /// contains 90 % of them, in a rehearsal all; NaN: unknown.
  double earlier = std::numeric_limits<double>::quiet_NaN();
  double later = std::numeric_limits<double>::quiet_NaN();
  /// [s or 1] Time by which half of all flights have arrived; NaN if fewer do, and for the model.
  double half = std::numeric_limits<double>::quiet_NaN();
  std::optional<ExpectedKeeping> keeping = {};  ///< set for station keeping and target following
  std::int64_t lost = 0;           ///< number of its flights that end before time is up
  std::int64_t arrived = 0;        ///< number of its flights that arrive, without weights
  std::int64_t calibrated_on = 0;  ///< missions behind a calibrated window; 0: not calibrated
  /// True if `chance` and the times around `time` are probabilities (supports_probability()).
  bool has_probability = true;
  /// Least and greatest `chance` over the plausible sizes of a guessed forecast error.
  std::optional<std::pair<double, double>> chance_range = {};
};

/// The recommended action, its time, its probability of success, and the alternative.
struct Recommendation {
  /// `none`: nothing was flown or evaluated. `stay` and `change` are about a plan that the vehicle
  /// follows already.
  enum class Action { none, go, do_not_go, at_target, stay, change } action = Action::none;
  std::optional<FirstAction> first;  ///< with `go` and `change`
  std::optional<double> departure;   ///< [s since 1970], if times have dates
  Outlook outlook;                   ///< outlook of the recommended plan
  std::string gain;  ///< gain of the new plan over the old one, such as "gains 4.0 h"; else empty
  std::string note;  ///< uncertainty_note() of the forecast
};

/// The sentence with which reports about such a forecast begin; empty if probabilities need no
/// note.
std::string uncertainty_note(ForecastUncertainty uncertainty);

nlohmann::ordered_json to_json(const FirstAction& action);
nlohmann::ordered_json to_json(const Outlook& outlook);
nlohmann::ordered_json to_json(const Recommendation& recommendation);

}  // namespace tidewise
