#include "bench/mdp/literature.h"

#include "bench/mdp/worlds.h"

namespace tidewise {
namespace {

// Policy iteration as published in 2025: by one thread, by CUDA kernels and by cuSPARSE on an
// NVIDIA L4, compared in Table 5.5 of the thesis, and by cuSPARSE on an H100 [ms].
struct SlipTimes {
  const char* world;
  double serial, cuda, sparse, sparse_h100;
};
constexpr SlipTimes slip_times[] = {{"G1", 21002, 8469, 1729, 1950},
                                    {"G2", 94778, 46350, 6758, 6580},
                                    {"G3", 377828, 199024, 27527, 27242},
                                    {"G4", 62919, 33393, 888, 811},
                                    {"G5", 1268, 623, 50, 75},
                                    {"G6", 402002, 191833, 48737, 45591}};

}  // namespace

std::vector<LiteratureTime> literature_times(std::string_view world) {
  for (const SlipTimes& times : slip_times) {
    if (world != times.world) continue;
    return {{"serial", times.serial},
            {"CUDA on an L4", times.cuda},
            {"cuSPARSE on an L4 (that of Table 5.5)", times.sparse},
            {"cuSPARSE on an H100", times.sparse_h100}};
  }
  // Two cores, double precision, stop at max |ΔV| < 1e-4; the last in float.
  if (world == "wet-1024x4") {
    return {{"madupite, Richardson-10, two ranks", 3500},
            {"AI-Toolbox", 4000},
            {"MDPSolver", 5300},
            {"a plain sliced Jacobi in float, two cores", 500}};
  }
  // 1.12 ns per update of 3145710 entries, 100 times.
  if (world == finite_world) return {{"PRISM's sparse engine at 1.12 ns an update,", 352.3}};
  return {};
}

}  // namespace tidewise
