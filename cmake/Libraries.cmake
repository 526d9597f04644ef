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

if(TIDEWISE_IMPORT)
  find_package(Eigen3 REQUIRED NO_MODULE)
  find_package(PROJ REQUIRED)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(NETCDF REQUIRED IMPORTED_TARGET netcdf)
endif()
