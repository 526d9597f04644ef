#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace tidewise {

/// Progress of a mission of a batch; the numbers are batch.nc's flag_values.
enum class MissionStatus : std::uint8_t { done = 0, failed = 1, not_run = 2 };

/// The result of one mission.
struct BatchRow {
  std::size_t mission = 0;  ///< number of the mission
  MissionStatus status = MissionStatus::not_run;
  std::string message = {};                  ///< reason of a failure; else empty
  nlohmann::ordered_json summary = nullptr;  ///< summary.json of a finished mission; else null
};

/// Receives rows as missions end. Called by one thread of a pass at a time.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void take(BatchRow row) = 0;
};

}  // namespace tidewise
