#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "env/device/device_validation.h"

namespace tidewise {
namespace {

constexpr unsigned block_size = 256;  // threads

/// Validates `count` pieces of a level, one per thread.
template <class Validation>
__global__ void validate_level(Validation validate, std::size_t count, ValidationFlags flags) {
  const std::size_t piece = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (piece >= count || validate(piece)) return;
  *flags.level = 1;
  *flags.any = 1;
}

unsigned blocks_for(std::size_t pieces) {
  return static_cast<unsigned>((pieces + block_size - 1) / block_size);
}

}  // namespace

void validate_on_device(const LevelValidation& validate, const ValidationFlags& flags,
                        const DeviceStream& stream) {
  const std::size_t count = validate.piece_count();
  validate_level<<<blocks_for(count), block_size, 0, native(stream)>>>(validate, count, flags);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

void join_on_device(const JoinProfiles& join, const ValidationFlags& flags,
                    const DeviceStream& stream) {
  const std::size_t count = join.cells();
  validate_level<<<blocks_for(count), block_size, 0, native(stream)>>>(join, count, flags);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise
