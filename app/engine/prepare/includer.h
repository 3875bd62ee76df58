#pragma once
// A file that is a part of another one: it does not compile alone, and exactly one file beside it includes it.

#include <optional>

#include "app/engine/requests/requests.h"
#include "kernels/base/diagnostic.h"

namespace lanescope::engine {

/// Whether a compile failed because of that, as kernels/compile/neighbours.h says.
bool failed_as_part(const Diagnostics& diagnostics);

/// The same request for the file that includes this one, with the part's first kernel where none is chosen. Nothing where
/// no file or several do, or where `request.text` is not what lies on the disk: the compiler would read that.
std::optional<RunRequest> request_of_includer(const RunRequest& request);

}  // namespace lanescope::engine
