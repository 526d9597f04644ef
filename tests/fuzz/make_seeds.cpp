// Writes the first inputs of the fuzzers by the project's own writers. Usage: make_seeds FOLDER.
#include <bit>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "mdp/file/reader.h"
#include "mdp/file/solution.h"
#include "mdp/process/row_writer.h"
#include "output/board/bytes.h"

namespace {
using namespace tidewise;
namespace fs = std::filesystem;

using Process = mdp::DecisionProcess<double>;

/// Makes a process of three states with all optional parts except terminal values.
Process full_process() {
  mdp::RowWriter<double> writer(3, 2, true);
  const std::vector<std::vector<mdp::Transition>> rows = {
      {{0, .5, 0}, {1, .5, 1}}, {{1, 1, 0}}, {{2, 1, -2e-9}}, {}, {}, {}};
  for (auto row : rows) std::ignore = writer.add_row(row, row.empty() ? 0 : .25);
  Process process = writer.finish();
  process.discount = .9;
  process.initial_state = 1;
  process.state_names = {"harbour", "sea <&>", "ü"};
  process.action_names = {"wait", "sail"};
  process.labels = {{"init", {1}}, {"end", {2}}, {"dry", {}}};
  return process;
}

/// Makes a ring of states with moves in both directions.
Process long_process() {
  constexpr std::int32_t states = 20;
  mdp::RowWriter<double> writer(states, 2, false);
  for (std::int32_t s = 0; s < states; ++s) {
    std::vector<mdp::Transition> up{{(s + 1) % states, .9, 0}, {s, .1, 0}};
    std::vector<mdp::Transition> down{{(s + states - 1) % states, 1, 0}};
    std::ignore = writer.add_row(up, s);
    std::ignore = writer.add_row(down, -1);
  }
  return writer.finish();
}

fs::path folder(const fs::path& root, const char* fuzzer) {
  fs::create_directories(root / fuzzer);
  return root / fuzzer;
}

void write_seeds(const fs::path& root, const Process& process, const std::string& name) {
  SilentProgress progress;
  mdp::write_process(folder(root, "json_process") / (name + ".json"), process, "", progress);
  mdp::write_process(folder(root, "xml_process") / (name + ".xml"), process, "", progress);
}

/// Writes a policy on board of 2 levels of 3 by 4 cells, with values and four nodes. The fuzzer
/// corrects the checksums.
void write_board_policy_seed(const fs::path& path) {
  std::vector<std::uint8_t> bytes;
  for (const char letter : std::string_view("TWPOLICY")) bytes.push_back(std::uint8_t(letter));
  for (const std::uint32_t n : {1u, 15u, 2u, 3u, 4u, 2u, 128u, 152u, 280u, 1u}) append(bytes, n);
  for (const double n : {10.0, 2.0, -10.0, 4.0, 1e9, 50.0}) append(bytes, n);
  bytes.resize(112, 7);
  for (const std::uint32_t n : {1u, 352u, 0u, 0u}) append(bytes, n);
  for (int n = 0; n < 2; ++n) {
    for (const float f : {1.5F, 0.25F, 0.0F}) append(bytes, std::bit_cast<std::uint32_t>(f));
  }
  for (const std::uint32_t n : {3u, 3u, 4u, 0u, 0u, 0u, 304u, 248u}) append(bytes, n);
  append(bytes, 2.0);
  for (const std::uint32_t n : {3u, 2u, 2u, 0u}) append(bytes, n);
  for (const double n : {-125.0, 0.8, 0.6, 0.0, 0.0}) append(bytes, n);
  for (const float f : {-.1F, -.1F, .1F, -.1F, -.1F, .1F, .1F, .1F}) {
    append(bytes, std::bit_cast<std::uint32_t>(f));
  }
  for (int cell = 0; cell < 24; ++cell)
    bytes.push_back(std::uint8_t(cell % 5 < 2 ? cell % 5 : 250 + cell % 5));
  for (int cell = 0; cell < 24; ++cell) append(bytes, static_cast<std::uint16_t>(0x4900 + cell));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  const fs::path root = words[1];
  write_seeds(root, full_process(), "full");
  write_seeds(root, long_process(), "long");
  mdp::ProcessSolution<double> solution;
  solution.value = {1.0 / 3, -2e9, 0};
  solution.action = {0, 12, -1};
  mdp::write_solution(folder(root, "solution_text") / "three.txt", solution, {});
  write_board_policy_seed(folder(root, "board_policy") / "small.twp");
  std::ofstream(folder(root, "hdf5_process") / "bytes") << std::string(64, '\1');
  return 0;
}
