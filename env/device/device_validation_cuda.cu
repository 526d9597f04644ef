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

}  // namespace

void validate_on_device(const LevelValidation& validate, const DeviceVerdict& verdict,
                        const DeviceStream& stream) {
  const std::size_t blocks = (validate.piece_count() + block_size - 1) / block_size;
  validate_level<<<static_cast<unsigned>(blocks), block_size, 0, native(stream)>>>(validate,
                                                                                   verdict);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise
