# LLVM 19 and clang 19, as the interface library heddle_llvm.
#
# An executable that has the property HEDDLE_STATIC gets them as part of itself, at fixed addresses: the shared
# libraries cost every run 16 ms for their relocations alone, and 40 MB of memory (docs/performance.md, "Start-up").
# The others get the shared libraries, with which linking takes no time. Of LLVM's own dependencies the code that is
# needed uses zlib and zstd only, which are there wherever libLLVM.so is, if perhaps without the packages for
# development. Where their archives are there, and that of xxhash, the executable needs no library but the C and C++ ones.
set(HEDDLE_LLVM_ROOT /usr/lib/llvm-19 CACHE PATH "Where LLVM 19 and clang 19 are installed")
option(HEDDLE_STATIC_LLVM "Make LLVM and clang part of the executable, which then starts faster" ON)

find_package(LLVM 19.1 REQUIRED CONFIG PATHS ${HEDDLE_LLVM_ROOT} NO_DEFAULT_PATH)
find_library(HEDDLE_CLANG_CPP clang-cpp PATHS ${HEDDLE_LLVM_ROOT}/lib NO_DEFAULT_PATH REQUIRED)
find_program(HEDDLE_CLANGXX clang++ PATHS ${HEDDLE_LLVM_ROOT}/bin NO_DEFAULT_PATH REQUIRED)

# Sets heddle_llvm_archives to what the linker must be given, or to nothing and `why` to what is missing.
function(heddle_find_llvm_archives)
  set(archives)
  foreach(library Tooling Frontend Driver Serialization CodeGen Parse Sema Analysis Edit AST ASTMatchers APINotes Lex
          Basic Support)
    set(archive ${HEDDLE_LLVM_ROOT}/lib/libclang${library}.a)
    if(NOT EXISTS ${archive})
      set(why "${archive} does not exist" PARENT_SCOPE)
      return()
    endif()
    list(APPEND archives ${archive})
  endforeach()
  execute_process(
    COMMAND ${HEDDLE_LLVM_ROOT}/bin/llvm-config --link-static --libfiles x86codegen x86asmparser passes coroutines
            instrumentation linker irreader bitwriter jitlink orctargetprocess coverage option frontenddriver
            frontendoffloading frontendopenmp frontendhlsl windowsdriver
    OUTPUT_VARIABLE llvm
    ERROR_VARIABLE error
    RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
  if(failed)
    set(why "llvm-config: ${failed} ${error}" PARENT_SCOPE)
    return()
  endif()
  separate_arguments(llvm)
  find_library(HEDDLE_ZLIB_LIBRARY NAMES libz.a z libz.so.1)
  find_library(HEDDLE_ZSTD_LIBRARY NAMES libzstd.a zstd libzstd.so.1)
  mark_as_advanced(HEDDLE_ZLIB_LIBRARY HEDDLE_ZSTD_LIBRARY)
  if(NOT HEDDLE_ZLIB_LIBRARY OR NOT HEDDLE_ZSTD_LIBRARY)
    set(why "zlib or zstd was not found" PARENT_SCOPE)
    return()
  endif()
  set(heddle_llvm_archives -Wl,--start-group ${archives} -Wl,--end-group ${llvm} ${HEDDLE_ZLIB_LIBRARY} ${HEDDLE_ZSTD_LIBRARY} -ldl -lm
      PARENT_SCOPE)
endfunction()

set(heddle_llvm_archives)
# In checking builds nobody cares how fast a run starts, but the sanitizers' run-time for what is a library.
if(HEDDLE_STATIC_LLVM AND NOT HEDDLE_SANITIZE AND NOT HEDDLE_INVARIANTS)
  heddle_find_llvm_archives()
  if(NOT heddle_llvm_archives)
    message(WARNING "LLVM cannot be made part of heddle: ${why}. It will be used as a shared library, which makes every "
                    "run slower to start. (Debian packages: llvm-19-dev, libclang-19-dev.)")
  endif()
endif()

set(heddle_static_link_options -no-pie -Wl,--gc-sections -Wl,--as-needed)
add_library(heddle_llvm INTERFACE)
target_include_directories(heddle_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
if(heddle_llvm_archives)
  set(static $<BOOL:$<TARGET_PROPERTY:HEDDLE_STATIC>>)
  target_link_libraries(heddle_llvm INTERFACE "$<${static}:${heddle_llvm_archives}>"
                                              "$<$<NOT:${static}>:LLVM;${HEDDLE_CLANG_CPP}>")
  target_link_options(heddle_llvm INTERFACE "$<${static}:${heddle_static_link_options}>")
else()
  target_link_libraries(heddle_llvm INTERFACE LLVM ${HEDDLE_CLANG_CPP})
endif()
target_link_directories(heddle_llvm INTERFACE ${HEDDLE_LLVM_ROOT}/lib)
