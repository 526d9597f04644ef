#include "base/error.h"
#include "bench/error/codes.h"
#include "bench/gyre/benchmark.h"

namespace tidewise {

// For builds without FFTW and Eigen.
GyreBenchmarkReport benchmark_gyre(const GyreBenchmarkOptions&, Progress&) {
  throw input_error(errors::bench_gyre_not_built);
}

}  // namespace tidewise
