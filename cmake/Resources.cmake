# Where fonts and assets lie, as the target lanescope::resources: "generated/resources.h", and the same paths as
# definitions for code that wants literals.

set(LANESCOPE_FONT_DIRS /usr/share/fonts /usr/local/share/fonts /usr/share/fonts/opentype/inter
    /usr/share/fonts/truetype/jetbrains-mono)

function(lanescope_find_font variable package)
  find_file(${variable} NAMES ${ARGN} PATHS ${LANESCOPE_FONT_DIRS} NO_DEFAULT_PATH DOC "Path of a font file")
  if(NOT ${variable})
    message(FATAL_ERROR "None of the font files '${ARGN}' was found; install ${package}, or pass -D${variable}=PATH.")
  endif()
endfunction()

lanescope_find_font(LANESCOPE_FONT_SANS fonts-inter Inter-Regular.otf)
lanescope_find_font(LANESCOPE_FONT_SANS_MEDIUM fonts-inter Inter-Medium.otf)
lanescope_find_font(LANESCOPE_FONT_SANS_BOLD fonts-inter Inter-Bold.otf)
lanescope_find_font(LANESCOPE_FONT_MONO fonts-jetbrains-mono JetBrainsMono-Regular.ttf)
lanescope_find_font(LANESCOPE_FONT_MONO_MEDIUM fonts-jetbrains-mono JetBrainsMono-Medium.ttf)
lanescope_find_font(LANESCOPE_FONT_MONO_BOLD fonts-jetbrains-mono JetBrainsMono-Bold.ttf)
set(LANESCOPE_ASSETS_DIR "${PROJECT_SOURCE_DIR}/assets" CACHE PATH "Folder with kernels, lessons, themes")

configure_file("${PROJECT_SOURCE_DIR}/cmake/resources.h.in" "${PROJECT_BINARY_DIR}/generated/include/generated/resources.h" @ONLY)

add_library(lanescope_resources INTERFACE)
add_library(lanescope::resources ALIAS lanescope_resources)
target_include_directories(lanescope_resources INTERFACE "${PROJECT_BINARY_DIR}/generated/include")
foreach(name FONT_SANS FONT_SANS_MEDIUM FONT_SANS_BOLD FONT_MONO FONT_MONO_MEDIUM FONT_MONO_BOLD ASSETS_DIR)
  target_compile_definitions(lanescope_resources INTERFACE "LANESCOPE_${name}=\"${LANESCOPE_${name}}\"")
endforeach()
target_compile_definitions(lanescope_resources INTERFACE "LANESCOPE_VERSION=\"${PROJECT_VERSION}\"")
