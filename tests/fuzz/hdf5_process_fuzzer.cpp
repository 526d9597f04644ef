#include <fuzzer/FuzzedDataProvider.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "mdp/file/hdf5.h"
#include "tests/fuzz/fuzz_process.h"

// HDF5's library does not support damaged containers. Here the container is valid, and its
// contents, which our reader must validate, are arbitrary.
namespace tidewise::fuzz {
namespace {

struct Contents {
  std::vector<std::pair<std::string, double>> attributes{{"tidewise_mdp", 1},
                                                         {"state_count", 3},
                                                         {"action_count", 2},
                                                         {"initial_state", 1},
                                                         {"discount", .9}};
  // Each is stored as integers or as floating point, which the reader converts.
  std::vector<std::pair<std::string, std::vector<double>>> variables{
      {"row_begin", {0, 2, 3, 4, 6, 7, 8}},
      {"successor", {0, 1, 1, 2, 0, 2, 2, 1}},
      {"probability", {.5, .5, 1, 1, .3, .7, 1, 1}},
      {"entry_reward", {0, 1, 0, 2, 0, 0, 0, 3}},
      {"reward", {.5, 0, 2, 0, 0, 3}},
      {"initial_value", {0, 0, 1}},
      {"label_begin", {0, 1, 3}},
      {"label_state", {2, 0, 1}}};
  std::size_t labels = 2;
};

double number_of(FuzzedDataProvider& input) {
  switch (input.ConsumeIntegralInRange(0, 3)) {
    case 0:
      return input.ConsumeIntegralInRange(-2, 9);
    case 1:
      return input.ConsumeIntegralInRange(0, 20) / 10.0;
    case 2:
      return static_cast<double>(input.ConsumeIntegral<std::int64_t>());
    default:
      return input.ConsumeFloatingPoint<double>();
  }
}

void change(Contents& contents, FuzzedDataProvider& input) {
  constexpr std::size_t max_length = 64;
  const auto pick = [&](std::size_t size) {
    return input.ConsumeIntegralInRange<std::size_t>(0, size - 1);
  };
  auto& values = contents.variables[pick(contents.variables.size())].second;
  switch (input.ConsumeIntegralInRange(0, 4)) {
    case 0:
      contents.attributes[pick(contents.attributes.size())].second = number_of(input);
      break;
    case 1:
      values.resize(pick(max_length));
      break;
    case 2:
      contents.labels = pick(max_length);
      break;
    default:
      if (!values.empty()) values[pick(values.size())] = number_of(input);
  }
}

void write(const std::filesystem::path& path, const Contents& contents, FuzzedDataProvider& input) {
  Hdf5File file = Hdf5File::create(path);
  for (const auto& [name, value] : contents.attributes) file.set_attribute("/", name, value);
  for (const auto& [name, values] : contents.variables) {
    if (values.empty()) continue;
    // Without dimension scales, which the reader ignores and which take most of the time.
    file.define_growing(name, input.ConsumeBool() ? NumberType::int64 : NumberType::float64, 64);
    file.append(name, values.data(), values.size());
  }
  if (contents.labels > 0) {
    file.define_dimension("label", contents.labels);
    file.write_texts("label_name", "label", std::vector<std::string>(contents.labels, "label"));
  }
  file.close();
}

}  // namespace
}  // namespace tidewise::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tidewise;
  // The file is in memory if the system has a folder for that.
  static const std::filesystem::path folder = std::filesystem::exists("/dev/shm")
                                                  ? std::filesystem::path("/dev/shm")
                                                  : std::filesystem::temp_directory_path();
  static const std::filesystem::path path =
      folder / ("hdf5_process_fuzzer_" + std::to_string(getpid()));
  FuzzedDataProvider input(data, size);
  fuzz::Contents contents;
  for (int n = input.ConsumeIntegralInRange(0, 8); n > 0; --n) fuzz::change(contents, input);
  fuzz::write(path, contents, input);
  const int result = fuzz::require_process_or_refusal([&] {
    SilentProgress progress;
    return tidewise::mdp::read_hdf5_process<double>(path, {}, progress);
  });
  std::filesystem::remove(path);
  return result;
}
