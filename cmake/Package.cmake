# Packages that 'cpack' makes of a build: tidewise_VERSION_ARCH.deb and libtidewise-dev_VERSION_ARCH.deb, and a
# tarball of both (docs/start/install.md). scripts/check_package.sh installs them in a bare Debian.
set(CPACK_PACKAGE_NAME tidewise)
set(CPACK_PACKAGE_VENDOR "The Tidewise developers")
set(CPACK_PACKAGE_CONTACT "The Tidewise developers <maintainers@tidewise.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_OUTPUT_FILE_PREFIX ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGE_FILE_NAME tidewise-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)  # the Python module is distributed as a wheel

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
# One tarball of all components, and one .deb for each.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/PackageOptions.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tidewise)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"Plans missions of gliders, floats and surface vehicles through currents
that are stronger than they are and known only as an ensemble, flies the
plans through every realization, and solves any finite Markov decision
process. Needs an x86-64-v3 processor (AVX2) on amd64.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtidewise-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"Headers, static libraries and the CMake package of Tidewise, and the
header by which a vehicle reads a policy.")
# Dependencies that TidewiseConfig.cmake finds.
set(development_depends g++ cmake pkgconf libfmt-dev libhdf5-dev libhwy-dev zlib1g-dev)
if(TIDEWISE_HAS_MPI)
  list(APPEND development_depends libopenmpi-dev)
endif()
if(TIDEWISE_HAS_XML)
  list(APPEND development_depends libexpat1-dev)
endif()
if(TIDEWISE_IMPORT)
  list(APPEND development_depends libnetcdf-dev libproj-dev)
endif()
if(TIDEWISE_GYRE)
  list(APPEND development_depends libfftw3-dev)
endif()
list(JOIN development_depends ", " CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)

include(CPack)
