#pragma once
// An instruction in words, for the GPU whose memory the window speaks of.

#include "app/gui/model/model.h"
#include "kernels/explain/explain.h"

namespace lanescope::gui {

/// Of the GPU that was chosen for occupancy and traffic, else of the architecture that the kernel was compiled for.
explain::Generation shown_generation(const Model& model);
explain::Explanation explained(const Model& model, std::string_view instruction);
/// For a tooltip: what it does, its pieces and the way of its data.
std::string explained_text(const Model& model, std::string_view instruction);
/// The PTX instruction of the step on show; of a probe, which is none, the one before it on its line. Empty: there is none.
std::string instruction_on_show(const Model& model);

}  // namespace lanescope::gui
