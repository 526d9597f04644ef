# Tidewise::nccl if NCCL is installed: as a separate library, or in the CUDA toolkit.
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib)
if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY AND NOT TARGET Tidewise::nccl)
  add_library(Tidewise::nccl INTERFACE IMPORTED GLOBAL)
  target_include_directories(Tidewise::nccl SYSTEM INTERFACE ${NCCL_INCLUDE_DIR})
  target_link_libraries(Tidewise::nccl INTERFACE ${NCCL_LIBRARY})
endif()
