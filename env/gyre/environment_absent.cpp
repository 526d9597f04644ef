#include "base/error.h"
#include "env/gyre/environment.h"

namespace tidewise::gyre {
namespace {

[[noreturn]] void refuse() {
  throw InputError(
      "env wind-driven-gyre: this build cannot make it (TIDEWISE_GYRE is OFF); build with "
      "-DTIDEWISE_GYRE=ON, which needs FFTW and Eigen");
}

}  // namespace

// The build without FFTW and Eigen.
std::string describe_restart(const std::filesystem::path&, const EnvironmentOptions&) { refuse(); }

EnvironmentReport make_environment(const std::filesystem::path&, const EnvironmentOptions&, Restart,
                                   Progress&) {
  refuse();
}

}  // namespace tidewise::gyre
