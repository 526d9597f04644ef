#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "env/device/device_validation.h"

namespace tidewise {
namespace {

constexpr unsigned block_size = 256;  // threads

__global__ void validate_level(LevelValidation validate, DeviceVerdict verdict) {
  const std::size_t piece = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (piece >= validate.piece_count() || validate(piece)) return;
  *verdict.level = 1;
  *verdict.any = 1;
}

__global__ void join_profiles(JoinProfiles join) {
  const std::size_t cell = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (cell < join.cells()) join(cell);
}

unsigned blocks_for(std::size_t pieces) {
  return static_cast<unsigned>((pieces + block_size - 1) / block_size);
}

}  // namespace

void validate_on_device(const LevelValidation& validate, const DeviceVerdict& verdict,
                        const DeviceStream& stream) {
  validate_level<<<blocks_for(validate.piece_count()), block_size, 0, native(stream)>>>(validate,
                                                                                        verdict);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void join_on_device(const JoinProfiles& join, const DeviceStream& stream) {
  join_profiles<<<blocks_for(join.cells()), block_size, 0, native(stream)>>>(join);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise
