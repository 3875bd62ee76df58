#pragma once
// A layout design as a value: a register assignment where data is, another where it should be, the element type, and
// the exchanges of bits from the one to the other. Edits are functions from one design to the next; the text of its
// file is in design_file.h, its meaning in sheet.h.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/layout/assignment.h"

namespace lanescope::design {

/// One of the two assignments of a design.
enum class End : std::uint8_t { from, to };
std::string_view name_of(End end);  ///< "from", "to"

/// Two physical bits exchange their contents. Written "r0 <-> t2".
struct Exchange {
  layout::PhysicalBit a, b;
  bool operator==(const Exchange&) const = default;
};
std::string to_string(const Exchange& exchange);
/// Error: it is not two physical bits such as s0, r1, t4, w0, b2 with <-> between them.
Expected<Exchange> parse_exchange(std::string_view text);

/// The layout of a design in shared memory if it is stored there directly.
struct SharedForm {
  enum class Kind : std::uint8_t { plain, padding, swizzle };
  Kind kind = Kind::plain;
  int row_words = 32;     ///< of 4 bytes, before the padding or the next row of the swizzle
  int padding_words = 1;  ///< after each row
  int unit_words = 1;     ///< swizzle: pieces that stay together; a power of two
  bool operator==(const SharedForm&) const = default;
};
std::string words(const SharedForm& form);

/// A state of a chain beside the two on show, and the exchanges that belong to it (see Design).
struct ChainState {
  std::string text;
  std::vector<Exchange> steps;
  bool operator==(const ChainState&) const = default;
};

/// A chain leads over several destinations, from A to B to C. A design shows one leg of it: `from` and `to` are two
/// neighbouring states, the others stand in `earlier` and `later`.
struct Design {
  std::string name = "convert";     ///< of the function
  std::string type = "f16";         ///< a buffer type, or a number of bits
  std::string from, to;             ///< notation, as typed; `to` may leave out rows that stay
  std::vector<Exchange> steps;      ///< the last exchanges on the way to `to`, in order
  std::vector<std::string> memory;  ///< axes of the array in global memory, the slowest first; empty: by name
  SharedForm shared;
  std::vector<ChainState>
      earlier{};                    ///< states before `from`, each with the last exchanges on the way to the next state
  std::vector<ChainState> later{};  ///< states after `to`, each with the last exchanges on the way to it
  std::size_t leg() const { return earlier.size(); }
  std::size_t legs() const { return earlier.size() + 1 + later.size(); }
  bool is_chain() const { return legs() > 1; }
  /// All states, in order.
  std::vector<std::string> states() const;
  std::string& text(End end) { return end == End::from ? from : to; }
  const std::string& text(End end) const { return end == End::from ? from : to; }
  bool operator==(const Design&) const = default;
};

/// A design after an edit, and the name of the edit: "exchange k3 and j2".
struct Edit {
  Design design;
  std::string name;
};

/// Exchanges the contents of two bits of an assignment. Errors: a bit that the assignment does not have; twice the same
/// bit.
Expected<layout::Assignment> exchanged(const layout::Assignment& assignment, const Exchange& exchange);

/// The same design with another leg on show; the last one where there are fewer.
Design at_leg(Design design, std::size_t leg);
/// One more destination after that of the leg on show, which still equals it; it is on show then.
Edit with_destination_added(Design design);
/// The destination of the leg on show left out. Error: it is the only one.
Expected<Edit> without_destination(Design design);

/// Replaces the notation of one end by the typed text, which may be wrong. Steps to another `to` are discarded.
Edit with_text(Design design, End end, std::string text);
/// The same bits on both ends, so that nothing moves.
Edit with_both(Design design, const layout::Assignment& assignment, std::string type, std::string name);
Edit with_type(Design design, std::string type);
Edit with_name(Design design, std::string name);
Edit with_memory(Design design, std::vector<std::string> axes);
Edit with_shared(Design design, const SharedForm& form);
Edit with_ends_turned(Design design);

/// Bits of an element; error: the type is unknown.
Expected<int> bits_of(const std::string& type);
bool is_function_name(std::string_view text);

// The text of a layout design: the TOML that `lanescope plan` reads, with data that only the designer needs in
// comments.
//
//     # steps: s0 <-> r1, r0 <-> t2
//     # memory: i j k
//     # shared: swizzle 32 1
//     name = "transpose"
//     type = "f16"
//     from = "simd: k0; register: j3 j2; thread: j1 j0 k3 k2 k1"
//     to = "simd: j3; register: k0 k3; thread: j1 j0 j2 k2 k1"
//
// A chain has a list `states` in place of `from` and `to`; its steps have a | between the legs. Several designs are
// `[[plan]]` tables. The rest of a file stays as it is when one of its designs is changed.

inline constexpr const char* designs_remedy = "write TOML: name, type, from and to, or several [[plan]] tables of them";

/// The designs of a text, in order; at least one. Errors carry line and column; `file` is named in them. Notation and
/// types are not checked here: a design with a mistake can be opened and fixed.
Expected<std::vector<Design>> read_designs(std::string_view text, const std::string& file = {});

/// Designs are read, and written, with their first leg on show.
/// The text with its design number `which` (from 0) replaced: the values of its keys, the comments above. A text that
/// cannot be read, or has no such design, is replaced.
std::string with_design(std::string_view text, std::size_t which, const Design& design);

std::string text_of(const Design& design);

/// Whether a file of this name is opened as a design: .layout and .toml.
bool is_design_file(std::string_view path);

}  // namespace lanescope::design
