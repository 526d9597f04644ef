#include "base/error.h"
#include "env/error/codes.h"
#include "env/gyre/environment.h"

namespace tidewise::gyre {
namespace {

[[noreturn]] void refuse() { throw input_error(errors::gyre_not_built); }

}  // namespace

// These definitions belong to builds without FFTW and Eigen.
std::string describe_restart(const std::filesystem::path&, const EnvironmentOptions&) { refuse(); }

EnvironmentReport make_environment(const std::filesystem::path&, const EnvironmentOptions&, Restart,
                                   Progress&) {
  refuse();
}

}  // namespace tidewise::gyre
