# Tidewise::hdf5, for Tidewise's own build and for projects that link its installed libraries.
find_package(HDF5 REQUIRED COMPONENTS C HL)
if(NOT TARGET Tidewise::hdf5)
  add_library(Tidewise::hdf5 INTERFACE IMPORTED GLOBAL)
  target_include_directories(Tidewise::hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS} ${HDF5_HL_INCLUDE_DIRS})
  target_link_libraries(Tidewise::hdf5 INTERFACE ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES})
endif()
