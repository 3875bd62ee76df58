# Dear ImGui with its GLFW, OpenGL 3 and FreeType backends, as lanescope::imgui.
#
# The pinned source is compiled with its test hooks (IMGUI_ENABLE_TEST_ENGINE): each program that links it defines
# ImGuiTestEngineHook_ItemAdd, _ItemInfo, _Log and ImGuiTestEngine_FindItemDebugLabel. A system library has no hooks;
# then IMGUI_ENABLE_TEST_ENGINE is not defined and tests that look for items are skipped.

if(LANESCOPE_SYSTEM_IMGUI)
  find_package(PkgConfig REQUIRED) # package pkg-config, needed for this option only
  pkg_check_modules(LANESCOPE_IMGUI IMPORTED_TARGET "imgui >= 1.90")
  if(NOT LANESCOPE_IMGUI_FOUND)
    message(FATAL_ERROR "LANESCOPE_SYSTEM_IMGUI is on and no libimgui >= 1.90 is installed; install libimgui-dev 1.90 or newer, or leave the option off.")
  endif()
  message(WARNING "Using the installed Dear ImGui ${LANESCOPE_IMGUI_VERSION}: it has no test hooks, so item tests of the window will be SKIPPED.")
  add_library(lanescope_imgui INTERFACE)
  add_library(lanescope::imgui ALIAS lanescope_imgui)
  target_link_libraries(lanescope_imgui INTERFACE PkgConfig::LANESCOPE_IMGUI Freetype::Freetype glfw ${CMAKE_DL_LIBS})
  # Packagers put the backends' headers next to imgui.h or in a folder of their own.
  foreach(dir IN LISTS LANESCOPE_IMGUI_INCLUDE_DIRS)
    if(EXISTS "${dir}/backends")
      target_include_directories(lanescope_imgui SYSTEM INTERFACE "${dir}/backends")
    endif()
  endforeach()
  return()
endif()

set(LANESCOPE_CACHE_DIR "$ENV{LANESCOPE_CACHE_DIR}" CACHE PATH "Folder for fetched sources, shared by all build folders; .cache in the source tree when empty")
if(LANESCOPE_CACHE_DIR)
  set(cache "${LANESCOPE_CACHE_DIR}")
else()
  set(cache "${PROJECT_SOURCE_DIR}/.cache")
endif()

execute_process(COMMAND "${PROJECT_SOURCE_DIR}/scripts/fetch-imgui.sh" "${cache}"
                OUTPUT_VARIABLE imgui OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE imgui_error RESULT_VARIABLE imgui_status)
if(NOT imgui_status EQUAL 0)
  message(FATAL_ERROR "${imgui_error}")
endif()

add_library(lanescope_imgui STATIC
  "${imgui}/imgui.cpp"
  "${imgui}/imgui_draw.cpp"
  "${imgui}/imgui_tables.cpp"
  "${imgui}/imgui_widgets.cpp"
  "${imgui}/backends/imgui_impl_glfw.cpp"
  "${imgui}/backends/imgui_impl_opengl3.cpp"
  "${imgui}/misc/cpp/imgui_stdlib.cpp"
  "${imgui}/misc/freetype/imgui_freetype.cpp")
add_library(lanescope::imgui ALIAS lanescope_imgui)
target_include_directories(lanescope_imgui SYSTEM PUBLIC "${imgui}" "${imgui}/backends" "${imgui}/misc/cpp" "${imgui}/misc/freetype")
target_compile_definitions(lanescope_imgui PUBLIC IMGUI_ENABLE_TEST_ENGINE IMGUI_ENABLE_FREETYPE IMGUI_DISABLE_OBSOLETE_FUNCTIONS)
target_link_libraries(lanescope_imgui PUBLIC Freetype::Freetype glfw ${CMAKE_DL_LIBS})
# Not part of what "ninja" builds unless something of ours needs it.
set_target_properties(lanescope_imgui PROPERTIES EXCLUDE_FROM_ALL ON EXPORT_COMPILE_COMMANDS OFF UNITY_BUILD OFF)
target_compile_options(lanescope_imgui PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
