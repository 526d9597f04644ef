#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/cli/command.h"
#include "output/score/window_calibration.h"
#include "planner/outputs/outputs.h"
#include "planner/problem/mission_problem.h"

namespace tidewise {

/// The options --log, which records a command's predictions, and --calibrate, which corrects them
/// by earlier predictions.
class PredictionOptions {
 public:
  PredictionOptions() = default;
  /// Options with a log only.
  explicit PredictionOptions(std::string log) : log_(std::move(log)) {}

  /// Adds both options. The object must outlive the command.
  void add(Command command);

  bool has_log() const { return !log_.empty(); }
  /// Adds the files of the options to those of the command.
  void add_files(Outputs& outputs) const;
  /// Refuses a log that cannot be added to, and an environment whose predictions cannot be logged
  /// or calibrated. Errors: InputError.
  void validate(const EnvironmentReader& environment) const;
  /// The calibration of --calibrate; nullopt if it is not given. Errors: those of
  /// read_predictions() and calibrate_windows().
  std::optional<WindowCalibration> calibration() const;

  /// A prediction of a mission.
  struct Predicted {
    const MissionProblem& problem;
    const char* command;        ///< "plan", "replan" or "lookup"
    std::filesystem::path run;  ///< the folder of the run
    const RolloutResult& flights;
    nlohmann::ordered_json surfacing = nullptr;  ///< result of surfacing_to_json()
    nlohmann::ordered_json recommended = nullptr;
    std::optional<WindowCalibration> calibration = {};
  };
  /// The line for the log, without probabilities if the forecast has none; null without --log.
  nlohmann::ordered_json line_of(const Predicted& predicted) const;
  /// Appends a line to the log, unless it is null. Errors: those of append_prediction().
  void append(const nlohmann::ordered_json& line) const;
  /// Appends the line of a prediction.
  void record(const Predicted& predicted) const { append(line_of(predicted)); }

 private:
  std::string log_;
  std::string calibration_file_;
};

}  // namespace tidewise
