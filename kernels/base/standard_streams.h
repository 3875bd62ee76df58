#pragma once
// Standard output with errors: a full disk, a closed stream or a closed reader loses output, and only the exit status
// can show it.

#include <string_view>

#include "kernels/base/diagnostic.h"

namespace lanescope {

/// At the start of main(). A standard stream that is closed gets a descriptor on which every write fails, so that no
/// file opened later takes its number; a pipe without a reader is an error of the write and not the end of the process.
void prepare_standard_streams();

/// Text for people, to standard output: control characters are made visible (visible.h). Errors are kept and reported
/// by flush_standard_output().
void put(std::string_view text);
/// The same of text that is a file's own, byte by byte, unless standard output is a terminal.
void put_content(std::string_view text);
/// To standard error, control characters made visible. A failure to write is ignored.
void put_error(std::string_view text);
/// False as soon as something could not be written.
bool standard_output_works();
/// Writes all output so far: at the end of main(), and before a reader waits for a line. Error: some was lost.
Expected<void> flush_standard_output();

}  // namespace lanescope
