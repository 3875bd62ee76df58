# temporary
add_library(lanescope_imgui INTERFACE)
add_library(lanescope::imgui ALIAS lanescope_imgui)
