#include "app/batch/device_list.h"

#include <numeric>

#include "app/error/codes.h"
#include "base/error.h"
#include "base/memory/gpu_obstacle.h"
#include "planner/mission/read/key_values.h"

namespace tidewise {

std::vector<std::int32_t> list_devices(const Setting& setting) {
  const auto entries = parse_setting(setting);
  const auto choice = find_devices(KeyReader(entries, setting.place), "planner.devices");
  const DeviceReport report = report_devices();
  if (const auto obstacle = obstacle_to_gpus(report)) {
    throw input_error(errors::devices_all_unusable, setting.place, obstacle->why, obstacle->remedy);
  }
  const auto* listed = std::get_if<std::vector<std::int32_t>>(&choice.value());
  if (listed == nullptr) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(report.count));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  if (listed->empty())
    KeyReader::refuse(entries.front(), "\"all\", or a list of GPUs, e.g. [0, 1]");
  for (const std::int32_t device : *listed) {
    if (const auto obstacle = obstacle_to_device(device, report.count)) {
      throw input_error(errors::devices_unusable, setting.place, obstacle->why, obstacle->remedy);
    }
  }
  return *listed;
}

}  // namespace tidewise
