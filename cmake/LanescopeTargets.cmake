# The functions with which the root CMakeLists.txt lists its targets. A folder that is missing or has no .cpp yet is no
# error: its library has headers only, its test does not exist.

# GCC 12 sees overflows where strings are moved (its bug 105651 and kin); headers that are precompiled no longer count as
# the system's for them.
set(LANESCOPE_WARNINGS -Wall -Wextra -Werror -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
set(LANESCOPE_EVERYWHERE fmt::fmt tl::expected nlohmann_json::nlohmann_json Threads::Threads)
set_property(GLOBAL PROPERTY LANESCOPE_LIBRARIES "")

# Standard headers are most of what a file of ours includes: they are parsed once for all targets that share options.
# lanescope_share_headers(lanescope_headers TARGET...) makes such a target use them.
function(lanescope_headers target header)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/generated/${target}.cpp" CONTENT "")
  add_library(${target} OBJECT "${PROJECT_BINARY_DIR}/generated/${target}.cpp")
  target_compile_options(${target} PRIVATE ${LANESCOPE_WARNINGS} ${ARGN})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE ${LANESCOPE_EVERYWHERE})
  target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/${header}")
endfunction()
function(lanescope_share_headers headers)
  foreach(target IN LISTS ARGN)
    target_precompile_headers(${target} REUSE_FROM ${headers})
  endforeach()
endfunction()

lanescope_headers(lanescope_headers precompiled.h)
# Compiling tests is most of a build, and what they call is optimised.
set(LANESCOPE_TEST_OPTIONS $<$<CONFIG:RelWithDebInfo>:-O1;-g0>)
if(LANESCOPE_TESTS)
  lanescope_headers(lanescope_test_headers precompiled_tests.h ${LANESCOPE_TEST_OPTIONS})
  target_link_libraries(lanescope_test_headers PRIVATE GTest::gtest)
endif()

# Turns "layout ptx" into "lanescope::layout lanescope::ptx"; a name that no library has is an error of CMake's own.
function(lanescope_qualify result)
  set(qualified "")
  foreach(name IN LISTS ARGN)
    list(APPEND qualified "lanescope::${name}")
  endforeach()
  set(${result} "${qualified}" PARENT_SCOPE)
endfunction()

# lanescope_library(NAME layout DIR kernels/layout [LINKS name...] [EXTERNAL target...] [WINDOW])
#
# The target lanescope_<NAME>, alias lanescope::<NAME>, of all *.cpp directly in DIR. WINDOW marks what exists only with
# LANESCOPE_GUI.
function(lanescope_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "WINDOW" "NAME;DIR" "LINKS;EXTERNAL")
  set(target lanescope_${arg_NAME})
  if(arg_WINDOW AND NOT LANESCOPE_GUI)
    add_library(${target} INTERFACE)
    add_library(lanescope::${arg_NAME} ALIAS ${target})
    return()
  endif()
  if(NOT arg_NAME STREQUAL base)
    list(APPEND arg_LINKS base)
  endif()
  lanescope_qualify(links ${arg_LINKS})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${arg_DIR}/*.cpp")
  if(sources)
    add_library(${target} STATIC ${sources})
    target_compile_options(${target} PRIVATE ${LANESCOPE_WARNINGS})
    lanescope_share_headers(lanescope_headers ${target})
    set(visibility PUBLIC)
  else()
    add_library(${target} INTERFACE)
    set(visibility INTERFACE)
  endif()
  add_library(lanescope::${arg_NAME} ALIAS ${target})
  target_include_directories(${target} ${visibility} "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} ${visibility} ${links} ${arg_EXTERNAL} ${LANESCOPE_EVERYWHERE})
  set_property(GLOBAL APPEND PROPERTY LANESCOPE_LIBRARIES ${arg_NAME})
endfunction()

# lanescope_program(NAME lanescope MAIN app/main.cpp LINKS name...)
#
# Its output lies at the top of the build folder.
function(lanescope_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;MAIN" "LINKS")
  file(GLOB main CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${arg_MAIN}")
  if(NOT main)
    return()
  endif()
  lanescope_qualify(links ${arg_LINKS})
  add_executable(${arg_NAME} ${main})
  target_compile_options(${arg_NAME} PRIVATE ${LANESCOPE_WARNINGS})
  lanescope_share_headers(lanescope_headers ${arg_NAME})
  target_compile_definitions(${arg_NAME} PRIVATE LANESCOPE_GUI=$<BOOL:${LANESCOPE_GUI}>)
  target_link_libraries(${arg_NAME} PRIVATE ${links})
  set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endfunction()

# lanescope_test(NAME layout_test DIR tests/kernels/layout LINKS name... [PROGRAM lanescope] [WINDOW])
#
# One GoogleTest executable of all *.cpp directly in DIR. Tests run in the repository root. Definitions they get:
# LANESCOPE_SOURCE_DIR, LANESCOPE_TEST_DATA_DIR (tests/data), with PROGRAM also LANESCOPE_PROGRAM, the path of the built
# program.
function(lanescope_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "WINDOW" "NAME;DIR;PROGRAM" "LINKS")
  if(NOT LANESCOPE_TESTS OR (arg_WINDOW AND NOT LANESCOPE_GUI))
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${arg_DIR}/*.cpp")
  if(NOT sources)
    return()
  endif()
  lanescope_qualify(links ${arg_LINKS})
  add_executable(${arg_NAME} ${sources})
  target_compile_options(${arg_NAME} PRIVATE ${LANESCOPE_WARNINGS} ${LANESCOPE_TEST_OPTIONS})
  lanescope_share_headers(lanescope_test_headers ${arg_NAME})
  target_compile_definitions(${arg_NAME} PRIVATE LANESCOPE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             LANESCOPE_TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/tests/data")
  target_link_libraries(${arg_NAME} PRIVATE ${links} lanescope::resources GTest::gtest GTest::gtest_main)
  if(arg_PROGRAM AND TARGET ${arg_PROGRAM})
    add_dependencies(${arg_NAME} ${arg_PROGRAM})
    target_compile_definitions(${arg_NAME} PRIVATE LANESCOPE_PROGRAM="$<TARGET_FILE:${arg_PROGRAM}>")
  endif()
  set_target_properties(${arg_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  gtest_discover_tests(${arg_NAME} DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                       TEST_PREFIX "${arg_NAME}." PROPERTIES TIMEOUT 300)
endfunction()

# lanescope_benchmarks(DIR bench)
#
# Every DIR/*.cpp is one Google Benchmark executable, <stem>_bench, which may use all libraries; gui*.cpp also the window.
function(lanescope_benchmarks)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "DIR" "")
  if(NOT LANESCOPE_BENCH)
    return()
  endif()
  get_property(libraries GLOBAL PROPERTY LANESCOPE_LIBRARIES)
  list(REMOVE_ITEM libraries gui paint_imgui)
  lanescope_qualify(links ${libraries})
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${arg_DIR}/*.cpp")
  foreach(source IN LISTS sources)
    get_filename_component(stem "${source}" NAME_WE)
    if(stem MATCHES "^gui" AND NOT LANESCOPE_GUI)
      continue()
    endif()
    string(REGEX REPLACE "_bench$" "" stem "${stem}")
    set(target ${stem}_bench)
    add_executable(${target} "${source}")
    target_compile_options(${target} PRIVATE ${LANESCOPE_WARNINGS})
    lanescope_share_headers(lanescope_headers ${target})
    target_link_libraries(${target} PRIVATE ${links} benchmark::benchmark benchmark::benchmark_main)
    if(stem MATCHES "^gui") # gui*.cpp measures the window
      target_link_libraries(${target} PRIVATE lanescope::gui)
    endif()
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
  endforeach()
endfunction()

if(LANESCOPE_TESTS)
  include(GoogleTest)
endif()
