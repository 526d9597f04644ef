#pragma once

#include "model_builder/step/cell_kernels.h"

namespace tidewise {

extern const CellKernels portable_cell_kernels;
extern const CellKernels avx512_cell_kernels;  ///< defined on x86-64 only

}  // namespace tidewise
