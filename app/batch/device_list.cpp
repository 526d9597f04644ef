#include "app/batch/device_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "base/memory/gpu_obstacle.h"

namespace tidewise {
namespace {

std::vector<std::int32_t> parse_numbers(const std::string& text) {
  std::vector<std::int32_t> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (true) {
    std::int32_t number = 0;
    const auto [rest, error] = std::from_chars(at, end, number);
    const bool twice = std::find(numbers.begin(), numbers.end(), number) != numbers.end();
    if (error != std::errc() || number < 0 || twice || (rest != end && *rest != ',')) {
      throw InputError(fmt::format(
          "--devices {}: must be all, or numbers of GPUs, each once, with commas between them, "
          "e.g. 0,2",
          text));
    }
    numbers.push_back(number);
    if (rest == end) return numbers;
    at = rest + 1;
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
