#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mdp/process/options.h"

namespace tidewise {

/// What one thread does takes seconds to a minute, and is measured less often.
enum class MdpPace { slow, fast };

/// One way to solve a world.
struct MdpSide {
  std::string name;
  mdp::SolveOptions options;
  MdpPace pace = MdpPace::fast;
};

/// What all sides share, and which of them to take.
struct MdpSideChoice {
  std::vector<mdp::Method> methods;  ///< empty: all that the comparison is about
  BackendChoice also_on = BackendChoice::cpu;
  std::int32_t threads = 1;
  double tolerance = 1e-4;
  mdp::StoppingRule stop = mdp::StoppingRule::change;
};

/// Serial ones first, of these value iteration, which the others are compared with. Host versions
/// of Block and Result Divided Iteration are among them where they are named.
std::vector<MdpSide> mdp_sides(const MdpSideChoice& choice);

/// Ways of backward induction by `steps`, over rows by one thread first. The choice's methods do
/// not matter: there is one.
std::vector<MdpSide> backward_sides(const MdpSideChoice& choice, std::int64_t steps);

// Those that claims are about.
extern const char* const serial_values_side;
extern const char* const stable_policy_side;  ///< the published policy iteration, serial
extern const char* const fused_device_side;
extern const char* const backward_device_side;
std::string fused_host_side(std::int32_t threads);
std::string backward_host_side(std::int32_t threads);

}  // namespace tidewise
