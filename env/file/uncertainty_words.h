#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "env/environment_info.h"

namespace tidewise {

/// The values of the root attribute `uncertainty`.
inline constexpr std::array<std::pair<std::string_view, ForecastUncertainty>, 6> uncertainty_words{
    {{"none", ForecastUncertainty::none},
     {"lagged", ForecastUncertainty::lagged},
     {"ensemble", ForecastUncertainty::ensemble},
     {"error_model", ForecastUncertainty::error_model},
     {"guess", ForecastUncertainty::guess},
     {"contradicted", ForecastUncertainty::contradicted}}};

/// The attribute's word for a value.
constexpr std::string_view uncertainty_word(ForecastUncertainty uncertainty) {
  for (const auto& [word, value] : uncertainty_words) {
    if (value == uncertainty) return word;
  }
  return "";
}

/// The uncertainty of an environment whose file states `stated`; `none` with one realization, which
/// has no spread.
constexpr ForecastUncertainty uncertainty_of(ForecastUncertainty stated,
                                             std::int32_t realization_count) {
  return realization_count > 1 ? stated : ForecastUncertainty::none;
}

}  // namespace tidewise
