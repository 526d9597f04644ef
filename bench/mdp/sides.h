#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mdp/process/options.h"

namespace tidewise {

/// slow: one thread takes seconds to a minute, so the side is measured less often.
enum class MdpPace { slow, fast };

/// One method with options to solve a world.
struct MdpSide {
  std::string name;
  mdp::SolveOptions options;
  MdpPace pace = MdpPace::fast;
};

/// Options that all sides share, and the selection of sides.
struct MdpSideChoice {
  std::vector<mdp::Method> methods;  ///< empty: all methods of the comparison
  BackendChoice also_on = BackendChoice::cpu;
  std::int32_t threads = 1;
  double tolerance = 1e-4;
  mdp::StoppingRule stop = mdp::StoppingRule::change;
};

/// The selected sides. Serial sides come first, starting with value iteration, with which the
/// others are compared. Host versions of Block and Result Divided Iteration are included only if
/// they are named.
std::vector<MdpSide> mdp_sides(const MdpSideChoice& choice);

/// Sides of backward induction over `steps` steps, first over rows by one thread. The choice's
/// methods are ignored: there is only one.
std::vector<MdpSide> backward_sides(const MdpSideChoice& choice, std::int64_t steps);

// Names of sides with claims.
extern const char* const serial_values_side;
extern const char* const stable_policy_side;  ///< the published policy iteration, serial
extern const char* const fused_device_side;
extern const char* const backward_device_side;
/// Name of the fused side on the host with this many threads.
std::string fused_host_side(std::int32_t threads);
/// Name of the backward side on the host with this many threads.
std::string backward_host_side(std::int32_t threads);

}  // namespace tidewise
