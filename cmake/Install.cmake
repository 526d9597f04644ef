# Files of 'cmake --install': the program with its manual page and completions (component 'program'),
# and the libraries Tidewise::planner and Tidewise::mdp, which find_package(Tidewise) finds
# ('development').
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Tidewise)

set(installed_layers base mdp env model_builder solver learning output planner)
foreach(layer IN LISTS installed_layers)
  set_target_properties(tidewise_${layer} PROPERTIES EXPORT_NAME ${layer})
  install(TARGETS tidewise_${layer} EXPORT TidewiseTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
foreach(layer IN ITEMS mdp planner)
  target_compile_features(tidewise_${layer} PUBLIC cxx_std_20)
endforeach()
install(EXPORT TidewiseTargets NAMESPACE Tidewise:: DESTINATION ${package_folder} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TidewiseConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TidewiseConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TidewiseConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TidewiseConfig.cmake ${CMAKE_BINARY_DIR}/TidewiseConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/TidewiseHdf5.cmake ${CMAKE_CURRENT_LIST_DIR}/TidewiseHighway.cmake
              ${CMAKE_CURRENT_LIST_DIR}/TidewiseNccl.cmake
        DESTINATION ${package_folder} COMPONENT development)
# Libraries that pkg-config prints, for C programs that are built without CMake.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
           OUTPUT_VARIABLE up_to_prefix)
set(mdp_libraries ${HDF5_C_HL_LIBRARIES} ${HDF5_C_LIBRARIES} ${ZLIB_LIBRARIES})
if(TIDEWISE_HAS_XML)
  list(APPEND mdp_libraries ${EXPAT_LIBRARIES})
endif()
if(TIDEWISE_HAS_MPI)
  list(APPEND mdp_libraries ${MPI_C_LIBRARIES})
endif()
if(HIGHWAY_LIBRARY)
  list(APPEND mdp_libraries ${HIGHWAY_LIBRARY})
endif()
if(TARGET CUDA::cusparse)
  list(APPEND mdp_libraries $<TARGET_FILE:CUDA::cusparse>)
endif()
if(TIDEWISE_CUDA)
  list(APPEND mdp_libraries $<TARGET_FILE:CUDA::cudart_static> -ldl -lrt)
endif()
list(JOIN mdp_libraries " " mdp_libraries)
configure_file(${CMAKE_CURRENT_LIST_DIR}/tidewise-mdp.pc.in ${CMAKE_BINARY_DIR}/tidewise-mdp.pc.in @ONLY)
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/tidewise-mdp.pc INPUT ${CMAKE_BINARY_DIR}/tidewise-mdp.pc.in)
install(FILES ${CMAKE_BINARY_DIR}/tidewise-mdp.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT development)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/tidewise DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)
install(FILES ${CMAKE_SOURCE_DIR}/include/tidewise_policy.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

install(TARGETS tidewise RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
# The manual page and completions are made from the program's help, so that they agree with it. A program that
# is cross-compiled cannot run here.
if(NOT CMAKE_CROSSCOMPILING)
  set(command_files ${CMAKE_BINARY_DIR}/command_files)
  add_custom_command(
    OUTPUT ${command_files}/tidewise.1 ${command_files}/tidewise.bash ${command_files}/_tidewise
    COMMAND ${CMAKE_SOURCE_DIR}/scripts/write_command_files.sh $<TARGET_FILE:tidewise> ${command_files}
    DEPENDS tidewise ${CMAKE_SOURCE_DIR}/scripts/write_command_files.sh
    COMMENT "Manual page and completions, from the program's help" VERBATIM)
  add_custom_target(tidewise_command_files ALL DEPENDS ${command_files}/tidewise.1)
  install(FILES ${command_files}/tidewise.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
          COMPONENT program)
  install(FILES ${command_files}/tidewise.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tidewise
          COMPONENT program)
  install(FILES ${command_files}/_tidewise DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          COMPONENT program)
endif()
