#pragma once
// The `.file` lines of a PTX text. NVRTC puts the working folder before every relative name; a text that is stored or
// compared must not say where it was made.

#include <functional>
#include <string>
#include <string_view>

namespace lanescope::compile {

/// The text with each name in a `.file` line replaced by what `rename` makes of it.
std::string rename_files(std::string_view ptx, const std::function<std::string(std::string_view)>& rename);

/// Names as the user gave them: `file` for the user's own, bare reserved names, others as they are.
std::string with_user_names(std::string_view ptx, std::string_view file);

}  // namespace lanescope::compile
