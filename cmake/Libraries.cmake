# The libraries that Tidewise uses; docs/reference/dependencies.md has the purpose of each.

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)

include(TidewiseHdf5)

find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)

include(TidewiseHighway)

# MPI for several processes, only through its C interface.
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

# Dense algebra of forecasts and gyres, and sparse solves of decision processes.
find_path(EIGEN3_INCLUDE_DIR Eigen/SparseLU PATH_SUFFIXES eigen3 REQUIRED)
add_library(Eigen3::Eigen INTERFACE IMPORTED)
target_include_directories(Eigen3::Eigen INTERFACE ${EIGEN3_INCLUDE_DIR})
if(TIDEWISE_LEARNING)
  set(TIDEWISE_HAS_LEARNING ON)
else()
  set(TIDEWISE_HAS_LEARNING OFF)
endif()
if(TIDEWISE_IMPORT OR TIDEWISE_GYRE)
  find_package(PkgConfig REQUIRED)
endif()
if(TIDEWISE_GYRE)
  pkg_check_modules(FFTW REQUIRED IMPORTED_TARGET fftw3)
endif()
if(TIDEWISE_IMPORT)
  find_package(PROJ REQUIRED)
  pkg_check_modules(NETCDF REQUIRED IMPORTED_TARGET netcdf)
endif()

set(TIDEWISE_HAS_NCCL OFF)
if(TIDEWISE_CUDA AND TIDEWISE_NCCL)
  include(TidewiseNccl)
  if(TARGET Tidewise::nccl)
    set(TIDEWISE_HAS_NCCL ON)
  elseif(NOT TIDEWISE_NCCL STREQUAL "AUTO")
    message(FATAL_ERROR "TIDEWISE_NCCL is ${TIDEWISE_NCCL} and there is no NCCL: install libnccl-dev, "
                        "name NCCL_INCLUDE_DIR and NCCL_LIBRARY, or set it to OFF")
  endif()
endif()
