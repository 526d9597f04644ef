#include "base/memory/cuda_check.h"
#include "base/memory/native_stream.h"
#include "env/device/device_validation.h"

namespace tidewise {
namespace {

constexpr unsigned block_size = 256;  // threads

__global__ void judge_level(LevelJudge judge, DeviceVerdict verdict) {
  const std::size_t piece = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (piece >= judge.piece_count() || judge(piece)) return;
  *verdict.level = 1;
  *verdict.any = 1;
}

}  // namespace

void judge_on_device(const LevelJudge& judge, const DeviceVerdict& verdict,
                     const DeviceStream& stream) {
  const std::size_t blocks = (judge.piece_count() + block_size - 1) / block_size;
  judge_level<<<static_cast<unsigned>(blocks), block_size, 0, native(stream)>>>(judge, verdict);
  TIDEWISE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace tidewise
