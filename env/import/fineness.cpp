#include "env/import/fineness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "env/import/time/hours_text.h"

namespace tidewise::ingest {
namespace {

std::string length_text(double metres) { return fmt::format("{:.2g} km", metres / 1000); }

/// The distance that the vehicle moves in a step, in cells.
std::string distance_text(const FinenessOptions& options, const ChosenFineness& chosen) {
  return fmt::format("a vehicle of {:.3g} m/s moves {:.2g} cells per step", *options.vehicle_speed,
                     *options.vehicle_speed * chosen.step / chosen.spacing);
}

}  // namespace

bool needs_flow_change(const FinenessOptions& options, double source_step) {
  constexpr double always_short_enough = 3600;  // [s]
  return source_step > always_short_enough || options.vehicle_speed;
}

std::string step_text(const FinenessOptions& options, const FlowFineness& flow,
                      const ChosenFineness& chosen) {
  if (flow.allowed_step == 0) return "";
  const auto displacement_error = [&](double step) {
    const double kilometres = flow.change.displacement_error(step) / 1000;
    return fmt::format("{:.{}f} km after {}", kilometres, kilometres < 10 ? 1 : 0,
                       hours_text(step));
  };
  const std::string points =
      fmt::format("the source's points are {:.2g} km apart", flow.change.spacing / 1000);
  constexpr const char* exceeds =
      "in 5 % of the water the error of a parcel with constant velocity exceeds";
  if (options.step) {
    if (flow.change.allows(chosen.step) || flow.allowed_step >= chosen.step) return "";
    return fmt::format("step: {} is long for this flow: {} {}; {}; without --step it is {}",
                       hours_text(chosen.step), exceeds, displacement_error(chosen.step), points,
                       hours_text(flow.allowed_step));
  }
  if (chosen.step == flow.time_step) return "";
  std::string reason = "a plan chooses one action per step";
  if (options.vehicle_speed && flow.change.allows(std::min(2 * chosen.step, flow.time_step))) {
    reason = distance_text(options, chosen);
  } else if (!flow.change.allows(flow.time_step)) {
    reason = fmt::format("{} {}, {}; {}", exceeds, displacement_error(flow.time_step),
                         displacement_error(chosen.step), points);
  }
  return fmt::format("step: {}, {} the source's {}: {}; --step {:.6g}h keeps the source's",
                     hours_text(chosen.step),
                     chosen.step < flow.time_step ? "linear between" : "the mean over",
                     hours_text(flow.time_step), reason, flow.time_step / 3600);
}

std::string cells_text(const FinenessOptions& options, const FlowFineness& flow,
                       const ChosenFineness& chosen) {
  const FlowDetail& detail = flow.detail;
  const auto interpolation_error = [&](double cells) {
    return fmt::format("{:.2g} %", 100 * detail.interpolation_error(cells));
  };
  const double wanted_cells = detail.spacing / flow.cells.wanted;
  if (options.spacing) {
    constexpr double tolerance = 1.05;
    if (detail.allows(chosen.spacing) || chosen.spacing <= tolerance * wanted_cells) return "";
    return fmt::format(
        "cells: {} are wide for this flow: interpolation error {} of its speed; without --spacing "
        "they are {}",
        length_text(chosen.spacing), interpolation_error(chosen.spacing),
        length_text(wanted_cells));
  }
  if (flow.cells.parts < flow.cells.wanted) {
    const double cells = chosen.level_count * flow.source_points;
    return fmt::format(
        "cells: {}; {} would be better, but need {:.2g} cells at all levels; choose a part with "
        "--bbox, --from and --to, or request them with --spacing",
        length_text(chosen.spacing), length_text(wanted_cells),
        cells * flow.cells.wanted * flow.cells.wanted);
  }
  if (flow.cells.parts == 1) return "";
  constexpr std::array<const char*, 5> part_names{"", "", "half", "a third", "a quarter"};
  std::string text = fmt::format(
      "cells: {}, {} of the {} between the source's points: interpolation error {} of the speed "
      "({} "
      "at {})",
      length_text(chosen.spacing), part_names.at(static_cast<std::size_t>(flow.cells.parts)),
      length_text(detail.spacing), interpolation_error(chosen.spacing),
      interpolation_error(detail.spacing), length_text(detail.spacing));
  if (options.vehicle_speed) text += "; " + distance_text(options, chosen);
  if (flow.cells.slow) text += ", which is few even with the smallest cells";
  return text + fmt::format("; --spacing {}m keeps the source's", detail.spacing);
}

}  // namespace tidewise::ingest
