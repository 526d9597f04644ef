#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "learning/forecast_error/fit.h"

namespace tidewise {

/// A table of a fit's figures, with 90 % intervals and numbers of data.
std::string describe_error_fit(const ForecastErrorFit& fit);

/// The figures as JSON, in SI units; null if a figure was not fitted.
nlohmann::ordered_json error_fit_json(const ForecastErrorFit& fit);

}  // namespace tidewise
