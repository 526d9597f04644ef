// Writes what the fuzzers begin with, by the writers themselves: make_seeds FOLDER.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "mdp/file/reader.h"
#include "mdp/file/solution.h"
#include "mdp/process/row_writer.h"

namespace {
using namespace tidewise;
namespace fs = std::filesystem;

using Process = mdp::DecisionProcess<double>;

/// Three states; all that a process can hold but values of ends.
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

/// A chain there and back.
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

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

fs::path folder(const fs::path& root, const char* fuzzer) {
  fs::create_directories(root / fuzzer);
  return root / fuzzer;
}

void write_seeds(const fs::path& root, const Process& process, const std::string& name) {
  SilentProgress progress;
  mdp::write_process(folder(root, "json_process") / (name + ".json"), process, "", progress);
  mdp::write_process(folder(root, "listed_process") / (name + ".mdp"), process, "", progress);
  mdp::write_process(folder(root, "xml_process") / (name + ".xml"), process, "", progress);
  const fs::path scratch = folder(root, "scratch");
  mdp::write_process(scratch / "m.tra", process, "", progress);
  for (const char* target : {"", "init", "!end & init"}) {
    std::ofstream seed(folder(root, "prism_process") / (name + "_" + std::to_string(*target)));
    for (const char* part : {"m.tra", "m.srew", "m.trew", "m.lab"}) {
      seed << text_of(scratch / part) << '\f';
    }
    seed << target;
  }
  fs::remove_all(scratch);
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
  std::ofstream(folder(root, "hdf5_process") / "bytes") << std::string(64, '\1');
  return 0;
}
