# heddle_layout(target OBJECTS object-library LIBRARIES libraries... RUNS arguments...)
#
# Lets the linker place the functions of `target`, an executable of these objects and libraries with LLVM inside, such
# that those which a run needs are next to each other (src/layout/main.cpp). For that it is linked once before, and
# run on samples, whose command lines are separated by "---". This happens once in a build folder and not whenever the
# code changes: hardly any of the functions in question are ours. To repeat it, delete layout.ld.
function(heddle_layout target)
  cmake_parse_arguments(LAYOUT "" "OBJECTS" "LIBRARIES;RUNS" ${ARGN})
  set(script ${CMAKE_CURRENT_BINARY_DIR}/layout.ld)
  set(first ${CMAKE_CURRENT_BINARY_DIR}/layout/${target})
  set(files)
  foreach(library ${LAYOUT_LIBRARIES})
    list(APPEND files $<TARGET_FILE:${library}>)
  endforeach()
  add_executable(heddle_layout src/layout/main.cpp)
  add_custom_command(
    OUTPUT ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/layout
    COMMAND ${CMAKE_CXX_COMPILER} ${heddle_static_link_options} -o ${first} $<TARGET_OBJECTS:${LAYOUT_OBJECTS}>
            -Wl,--start-group ${files} -Wl,--end-group ${heddle_llvm_archives}
    COMMAND ${CMAKE_COMMAND} -E env XDG_CACHE_HOME=${CMAKE_CURRENT_BINARY_DIR}/layout/cache $<TARGET_FILE:heddle_layout>
            ${script} ${first} ${LAYOUT_RUNS}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${CMAKE_CURRENT_BINARY_DIR}/layout
    DEPENDS src/layout/main.cpp
    COMMENT "Finding the functions that a run needs"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target}_near_code DEPENDS ${script})
  add_dependencies(${target}_near_code heddle_layout ${LAYOUT_OBJECTS} ${LAYOUT_LIBRARIES})
  add_dependencies(${target} ${target}_near_code)
  target_link_options(${target} PRIVATE -Wl,-T,${script})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${script})
endfunction()
