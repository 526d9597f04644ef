#include "bench/mdp/peers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>  // mkdtemp

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/parse_number.h"
#include "bench/mdp/timed_process.h"
#include "bench/mdp/worlds.h"
#include "bench/report.h"
#include "mdp/file/reader.h"
#include "mdp/file/solution.h"
#include "mdp/solve/solve_process.h"

namespace tidewise {
namespace {

namespace fs = std::filesystem;

// The exact values are known to this share of the tolerance.
constexpr double exact_share = 1e-3;

constexpr const char* known_peers[] = {"quantecon", "quantecon-100", "mdpsolver", "scipy"};

/// A folder that goes with this object.
class PeerFolder {
 public:
  PeerFolder() {
    std::error_code failure;
    std::string name = (fs::temp_directory_path(failure) / "tidewise-peers-XXXXXX").string();
    if (failure || ::mkdtemp(name.data()) == nullptr) {
      throw RunError("no temporary folder can be made; set TMPDIR to one that can be written");
    }
    path_ = name;
  }
  PeerFolder(const PeerFolder&) = delete;
  PeerFolder& operator=(const PeerFolder&) = delete;
  ~PeerFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Doubles of a file, (state); nothing where they are not so many.
std::vector<double> read_values(const fs::path& path, std::size_t count) {
  std::vector<double> values(count);
  std::ifstream file(path, std::ios::binary);
  const auto bytes = static_cast<std::streamsize>(count * sizeof(double));
  file.read(reinterpret_cast<char*>(values.data()), bytes);
  const bool whole = file.gcount() == bytes && file.peek() == std::ifstream::traits_type::eof();
  return whole ? values : std::vector<double>{};
}

/// The number just before some words of a text, or before its end.
std::optional<double> number_before(const std::string& text, const std::string& words) {
  const std::size_t end = text.find(words);
  if (end == std::string::npos || end == 0) return {};
  const std::size_t begin = text.find_last_of(" \n", end - 1) + 1;
  return parse_number<double>(std::string_view(text).substr(begin, end - begin));
}

/// All sides on one world's file.
class PeerRun {
 public:
  PeerRun(const PeerChoice& peers, PeerWorld& world, const std::vector<double>& exact)
      : peers_(peers),
        world_(world),
        exact_(exact),
        environment_{"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "NUMBA_NUM_THREADS=1",
                     "NUMBA_CACHE_DIR=" + (folder_.path() / "numba").string()} {
    world.figures.push_back({.name = "tidewise"});
    for (const std::string& name : peers.names) world.figures.push_back({.name = name});
  }

  fs::path model() const { return folder_.path() / "world.h5"; }

  void run(std::int32_t rounds, Progress& progress) {
    const auto sides = static_cast<std::int64_t>(world_.figures.size());
    progress.begin("solving " + world_.name, (rounds + 1) * sides, "processes");
    for (std::int32_t round = 0; round <= rounds; ++round) {
      for (std::size_t n = 0; n < world_.figures.size(); ++n) {
        PeerFigures& figures = world_.figures[n];
        if (figures.trouble.empty()) solve(n, round, figures);
        progress.advance_to(round * sides + static_cast<std::int64_t>(n) + 1);
      }
    }
    progress.end();
  }

 private:
  void solve(std::size_t n, std::int32_t round, PeerFigures& figures) {
    const bool is_own = n == 0;
    const fs::path values = folder_.path() / (is_own ? "values.h5" : "values");
    std::error_code ignored;
    fs::remove(values, ignored);
    const TimedProcess process = run_timed(is_own ? own_words(values) : words_of(figures, values),
                                           environment_, folder_.path(), peers_.most_seconds);
    if (process.timed_out) {
      figures.trouble = fmt::format("took more than {:g} s", peers_.most_seconds);
      return;
    }
    if (process.status != 0) {
      figures.trouble = process.error.empty() ? "ended with an error" : process.error;
      return;
    }
    figures.memory = std::max(figures.memory, process.memory);
    (round == 0 ? figures.first_seconds : figures.seconds.emplace_back()) = process.seconds;
    const auto alone = number_before(process.output, is_own ? " s in all" : "\n");
    if (round > 0 && alone) figures.solving.push_back(*alone);
    judge(is_own ? mdp::read_solution(values).solution.value : read_values(values, exact_.size()),
          figures);
  }

  void judge(const std::vector<double>& values, PeerFigures& figures) const {
    if (values.size() != exact_.size()) {
      figures.trouble = "left no values";
      return;
    }
    double error = 0;
    for (std::size_t s = 0; s < values.size(); ++s) {
      const double off = std::abs(values[s] - exact_[s]);
      error = off <= error ? error : off;  // NaN counts
    }
    figures.error = std::max(figures.error, error);
    if (!(error <= world_.tolerance + world_.exact_within)) {
      figures.trouble = fmt::format("is {:.2g} off, and {:g} was asked", error, world_.tolerance);
    }
  }

  std::vector<std::string> own_words(const fs::path& values) const {
    return {fs::read_symlink("/proc/self/exe").string(),
            "solve",
            model().string(),
            "--tolerance",
            fmt::format("{}", world_.tolerance),
            "--threads",
            "1",
            "--backend",
            "cpu",
            "--out",
            values.string(),
            "-q"};
  }
  std::vector<std::string> words_of(const PeerFigures& figures, const fs::path& values) const {
    return {peers_.python,
            peers_.script,
            figures.name,
            model().string(),
            fmt::format("{}", world_.discount),
            fmt::format("{}", world_.tolerance),
            values.string()};
  }

  const PeerChoice& peers_;
  PeerWorld& world_;
  const std::vector<double>& exact_;  // (state)
  PeerFolder folder_;
  std::vector<std::string> environment_;
};

std::string seconds_text(const std::vector<double>& seconds) {
  if (seconds.empty()) return "-";
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  return fmt::format("{:.3f} ({:.3f} … {:.3f})", median(seconds), *least, *most);
}

constexpr const char* peer_columns = "{:<16} {:>24} {:>9} {:>9} {:>9} {:>9} {:>12}{}\n";

}  // namespace

double PeerWorld::of_best_peer(std::size_t n) const {
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t other = 1; other < figures.size(); ++other) {
    const PeerFigures& peer = figures[other];
    if (peer.trouble.empty() && !peer.seconds.empty()) best = std::min(best, median(peer.seconds));
  }
  const bool is_there = std::isfinite(best) && !figures[n].seconds.empty();
  return is_there ? median(figures[n].seconds) / best : 0;
}

std::string PeerWorld::to_text() const {
  std::string text =
      fmt::format("\n{}: {} states, {} entries, discount {}; exact values known to {:.1e}\n", name,
                  states, entries, discount, exact_within);
  text += fmt::format(fmt::runtime(peer_columns), "", "CPU s (min … max)", "first", "alone", "MB",
                      "error", "of best peer", "");
  for (std::size_t n = 0; n < figures.size(); ++n) {
    const PeerFigures& side = figures[n];
    text +=
        fmt::format(fmt::runtime(peer_columns), side.name, seconds_text(side.seconds),
                    side.first_seconds > 0 ? fmt::format("{:.3f}", side.first_seconds) : "-",
                    side.solving.empty() ? "-" : fmt::format("{:.3f}", median(side.solving)),
                    fmt::format("{:.0f}", 1e-6 * static_cast<double>(side.memory)),
                    fmt::format("{:.1e}", side.error),
                    of_best_peer(n) > 0 ? fmt::format("{:.2f}", of_best_peer(n)) : "-",
                    side.trouble.empty() ? "" : fmt::format("  does not count: {}", side.trouble));
  }
  return text;
}

nlohmann::ordered_json PeerWorld::to_json() const {
  nlohmann::ordered_json json{{"name", name},           {"states", states},
                              {"entries", entries},     {"discount", discount},
                              {"tolerance", tolerance}, {"exact_within", exact_within}};
  for (std::size_t n = 0; n < figures.size(); ++n) {
    const PeerFigures& side = figures[n];
    json["figures"].push_back({{"name", side.name},
                               {"cpu_seconds", side.seconds},
                               {"first_cpu_seconds", side.first_seconds},
                               {"solve_seconds", side.solving},
                               {"error", side.error},
                               {"peak_memory_bytes", side.memory},
                               {"of_best_peer", of_best_peer(n)}});
    if (!side.trouble.empty()) json["figures"].back()["trouble"] = side.trouble;
  }
  return json;
}

void require_peers(const PeerChoice& peers) {
  for (const std::string& name : peers.names) {
    if (std::find(std::begin(known_peers), std::end(known_peers), name) != std::end(known_peers)) {
      continue;
    }
    throw InputError(
        fmt::format("--peers names {}; it may name {}", name, fmt::join(known_peers, ", ")));
  }
  if (!fs::exists(peers.script)) {
    throw InputError(fmt::format(
        "--peers: there is no script {}; start in the source tree, or name it by --peer-script",
        peers.script));
  }
  if (peers.python.find('/') != std::string::npos && !fs::exists(peers.python)) {
    throw InputError(fmt::format(
        "--python: there is no {}; make it by python3 -m venv, and install the peers there",
        peers.python));
  }
  if (!(peers.most_seconds > 0)) {
    throw InputError(fmt::format("--limit is {:g}; it must be above 0", peers.most_seconds));
  }
}

PeerWorld compare_with_peers(const std::string& name, const PeerChoice& peers, MdpSize size,
                             double tolerance, std::int32_t rounds, Progress& progress) {
  const mdp::DecisionProcess<double> process = make_mdp_world<double>(mdp_world(name), size, 1);
  if (!(process.discount < 1)) {
    throw InputError(
        fmt::format("--peers: {} has no discount, which the peers need; name others", name));
  }
  PeerWorld world;
  world.name = name;
  world.states = process.state_count;
  world.entries = process.entry_count();
  world.discount = process.discount;
  world.tolerance = tolerance;
  mdp::SolveOptions options;
  options.method = mdp::Method::automatic;
  options.tolerance = exact_share * tolerance;
  const mdp::ProcessSolution<double> exact = mdp::solve_process(process, options, progress);
  world.exact_within = exact.bounds.error();
  PeerRun run(peers, world, exact.value);
  mdp::write_process(run.model(), process, "", progress);
  run.run(rounds, progress);
  return world;
}

}  // namespace tidewise
