# `cmake --install` and cpack: the program, its assets, and what it gives to the desktop. The manual page, the completion
# and the icons are written by the built program itself.

option(LANESCOPE_PACKAGE "Prepare installation and the Debian package (preset release)" OFF)
if(NOT LANESCOPE_PACKAGE)
  return()
endif()

foreach(tool gzip dpkg-shlibdeps file)
  string(TOUPPER "LANESCOPE_${tool}" variable)
  string(REPLACE "-" "_" variable "${variable}")
  find_program(${variable} ${tool})
  if(NOT ${variable})
    message(FATAL_ERROR "${tool} was not found; install it with: apt-get install gzip dpkg-dev file")
  endif()
endforeach()

set(CPACK_PACKAGE_NAME lanescope)
set(CPACK_PACKAGE_VENDOR "The lanescope authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "explorer of data layouts and costs in CUDA kernels")
set(CPACK_PACKAGE_DESCRIPTION "Shows where each element of an array is while a CUDA kernel runs: in
which warp, lane and register; what each access costs in sectors, bank
conflicts and wavefronts; and whether the comments about the data layout
are true.

No GPU is needed: a built-in emulator executes the PTX that the compiler
generates. With a GPU, measured counters are shown beside the predicted
ones. The kernels of the catalogue have stored PTX. Editing CUDA code
needs NVRTC.")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The lanescope authors <authors@lanescope.invalid>"
    CACHE STRING "Name and address in the Debian package")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# dpkg-shlibdeps finds linked libraries. Those opened at run time are named here: OpenGL and EGL for the
# window, NVRTC for kernels that are edited, and parts of X11 that GLFW does without.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-inter, fonts-jetbrains-mono, libgl1, libegl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "hicolor-icon-theme, shared-mime-info, libxcursor1, libxi6, libxinerama1, libxrandr2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libnvrtc11.2 | nvidia-cuda-toolkit")

set(made "${PROJECT_BINARY_DIR}/package")
file(MAKE_DIRECTORY "${made}")
set(page "${made}/lanescope.1")
# By shell: the file that each looks for.
set(completion_bash "${made}/lanescope")
set(completion_zsh "${made}/_lanescope")
set(completion_fish "${made}/lanescope.fish")
set(icons "${made}/lanescope.svg")
set(draw_icons COMMAND lanescope icon --output "${made}/lanescope.svg")
install(FILES "${made}/lanescope.svg" DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
foreach(side 16 24 32 48 64 128 256)
  list(APPEND icons "${made}/lanescope-${side}.png")
  list(APPEND draw_icons COMMAND lanescope icon --size ${side} --output "${made}/lanescope-${side}.png")
  install(FILES "${made}/lanescope-${side}.png" RENAME lanescope.png
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${side}x${side}/apps)
endforeach()
set(completions "${completion_bash}" "${completion_zsh}" "${completion_fish}")
add_custom_command(OUTPUT "${page}.gz" ${completions} ${icons}
                   COMMAND lanescope man --output "${page}"
                   COMMAND ${LANESCOPE_GZIP} -9nf "${page}"
                   COMMAND lanescope completion bash --output "${completion_bash}"
                   COMMAND lanescope completion zsh --output "${completion_zsh}"
                   COMMAND lanescope completion fish --output "${completion_fish}"
                   ${draw_icons}
                   DEPENDS lanescope VERBATIM COMMENT "Manual page, completions and icons")
add_custom_target(lanescope_desktop_files ALL DEPENDS "${page}.gz" ${completions} ${icons})

configure_file("${PROJECT_SOURCE_DIR}/packaging/changelog.in" "${made}/changelog" @ONLY)
execute_process(COMMAND ${LANESCOPE_GZIP} -9nf "${made}/changelog" COMMAND_ERROR_IS_FATAL ANY)

install(TARGETS lanescope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY assets/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lanescope)
install(FILES docs/glossary.md docs/review.md DESTINATION ${CMAKE_INSTALL_DATADIR}/lanescope OPTIONAL)
install(FILES "${page}.gz" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES "${completion_bash}" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES "${completion_zsh}" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES "${completion_fish}" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES packaging/lanescope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES packaging/lanescope-mime.xml RENAME lanescope.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages)
install(FILES packaging/copyright "${made}/changelog.gz" DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lanescope)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/lanescope FILES_MATCHING PATTERN "*.md" PATTERN pictures EXCLUDE)

include(CPack)
