# Settings of every target: language level, warnings, build type, compiler cache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, RelWithDebInfo or Release" FORCE)
endif()
# Line tables only: stack traces stay readable, and objects are a fraction of the size of full debug information.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

# Files of a target are compiled several at a time: headers and templates, most of the work, are then done once. Names in
# anonymous namespaces of one room (lanescope_room) must differ. Off, one file is compiled alone: better where single files are
# edited.
option(CMAKE_UNITY_BUILD "Compile the files of a target together" ON)

option(LANESCOPE_GUI "Build the explorer's window (needs Dear ImGui, GLFW and OpenGL)" ON)
option(LANESCOPE_SYSTEM_IMGUI "Use an installed libimgui >= 1.90 instead of the pinned one" OFF)
option(LANESCOPE_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(LANESCOPE_FUZZ "Build the targets of libFuzzer, with sanitizers (needs Clang)" OFF)

add_compile_options(-fdiagnostics-color=auto)
# GCC looks for memory that it can use again from 128 MB on, as often as that doubles. Our files, compiled together, need
# 600 to 1,200 MB, and GCC a tenth less time where it begins to look at 512 MB.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options("SHELL:--param ggc-min-heapsize=524288")
endif()
# A fused multiply-add where the source has none would make emulated results differ from the hardware's.
add_compile_options(-ffp-contract=off)
if(LANESCOPE_SANITIZE)
  # GCC 12 warns of std::regex there, where nothing is wrong.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  add_link_options(-fsanitize=address,undefined)
endif()
if(LANESCOPE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
    message(FATAL_ERROR "LANESCOPE_FUZZ needs Clang with its run-time libraries; configure with -DCMAKE_CXX_COMPILER=clang++.")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=fuzzer-no-link,address,undefined)
endif()

# About a hundred programs are linked, most of them tests.
find_program(LANESCOPE_MOLD mold)
if(LANESCOPE_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT LANESCOPE_SANITIZE)
  # mold 1.10 begins the part that is read-only after relocation with .tbss, up to a page too early; a program whose .text ends
  # near a page's end then does not start ("cannot apply additional memory protection after relocation").
  add_link_options(-fuse-ld=mold $<$<NOT:$<BOOL:${LANESCOPE_PACKAGE}>>:-Wl,-z,norelro>)
endif()

find_program(LANESCOPE_CCACHE ccache)
if(LANESCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Build folders side by side share cached objects: sources are named by absolute path, so the working folder does
  # not matter. The sloppiness is what ccache requests where headers are precompiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_NOHASHDIR=1;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;${LANESCOPE_CCACHE}")
  add_compile_options(-fpch-preprocess)
endif()
