# heddle_layout(target LIKE executable RUNS arguments...)
#
# Lets the linker place the functions of `target` such that those which a run needs are next to each other
# (src/layout/main.cpp). For that `executable`, which has the same code, is run on samples, whose command lines are separated
# by "---". This happens once in a build folder and not whenever the code changes: hardly any of the functions in question
# are ours. To repeat it, delete layout.ld.
function(heddle_layout target)
  cmake_parse_arguments(LAYOUT "" "LIKE" "RUNS" ${ARGN})
  set(script ${CMAKE_CURRENT_BINARY_DIR}/layout.ld)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/layout)
  add_executable(heddle_layout EXCLUDE_FROM_ALL src/layout/main.cpp)
  add_custom_command(
    OUTPUT ${script}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E env XDG_CACHE_HOME=${folder}/cache $<TARGET_FILE:heddle_layout> ${script}
            $<TARGET_FILE:${LAYOUT_LIKE}> ${LAYOUT_RUNS}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    DEPENDS src/layout/main.cpp
    COMMENT "Finding the functions that a run needs"
    VERBATIM)
  add_custom_target(${target}_near_code DEPENDS ${script})
  add_dependencies(${target}_near_code heddle_layout ${LAYOUT_LIKE})
  add_dependencies(${target} ${target}_near_code)
  target_link_options(${target} PRIVATE -Wl,-T,${script})
  set_target_properties(${target} PROPERTIES LINK_DEPENDS ${script})
endfunction()
