#include "app/batch/device_list.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/error.h"
#include "base/memory/gpu_obstacle.h"
#include "base/parse_number.h"

namespace tidewise {
namespace {

std::vector<std::int32_t> parse_numbers(const std::string& text) {
  std::vector<std::int32_t> numbers;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const auto number = parse_number<std::int32_t>(rest.substr(0, comma));
    const bool twice = std::find(numbers.begin(), numbers.end(), number) != numbers.end();
    if (!number || *number < 0 || twice) {
      throw InputError(fmt::format(
          "--devices {}: must be all, or numbers of GPUs, each once, with commas between them, "
          "e.g. 0,2",
          text));
    }
    numbers.push_back(*number);
    if (comma == std::string_view::npos) return numbers;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<std::int32_t> parse_device_list(const std::string& text) {
  std::vector<std::int32_t> devices;
  if (text != "all") devices = parse_numbers(text);
  const DeviceReport report = report_devices();
  if (const auto obstacle = obstacle_to_gpus(report)) {
    throw InputError(
        fmt::format("--devices {}: {}; {}, or leave it out", text, obstacle->why, obstacle->mend));
  }
  for (int device = 0; text == "all" && device < report.count; ++device) {
    devices.push_back(device);
  }
  for (const auto device : devices) {
    if (const auto obstacle = obstacle_to_device(device, report.count)) {
      throw InputError(fmt::format("--devices {}: {}; {}", text, obstacle->why, obstacle->mend));
    }
  }
  return devices;
}

}  // namespace tidewise
