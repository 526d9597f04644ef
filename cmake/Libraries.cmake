# The libraries that Tidewise stands on; docs/dependencies.md says why each is here.

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)

find_package(HDF5 REQUIRED COMPONENTS C HL)
add_library(tidewise_hdf5 INTERFACE)
target_include_directories(tidewise_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS} ${HDF5_HL_INCLUDE_DIRS})
target_link_libraries(tidewise_hdf5 INTERFACE ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})

find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)

# Highway's library chooses among processors at run time. With its headers alone there is one to
# choose from: the least processor.
find_path(HIGHWAY_INCLUDE_DIR hwy/highway.h REQUIRED)
find_library(HIGHWAY_LIBRARY hwy)
add_library(tidewise_highway INTERFACE)
target_include_directories(tidewise_highway SYSTEM INTERFACE ${HIGHWAY_INCLUDE_DIR})
if(HIGHWAY_LIBRARY)
  target_link_libraries(tidewise_highway INTERFACE ${HIGHWAY_LIBRARY})
else()
  target_compile_definitions(tidewise_highway INTERFACE HWY_COMPILE_ONLY_STATIC)
endif()

# Several processes are joined by MPI, through its C interface alone.
if(TIDEWISE_MPI STREQUAL "AUTO")
  find_package(MPI QUIET COMPONENTS C)
elseif(TIDEWISE_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
endif()
if(TIDEWISE_MPI AND MPI_C_FOUND)
  set(TIDEWISE_HAS_MPI ON)
else()
  set(TIDEWISE_HAS_MPI OFF)
endif()

# Models in XML are read by expat.
if(TIDEWISE_XML STREQUAL "AUTO")
  find_package(EXPAT QUIET)
elseif(TIDEWISE_XML)
  find_package(EXPAT REQUIRED)
endif()
if(TIDEWISE_XML AND EXPAT_FOUND)
  set(TIDEWISE_HAS_XML ON)
else()
  set(TIDEWISE_HAS_XML OFF)
endif()

if(TIDEWISE_IMPORT OR TIDEWISE_GYRE)
  find_package(Eigen3 REQUIRED NO_MODULE)
  find_package(PkgConfig REQUIRED)
endif()
if(TIDEWISE_GYRE)
  pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
endif()
if(TIDEWISE_IMPORT)
  find_package(PROJ REQUIRED)
  pkg_check_modules(NETCDF REQUIRED IMPORTED_TARGET netcdf)
endif()

# NCCL is a library of its own, beside the CUDA toolkit or within it.
set(TIDEWISE_HAS_NCCL OFF)
if(TIDEWISE_CUDA AND TIDEWISE_NCCL)
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(TIDEWISE_HAS_NCCL ON)
    add_library(tidewise_nccl INTERFACE)
    target_include_directories(tidewise_nccl SYSTEM INTERFACE ${NCCL_INCLUDE_DIR})
    target_link_libraries(tidewise_nccl INTERFACE ${NCCL_LIBRARY})
  elseif(NOT TIDEWISE_NCCL STREQUAL "AUTO")
    message(FATAL_ERROR "TIDEWISE_NCCL is ${TIDEWISE_NCCL} and there is no NCCL: install libnccl-dev, "
                        "name NCCL_INCLUDE_DIR and NCCL_LIBRARY, or set it to OFF")
  endif()
endif()
