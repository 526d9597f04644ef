#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/common_options.h"
#include "app/commands/commands.h"
#include "app/error/codes.h"
#include "app/report/environment.h"
#include "app/terminal/terminal.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "output/score/measures.h"
#include "output/score/prediction.h"
#include "planner/outputs/outputs.h"
#include "planner/score/track_outcome.h"

namespace tidewise {
namespace {

struct Arguments {
  std::string log;
  std::vector<std::string> tracks;
  std::string out;
  bool json = false;
  Overwrite overwrite = Overwrite::refused;
};

/// Outcomes of the predictions, and the number without an outcome, by reason.
struct Scored {
  std::vector<Prediction> predictions;
  std::map<std::string, std::int64_t> without_outcome;
};

/// Sets the outcome by the first track that covers the prediction. Returns "", or the last track's
/// reason if none covers it.
std::string set_outcome(Prediction& prediction, const std::vector<GlobeTrack>& tracks) {
  std::string reason = "no track is given";
  for (const GlobeTrack& track : tracks) {
    const TrackOutcome track_outcome = outcome_of(prediction, track);
    reason = track_outcome.reason;
    if (!track_outcome.outcome) continue;
    prediction.outcome = track_outcome.outcome;
    prediction.line["outcome"] = to_json(*track_outcome.outcome);
    return {};
  }
  return reason;
}

Scored score(const Arguments& arguments) {
  Scored scored{read_predictions(arguments.log), {}};
  std::vector<GlobeTrack> tracks;
  for (const std::string& file : arguments.tracks) {
    for (GlobeTrack& track : read_globe_tracks(file)) tracks.push_back(std::move(track));
  }
  bool has_outcome = false;
  for (Prediction& prediction : scored.predictions) {
    if (!prediction.outcome) {
      const std::string reason = set_outcome(prediction, tracks);
      if (!reason.empty()) ++scored.without_outcome[reason];
    }
    has_outcome = has_outcome || prediction.outcome.has_value();
  }
  if (has_outcome) return scored;
  const auto& reasons = scored.without_outcome;
  throw input_error(errors::score_nothing, arguments.log, scored.predictions.size(),
                    reasons.empty() ? "the log is empty" : reasons.begin()->first);
}

std::string number(double value, double unit, const char* format) {
  return fmt::format(fmt::runtime(format), value / unit);
}

/// Text of a measure and its interval, such as "0.116 (0.080 to 0.150)".
std::string describe(const Measure& measure, double unit, const char* format) {
  if (measure.count == 0 || !std::isfinite(measure.value)) return "none";
  std::string text = number(measure.value, unit, format);
  if (std::isfinite(measure.low)) {
    text += fmt::format(" ({} to {})", number(measure.low, unit, format),
                        number(measure.high, unit, format));
  }
  return text;
}

std::string describe_share(const Measure& measure) {
  if (measure.count == 0) return "none";
  return fmt::format("{} % of {}", describe(measure, 0.01, "{:.0f}"), measure.count);
}

std::string describe_pair(const std::array<Measure, 2>& measures) {
  return fmt::format("50 %: {}; 90 %: {}", describe_share(measures[0]),
                     describe_share(measures[1]));
}

std::string describe(const PredictionMeasures& measures, const Scored& scored) {
  constexpr double hour = 3600;
  constexpr const char* score = "{:.3f}";
  std::string text = report_line(
      "scored",
      fmt::format("{} of {} predictions with a probability, {} departure date(s); {} "
                  "arrived; 90 % intervals by dates in brackets",
                  measures.scored, scored.predictions.size(), measures.dates, measures.arrived));
  if (measures.dates < dates_for_evidence) {
    text += report_line("evidence",
                        fmt::format("descriptive: fewer than {} dates", dates_for_evidence));
  }
  if (measures.without_probability > 0) {
    text += report_line("left out",
                        fmt::format("{} without a probability", measures.without_probability));
  }
  for (const auto& [reason, count] : scored.without_outcome) {
    text += report_line("left out", fmt::format("{}: {}", count, reason));
  }
  if (measures.scored > 0) {
    text += report_line("Brier score", fmt::format("{}; {} for the base rate; skill {}",
                                                   describe(measures.brier, 1, score),
                                                   describe(measures.brier_of_base_rate, 1, score),
                                                   describe(measures.brier_skill, 1, "{:.2f}")));
    text += report_line("CRPS", describe(measures.crps, hour, "{:.2f}") + " h");
    text += report_line("stated 95–100 %", describe_share(measures.above_95) + " arrived");
    text += report_line("windows", describe_pair(measures.windows) + ", of all");
    text += report_line("", describe_pair(measures.windows_of_arrivals) + ", that arrived");
  }
  if (measures.surfacing[1].count > 0) {
    text += report_line("surfacing", describe_pair(measures.surfacing));
  }
  for (const ReliabilityBin& bin : measures.reliability) {
    if (bin.observed.count == 0) continue;
    text += report_line(fmt::format("stated {:.0f}–{:.0f} %", 100 * bin.from, 100 * bin.to),
                        fmt::format("{:.0f} % on average, {} arrived", 100 * bin.predicted.value,
                                    describe_share(bin.observed)));
  }
  return text;
}

void run(const Arguments& arguments, const CommandContext&) {
  Outputs outputs(arguments.overwrite);
  outputs.add_input(arguments.log);
  outputs.add_inputs({arguments.tracks.begin(), arguments.tracks.end()});
  outputs.add_output("--out", arguments.out, prediction_log_kind());
  outputs.validate();
  const Scored scored = score(arguments);
  const PredictionMeasures measures = measure(scored.predictions);
  if (!arguments.out.empty()) {
    std::string text;
    for (const Prediction& prediction : scored.predictions) {
      if (!prediction.outcome) continue;
      text +=
          prediction.line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
      text += "\n";
    }
    write_text_file(arguments.out, text);
  }
  nlohmann::ordered_json json{{"predictions", scored.predictions.size()},
                              {"without_outcome", scored.without_outcome}};
  json.update(to_json(measures));
  if (arguments.json) {
    print_figures(json);
  } else if (!give_figures(json)) {
    print("{}", describe(measures, scored));
  }
}

}  // namespace

void add_score(Command program, const Context& context) {
  Command command = program.add_command(
      "score", "Compare logged predictions with what happened",
      "Examples:\n  tidewise score predictions.jsonl --track glider.csv --out scored.jsonl\n"
      "  tidewise score scored.jsonl");
  Arguments& arguments = add_arguments(command, context, run);
  command
      .add_option("log", arguments.log,
                  "A log of --log of plan, replan or lookup, or an --out file of this command")
      .required();
  command
      .add_option("--track", arguments.tracks,
                  "Track of a vehicle after the predictions, in any format that 'tidewise observe' "
                  "reads; repeatable")
      .type_name("FILE")
      .one_at_a_time();
  command
      .add_option("--out", arguments.out,
                  "Write the predictions with their outcomes, for --calibrate (JSON lines)")
      .type_name("FILE");
  command.add_flag("--json", arguments.json, "Print JSON, for programs");
  add_overwrite_flag(command, arguments.overwrite);
}

}  // namespace tidewise
