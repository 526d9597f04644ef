#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tidewise {
namespace {

const BenchmarkSide& find_side(const std::vector<BenchmarkSide>& sides, const std::string& name) {
  const auto side = std::find_if(sides.begin(), sides.end(),
                                 [&](const BenchmarkSide& s) { return s.name == name; });
  if (side == sides.end()) throw std::logic_error("no such side in the benchmark: " + name);
  return *side;
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double BenchmarkReport::median_ratio(const std::string& slow, const std::string& fast) const {
  const auto& above = find_side(sides, slow).samples;
  const auto& below = find_side(sides, fast).samples;
  if (above.size() != below.size()) return median(above) / median(below);
  std::vector<double> quotients;
  for (std::size_t n = 0; n < above.size(); ++n) {
    quotients.push_back(above[n] / below[n]);
  }
  return median(quotients);
}

std::string BenchmarkReport::to_text() const {
  std::string text = fmt::format("{}\n{}\n\n{:<34} {:>10} {:>10} {:>10}  {}\n", title, machine, "",
                                 "median", "min", "max", unit);
  for (const auto& side : sides) {
    const auto [min, max] = std::minmax_element(side.samples.begin(), side.samples.end());
    text += fmt::format("{:<34} {:>10.3f} {:>10.3f} {:>10.3f}  ({} runs)\n", side.name,
                        median(side.samples), *min, *max, side.samples.size());
  }
  text += "\n";
  for (const auto& ratio : ratios) {
    text += fmt::format("{} / {}: {:.2f}", ratio.slow, ratio.fast,
                        median_ratio(ratio.slow, ratio.fast));
    if (ratio.min > 0) text += fmt::format("  (aim: at least {})", ratio.min);
    if (ratio.max > 0) text += fmt::format("  (aim: at most {})", ratio.max);
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json BenchmarkReport::to_json() const {
  nlohmann::ordered_json json{{"title", title}, {"machine", machine}, {"unit", unit}};
  for (const auto& side : sides) {
    json["sides"].push_back(
        {{"name", side.name}, {"median", median(side.samples)}, {"samples", side.samples}});
  }
  for (const auto& ratio : ratios) {
    json["ratios"].push_back({{"slow", ratio.slow},
                              {"fast", ratio.fast},
                              {"median", median_ratio(ratio.slow, ratio.fast)},
                              {"aim", ratio.min}});
    if (ratio.max > 0) json["ratios"].back()["aim_at_most"] = ratio.max;
  }
  return json;
}

void measure_in_turn(const std::vector<BenchmarkContender>& contenders, std::int32_t repeats,
                     WarmUp warm_up, BenchmarkReport& report, Progress& progress) {
  const std::size_t first = report.sides.size();
  for (const auto& contender : contenders) report.sides.push_back({contender.name, {}});
  const std::int32_t warm_up_rounds = warm_up == WarmUp::one_round ? 1 : 0;
  progress.begin("measuring", repeats + warm_up_rounds, "rounds");
  for (std::int32_t round = 1 - warm_up_rounds; round <= repeats; ++round) {
    for (std::size_t n = 0; n < contenders.size(); ++n) {
      const double sample = contenders[n].measure(round);
      if (round > 0) report.sides[first + n].samples.push_back(sample);
    }
    progress.advance_to(round + warm_up_rounds);
  }
  progress.end();
}

}  // namespace tidewise
