#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/progress.h"
#include "bench/mdp/worlds.h"

namespace tidewise {

/// Other people's solvers, each by a process of its own beside this program's.
struct PeerChoice {
  std::vector<std::string> names;  ///< as the script knows them; empty: none
  std::string python = "python3";  ///< an interpreter that has them
  std::string script = "scripts/mdp_peers.py";
  double most_seconds = 300;  ///< by the clock, of a process
};

/// What one solver took for a world: CPU seconds, user and system, of whole processes by one thread
/// each, from reading the model to writing the values.
struct PeerFigures {
  std::string name;
  std::string trouble = {};          ///< why it does not count; figures may still be there
  std::vector<double> seconds = {};  ///< (round)
  double first_seconds = 0;          ///< of the round before, in which Python compiles
  std::vector<double> solving = {};  ///< of the solve alone, as it says itself, (round), or empty
  double error = 0;                  ///< the greatest of its values beside the exact ones
  std::int64_t memory = 0;           ///< [B] the most that the process held
};

/// All of them on one world; this program's first.
struct PeerWorld {
  std::string name;
  std::int64_t states = 0;
  std::int64_t entries = 0;
  double discount = 1;
  double tolerance = 0;
  double exact_within = 0;  ///< what the exact values are known to
  std::vector<PeerFigures> figures;

  /// The median of figures[n] over the least of those of peers that count; 0 where there is none.
  double of_best_peer(std::size_t n) const;
  std::string to_text() const;
  nlohmann::ordered_json to_json() const;
};

/// Refuses peers that the script does not know, an interpreter or a script that is not there, and a
/// limit that is none: InputError.
void require_peers(const PeerChoice& peers);

/// Writes the world (as mdp_world() knows it, in double precision) to a file, finds its exact
/// values, and has every side solve it from there, round by round, one process at a time; a round
/// before them does not count. A side that fails, takes too long or is further off than `tolerance`
/// says so. Errors: InputError for a world that there is not, or has no discount; RunError where no
/// process can be started.
PeerWorld compare_with_peers(const std::string& world, const PeerChoice& peers, MdpSize size,
                             double tolerance, std::int32_t rounds, Progress& progress);

}  // namespace tidewise
