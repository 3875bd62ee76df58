#pragma once
// Variables of the module (__device__, __constant__) as buffers: what one launch leaves in them the next one finds, the host
// code sets them, and they are shown and compared like any buffer.

#include "app/engine/prepare/prepare.h"

namespace lanescope::engine {

/// Sets the initial contents that the host code copies into variables of the module.
void set_symbols(const source::Header& header, ptx::Module& module);

/// Of a bare PTX file: buffers of the header that no argument names and that are called like a .global or .const variable
/// stand for it. Without contents in the header they begin with the variable's own. Errors: more bytes than it has.
Diagnostics buffers_for_variables(source::Source& source, const ptx::Module& module);

/// Adds a buffer for each of the user's variables to the header and to `out.buffers`; tells what the host code sets where it is
/// not known which variable is meant. Programs must have been loaded.
void add_variables(Prepared& out);

/// What the host code does before each launch, in terms of `out.buffers`. Behind add_variables().
void add_steps(Prepared& out);

}  // namespace lanescope::engine
