#include "base/error.h"
#include "bench/gyre/benchmark.h"

namespace tidewise {

// The build without FFTW and Eigen.
GyreBenchmarkReport benchmark_gyre(const GyreBenchmarkOptions&, Progress&) {
  throw InputError(
      "bench gyre: this build has no wind-driven gyre (TIDEWISE_GYRE is OFF); build with "
      "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen");
}

}  // namespace tidewise
