# Facts of the configured build, as "generated/resources.h" of the target lanescope::configured: the version
# and where assets lie. Fonts and assets are found at run time by kernels/resources.

include(GNUInstallDirs)
file(RELATIVE_PATH LANESCOPE_TO_ASSETS "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${CMAKE_INSTALL_DATADIR}/lanescope")
set(LANESCOPE_ASSETS_DIR "${PROJECT_SOURCE_DIR}/assets" CACHE PATH "Assets of a program that has none in ${LANESCOPE_TO_ASSETS}")

configure_file("${PROJECT_SOURCE_DIR}/cmake/resources.h.in" "${PROJECT_BINARY_DIR}/generated/include/generated/resources.h" @ONLY)

add_library(lanescope_configured INTERFACE)
add_library(lanescope::configured ALIAS lanescope_configured)
target_include_directories(lanescope_configured INTERFACE "${PROJECT_BINARY_DIR}/generated/include")
