# Sets HEDDLE_VERSION to what `heddle --version` says, and compiles it into heddle_util (src/util/version.h).
#
# It comes from the last tag `vX.Y.Z`: X.Y.Z, or X.Y.Z+N.gCOMMIT if there are N commits since. Without git or without a tag it is the
# version of CMakeLists.txt. It is found out when CMake runs, not at every build, so that a commit does not link everything
# again; `cmake --fresh --preset release` asks once more. A package can say it itself: -DHEDDLE_VERSION=1.2.3.
if(NOT HEDDLE_VERSION)
  set(HEDDLE_VERSION ${PROJECT_VERSION})
  find_package(Git QUIET)
  if(GIT_FOUND)
    execute_process(
      COMMAND ${GIT_EXECUTABLE} describe --tags --match "v[0-9]*" --abbrev=7
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
      OUTPUT_VARIABLE described
      ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(described MATCHES "^v([0-9.]+)-([0-9]+)-(g[0-9a-f]+)$")
      set(HEDDLE_VERSION ${CMAKE_MATCH_1}+${CMAKE_MATCH_2}.${CMAKE_MATCH_3})
    elseif(described MATCHES "^v([0-9.]+)$")
      set(HEDDLE_VERSION ${CMAKE_MATCH_1})
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/version.cpp
     CONTENT "#include \"util/version.h\"\n\nconst char* heddle::util::version() { return \"@HEDDLE_VERSION@\"; }\n" @ONLY)
target_sources(heddle_util PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/version.cpp)
