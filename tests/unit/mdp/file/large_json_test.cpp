#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>

#include "base/memory/peak_memory.h"
#include "mdp/file/reader.h"
#include "mdp/text/text_output.h"
#include "support/temporary_folder.h"

namespace tidewise::mdp {
namespace {

/// Writes a slip world as JSON of about `bytes` bytes, with at most a line in memory.
void write_large_json(const std::filesystem::path& path, std::int64_t bytes) {
  constexpr std::int64_t actions = 4;
  constexpr std::int64_t bytes_per_state = actions * (2 * 9 + 4 * (2 * 8 + 4 + 3));
  const std::int64_t states = bytes / bytes_per_state;
  constexpr std::string_view probability[] = {"0.7", "0.1", "0.1", "0.1"};
  constexpr std::string_view reward[] = {"-1", "-1", "-20", "0"};
  TextOutput text(path);
  text.put("{{\"S\":{},\"A\":{},\"gamma\":0.9,\"format\":\"CSR\"", states, actions);
  for (const std::string_view name : {"P", "R"}) {
    const char* comma = "";
    text.put(",\"{}\":{{\"indptr\":[0", name);
    for (std::int64_t row = 1; row <= states * actions; ++row) text.put(",{}", 4 * row);
    text.put("],\"indices\":[");
    for (std::int64_t entry = 0; entry < states * actions * 4; ++entry) {
      text.put("{}{}", comma, (entry / 16 + entry % 4) % states);
      comma = ",";
    }
    text.put("],\"data\":[");
    comma = "";
    for (std::int64_t entry = 0; entry < states * actions * 4; ++entry) {
      text.put("{}{}", comma, (name == "P" ? probability : reward)[entry % 4]);
      comma = ",";
    }
    text.put("]}}");
  }
  text.put("}}");
  text.finish();
}

// TIDEWISE_LARGE_JSON_MB sets a larger size: docs/mdp/formats.md has figures.
TEST(LargeJson, TakesLittleMoreMemoryThanItsSize) {
  const char* requested = std::getenv("TIDEWISE_LARGE_JSON_MB");
  const std::int64_t megabytes = requested != nullptr ? std::atoll(requested) : 30;
  const test::TemporaryFolder folder;
  write_large_json(folder / "m.json", megabytes * 1'000'000);
  const auto bytes = static_cast<double>(std::filesystem::file_size(folder / "m.json"));
  const auto before = static_cast<double>(peak_memory_bytes());
  SilentProgress progress;
  const std::clock_t start = std::clock();  // CPU time of this process only
  const auto process = read_process<double>(folder / "m.json", {}, progress);
  const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  const double peak = static_cast<double>(peak_memory_bytes()) - before;
  fmt::print(
      "{:.0f} MB, {} entries: {:.2f} s of a core, {:.0f} MB/s, {:.0f} MB of memory ({:.2f} of the "
      "file's size)\n",
      bytes / 1e6, process.entry_count(), seconds, bytes / 1e6 / seconds, peak / 1e6, peak / bytes);
  EXPECT_GT(process.entry_count(), 0);
#ifndef __SANITIZE_ADDRESS__  // the sanitizer needs memory too
  EXPECT_LT(peak, 1.5 * bytes);
#endif
}

}  // namespace
}  // namespace tidewise::mdp
