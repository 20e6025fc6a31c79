# heddle_add_test(name SOURCES file... [TARGETS target...] [TESTS test...] [MODEL model...] [UNROLL n]
#                 [OPTIONS option...] [DEFINITIONS name=value...] [TIMEOUT seconds] [EXPECT error])
#
# A test for ctest that checks a program with heddle, from its `main` on. It passes if the program is verified; with UNROLL also if it
# is bounded, as longer executions are then left out on purpose.
#
#   TARGETS       compile with the includes, the definitions and the C and C++ standard of these targets, and of what
#                 they link to. Their sources are not part of the program, unless SOURCES names them
#   TESTS         of a program with several HEDDLE_TESTs, which of them. Each becomes a test of ctest, name.test
#   MODEL         built-in models or .cat files; without it heddle's default. With several models each is
#                 a test of ctest, name.model
#   UNROLL        the bound for loops that do not end by themselves
#   OPTIONS       more options of `heddle check`, such as --leaks
#   DEFINITIONS   more definitions for the preprocessor
#   TIMEOUT       seconds; a run that takes longer has failed. 60 without it
#   EXPECT error  the test passes if heddle finds an error: for a known bug, or to test a test
#
# The tests have the label `heddle`: `ctest -L heddle` runs them alone.
function(heddle_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "UNROLL;TIMEOUT;EXPECT" "SOURCES;TARGETS;TESTS;MODEL;OPTIONS;DEFINITIONS")
  if(TEST_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_test(${name}): unknown words: ${TEST_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TEST_SOURCES)
    message(FATAL_ERROR "heddle_add_test(${name}): SOURCES is missing")
  endif()
  if(TEST_EXPECT AND NOT TEST_EXPECT STREQUAL "error")
    message(FATAL_ERROR "heddle_add_test(${name}): EXPECT can be `error` only")
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 60)
  endif()

  set(options ${TEST_OPTIONS} --progress off --time ${TEST_TIMEOUT})
  if(TEST_UNROLL)
    list(APPEND options --unroll ${TEST_UNROLL})
  elseif(NOT TEST_EXPECT)
    list(APPEND options --require verified)
  endif()

  set(flags)
  foreach(definition IN LISTS TEST_DEFINITIONS)
    list(APPEND flags -D${definition})
  endforeach()
  foreach(target IN LISTS TEST_TARGETS)
    set(includes $<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>)
    set(definitions $<TARGET_PROPERTY:${target},INTERFACE_COMPILE_DEFINITIONS>)
    get_target_property(type ${target} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      set(includes $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
      set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
      foreach(language CXX C)
        get_target_property(standard ${target} ${language}_STANDARD)
        if(standard)
          string(REPLACE CXX c++ letter ${language})
          string(REPLACE C c letter ${letter})
          list(APPEND flags -std=${letter}${standard})
        endif()
      endforeach()
    endif()
    # Items that are empty disappear when lists are expanded (COMMAND_EXPAND_LISTS).
    list(APPEND flags "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
                      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>")
  endforeach()

  if(NOT TEST_MODEL)
    set(TEST_MODEL default)
  endif()
  if(NOT TEST_TESTS)
    set(TEST_TESTS all)
  endif()
  list(LENGTH TEST_MODEL count)
  foreach(part IN LISTS TEST_TESTS)
    foreach(model IN LISTS TEST_MODEL)
      set(test ${name})
      set(choice)
      if(NOT part STREQUAL "all")
        string(APPEND test .${part})
        list(APPEND choice --arg ${part})
      endif()
      if(count GREATER 1)
        get_filename_component(stem ${model} NAME_WE)
        string(APPEND test .${stem})
      endif()
      if(NOT model STREQUAL "default")
        list(APPEND choice --model ${model})
      endif()
      add_test(NAME ${test} COMMAND Heddle::heddle check ${choice} ${options} ${TEST_SOURCES} -- ${flags}
               WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} COMMAND_EXPAND_LISTS)
      math(EXPR limit "${TEST_TIMEOUT} + 30")
      set_tests_properties(${test} PROPERTIES LABELS heddle TIMEOUT ${limit})
      if(TEST_EXPECT)
        # The verdict stands at the beginning of heddle's first line. A program that cannot be checked has none.
        set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "(^|\n)error  ")
      endif()
    endforeach()
  endforeach()
endfunction()
