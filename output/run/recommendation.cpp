#include "output/run/recommendation.h"

#include <array>
#include <nlohmann/json.hpp>

#include "env/units/calendar_time.h"
#include "output/json_number.h"

namespace tidewise {

using Json = nlohmann::ordered_json;

std::string uncertainty_note(ForecastUncertainty uncertainty) {
  switch (uncertainty) {
    case ForecastUncertainty::none:
      return "Forecast taken as certain: no probability. Add forecast errors with 'env import "
             "--forecast-error'.";
    case ForecastUncertainty::lagged:
      return "Lagged copies of one forecast carry no forecast error: no probability. Add forecast "
             "errors with 'env import --forecast-error'.";
    case ForecastUncertainty::contradicted:
      return "Observations contradict the forecast: no probability. Use a newer forecast.";
    case ForecastUncertainty::guess:
      return "Probabilities follow from a guessed forecast error.";
    case ForecastUncertainty::ensemble:
    case ForecastUncertainty::error_model:
      break;
  }
  return "";
}

Json to_json(const FirstAction& action) {
  Json json{{"heading", json_number(action.heading)}, {"speed", json_number(action.speed)}};
  if (action.bearing) json["bearing"] = json_number(*action.bearing);
  if (!action.profile.name.empty()) {
    json["profile"] = {{"name", action.profile.name}, {"depths", action.profile.depths}};
  }
  return json;
}

Json to_json(const Outlook& outlook) {
  constexpr std::array names{"flights", "model", "rehearsal"};
  Json json{{"basis", names[static_cast<std::size_t>(outlook.basis)]}};
  if (outlook.basis != Outlook::Basis::model) json["flights"] = outlook.flights;
  if (outlook.keeping) {
    json[outlook.keeping->is_distance ? "distance" : "within"] = json_number(outlook.keeping->mean);
    json["lost"] = outlook.lost;
    return json;
  }
  if (outlook.basis != Outlook::Basis::model) json["arrived"] = outlook.arrived;
  json["time"] = json_number(outlook.time);
  if (!outlook.has_probability) return json;
  json.update(Json{{"arrival_probability", json_number(outlook.chance)},
                   {"earlier", json_number(outlook.earlier)},
                   {"later", json_number(outlook.later)},
                   {"half", json_number(outlook.half)}});
  if (outlook.calibrated_on > 0) json["calibrated_on"] = outlook.calibrated_on;
  if (outlook.chance_range) {
    const auto& [min, max] = *outlook.chance_range;
    json["arrival_probability_range"] = {json_number(min), json_number(max)};
  }
  return json;
}

Json to_json(const Recommendation& recommendation) {
  constexpr std::array names{"none", "go", "do_not_go", "at_target", "stay", "change"};
  Json json{{"action", names[static_cast<std::size_t>(recommendation.action)]}};
  if (recommendation.first) json["first_action"] = to_json(*recommendation.first);
  if (recommendation.departure) {
    json["departure"] = format_iso_time(*recommendation.departure) + "Z";
  }
  if (!recommendation.gain.empty()) json["gain"] = recommendation.gain;
  if (!recommendation.note.empty()) json["note"] = recommendation.note;
  json["outlook"] = recommendation.action == Recommendation::Action::none
                        ? Json(nullptr)
                        : to_json(recommendation.outlook);
  return json;
}

}  // namespace tidewise
