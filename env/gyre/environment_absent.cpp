#include "base/error.h"
#include "env/gyre/environment.h"

namespace tidewise::gyre {
namespace {

[[noreturn]] void refuse_gyre() {
  throw InputError(
      "env wind-driven-gyre: this build cannot make it (TIDEWISE_GYRE is OFF); build with "
      "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen");
}

}  // namespace

// The build without FFTW and Eigen.
std::string describe_gyre_restart(const std::filesystem::path&, const GyreEnvironmentOptions&) {
  refuse_gyre();
}

GyreEnvironmentReport make_gyre_environment(const std::filesystem::path&,
                                            const GyreEnvironmentOptions&, GyreRestart, Progress&) {
  refuse_gyre();
}

}  // namespace tidewise::gyre
