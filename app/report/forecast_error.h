#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "learning/forecast_error/fit.h"

namespace tidewise {

/// Figures of a fit, 90 % intervals and numbers of data: a table.
std::string describe_error_fit(const ForecastErrorFit& fit);

/// The report as JSON, in SI units; null: not fitted.
nlohmann::ordered_json error_fit_json(const ForecastErrorFit& fit);

}  // namespace tidewise
