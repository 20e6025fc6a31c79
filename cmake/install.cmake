# What `cmake --install`, `make install` and `make package` put where:
#
#   bin/heddle                     the executable, stripped
#   bin/heddle-mpi                 for runs on several machines, where MPI was found
#   lib/heddle/clang/include       clang's own headers, which it needs when it runs (src/native/clang_headers.h)
#   lib/cmake/Heddle, lib/pkgconfig, include/heddle      for build systems; share/heddle/models: the built-in models
#   share/man/man1, and completion for bash, zsh and fish: made by heddle itself from its option table
#   share/heddle/examples          what the tutorial and other pages use
#
# Nothing of this depends on where it is: the folder can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What is installed has the functions that a run needs next to each other, and is stripped; gdb finds the debug information by
# its name if it is installed, too (make install DEBUG=1).
set(shipped heddle)
if(heddle_llvm_archives)
  set(shipped heddle_shipped)
  heddle_executable(${shipped} EXCLUDE_FROM_ALL)
  include(cmake/layout.cmake)
  set(check check -j 1)
  set(examples ${CMAKE_CURRENT_SOURCE_DIR}/examples/check)
  heddle_layout(${shipped} LIKE heddle
    RUNS ${check} ${examples}/peterson.c --- ${check} ${examples}/chase_lev_deque.c --- ${check} --leaks
         ${examples}/treiber_stack.cpp --- ${check} ${examples}/bounded_buffer.cpp --- ${check} --model sc --no-precompiled
         ${examples}/bank_transfer.cpp)
endif()
set(heddle_installed ${CMAKE_CURRENT_BINARY_DIR}/installed/heddle)
add_custom_command(
  OUTPUT ${heddle_installed} ${heddle_installed}.debug
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/installed
  COMMAND ${CMAKE_OBJCOPY} --only-keep-debug $<TARGET_FILE:${shipped}> heddle.debug
  COMMAND ${CMAKE_OBJCOPY} --strip-unneeded --add-gnu-debuglink=heddle.debug $<TARGET_FILE:${shipped}> heddle
  WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/installed
  DEPENDS ${shipped}
  VERBATIM)

set(help ${CMAKE_CURRENT_BINARY_DIR}/installed/help)
add_custom_command(
  OUTPUT ${help}/heddle.bash ${help}/_heddle ${help}/heddle.fish
  COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/cmake/write_help.sh ${heddle_installed} ${help}
  DEPENDS ${heddle_installed} cmake/write_help.sh
  VERBATIM)
add_custom_target(heddle_installed DEPENDS ${heddle_installed} ${help}/heddle.bash)

install(PROGRAMS ${heddle_installed} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT heddle)
# Not part of the package, which would depend on MPI.
if(TARGET heddle-mpi)
  add_dependencies(heddle_installed heddle-mpi)
  install(TARGETS heddle-mpi DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT mpi)
endif()
install(FILES ${heddle_installed}.debug DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT debug)
install(DIRECTORY include/heddle DESTINATION include COMPONENT heddle)
install(DIRECTORY models/ DESTINATION share/heddle/models COMPONENT heddle)
install(DIRECTORY ${help}/man/ DESTINATION share/man/man1 COMPONENT heddle)
install(FILES ${help}/heddle.bash DESTINATION share/bash-completion/completions RENAME heddle COMPONENT heddle)
install(FILES ${help}/_heddle DESTINATION share/zsh/vendor-completions COMPONENT heddle)
install(FILES ${help}/heddle.fish DESTINATION share/fish/vendor_completions.d COMPONENT heddle)
install(FILES LICENSE CHANGELOG.md DESTINATION share/doc/heddle COMPONENT heddle)
install(DIRECTORY examples DESTINATION share/heddle COMPONENT heddle)
# Those for other processors are four fifths of the folder.
install(DIRECTORY ${HEDDLE_LLVM_ROOT}/lib/clang/${LLVM_VERSION_MAJOR}/include DESTINATION lib/heddle/clang COMPONENT heddle
        REGEX "/(arm_|altivec|hexagon|hvx_|opencl|vecintrin|lasx|lsx|riscv|sifive|msa|s390|htm|velintrin|wasm|amdgpu|hlsl|larch)" EXCLUDE
        REGEX "/(cuda_wrappers|openmp_wrappers|hlsl|llvm_libc_wrappers|llvm_offload_wrappers|ppc_wrappers|fuzzer|sanitizer|xray|profile|orc|zos_wrappers)$" EXCLUDE)

# find_package(Heddle) and pkg-config.
configure_package_config_file(cmake/HeddleConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/HeddleConfig.cmake
                              INSTALL_DESTINATION lib/cmake/Heddle NO_CHECK_REQUIRED_COMPONENTS_MACRO)
string(REGEX MATCH "^[0-9.]+" plain_version ${HEDDLE_VERSION})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/HeddleConfigVersion.cmake VERSION ${plain_version}
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/HeddleConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/HeddleConfigVersion.cmake
              cmake/HeddleTest.cmake DESTINATION lib/cmake/Heddle COMPONENT heddle)
configure_file(cmake/heddle.pc.in ${CMAKE_CURRENT_BINARY_DIR}/heddle.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heddle.pc DESTINATION lib/pkgconfig COMPONENT heddle)

# `make package`: heddle_VERSION_amd64.deb and heddle-VERSION-x86_64-linux.tar.gz. A program that is checked is compiled with the
# system's headers, which are therefore dependencies. The libraries that the executable needs are found by dpkg-shlibdeps.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/packages)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VERSION ${HEDDLE_VERSION})
set(CPACK_PACKAGE_CONTACT "The Heddle developers <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "model checker for concurrent C and C++ under weak memory")
set(CPACK_PACKAGE_FILE_NAME heddle-${HEDDLE_VERSION}-x86_64-linux)
# One component as if there were no others. By CPack's own way to choose components both packages have a folder at the top, or neither.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_CURRENT_BINARY_DIR};heddle;heddle;/")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6-dev, libstdc++-12-dev")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "Heddle explores every execution of a concurrent C or C++ program that a memory\nmodel allows, each exactly once. It either says that none goes wrong, or shows\none that does.")
include(CPack)
