#include <algorithm>

#include "kernels/base/enum_size.h"
#include "kernels/base/text.h"
#include "profiling/cupti/machine_code.h"

namespace lanescope::cupti {
namespace {

struct Mnemonic {
  std::string_view name;
  SassKind kind;
};

// Mnemonics of compute capability 7.5 to 12.0, as the CUDA Binary Utilities list them.
constexpr Mnemonic mnemonics[] = {
    {"LDG", SassKind::global_load},      {"STG", SassKind::global_store},    {"LDS", SassKind::shared_load},
    {"STS", SassKind::shared_store},     {"STAS", SassKind::shared_store},   {"LDSM", SassKind::matrix_load},
    {"STSM", SassKind::matrix_store},    {"MOVM", SassKind::permute},        {"LDL", SassKind::local_load},
    {"STL", SassKind::local_store},      {"LD", SassKind::generic_load},     {"ST", SassKind::generic_store},
    {"LDC", SassKind::constant_load},    {"LDCU", SassKind::constant_load},  {"ULDC", SassKind::constant_load},
    {"ATOM", SassKind::global_atomic},   {"ATOMG", SassKind::global_atomic}, {"ATOMS", SassKind::shared_atomic},
    {"RED", SassKind::reduction},        {"REDG", SassKind::reduction},      {"REDAS", SassKind::reduction},
    {"LDGSTS", SassKind::async_copy},    {"UBLKCP", SassKind::bulk_copy},    {"UBLKPF", SassKind::bulk_copy},
    {"UBLKRED", SassKind::bulk_copy},    {"UTMALDG", SassKind::bulk_copy},   {"UTMASTG", SassKind::bulk_copy},
    {"UTMAPF", SassKind::bulk_copy},     {"UTMAREDG", SassKind::bulk_copy},  {"TEX", SassKind::texture},
    {"TLD", SassKind::texture},          {"TLD4", SassKind::texture},        {"TMML", SassKind::texture},
    {"TXD", SassKind::texture},          {"TXQ", SassKind::texture},         {"SULD", SassKind::texture},
    {"SUST", SassKind::texture},         {"SUATOM", SassKind::texture},      {"SURED", SassKind::texture},
    {"SHFL", SassKind::shuffle},         {"VOTE", SassKind::vote},           {"VOTEU", SassKind::vote},
    {"MATCH", SassKind::vote},           {"REDUX", SassKind::vote},          {"CREDUX", SassKind::vote},
    {"BAR", SassKind::barrier},          {"SYNCS", SassKind::barrier},       {"UCGABAR_ARV", SassKind::barrier},
    {"UCGABAR_WAIT", SassKind::barrier}, {"ARRIVES", SassKind::barrier},     {"ACQBULK", SassKind::barrier},
    {"MEMBAR", SassKind::fence},         {"FENCE", SassKind::fence},         {"ERRBAR", SassKind::fence},
    {"CCTL", SassKind::fence},           {"CCTLL", SassKind::fence},         {"DEPBAR", SassKind::fence},
    {"LDGDEPBAR", SassKind::fence},      {"UTMACMDFLUSH", SassKind::fence},  {"UTMACCTL", SassKind::fence},
    {"PRMT", SassKind::permute},         {"UPRMT", SassKind::permute},       {"SEL", SassKind::select},
    {"FSEL", SassKind::select},          {"USEL", SassKind::select},         {"BRA", SassKind::branch},
    {"BRX", SassKind::branch},           {"BRXU", SassKind::branch},         {"JMP", SassKind::branch},
    {"JMX", SassKind::branch},           {"JMXU", SassKind::branch},         {"CALL", SassKind::branch},
    {"RET", SassKind::branch},           {"EXIT", SassKind::branch},         {"BSSY", SassKind::branch},
    {"BSYNC", SassKind::branch},         {"BREAK", SassKind::branch},        {"BMOV", SassKind::branch},
    {"WARPSYNC", SassKind::branch},      {"YIELD", SassKind::branch},        {"KILL", SassKind::branch},
    {"BPT", SassKind::branch},
};

/// HMMA, IMMA, DMMA, HGMMA, QGMMA, ...: the one ending that is a family of its own.
bool multiplies_matrices(std::string_view name) { return name.size() >= 4 && name.ends_with("MMA"); }

}  // namespace

std::string_view opcode(std::string_view text) {
  const auto skip_blanks = [&] { text = without_indent(text); };
  skip_blanks();
  if (text.starts_with('@')) {
    const std::size_t end = text.find_first_of(" \t");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end);
    skip_blanks();
  }
  return text.substr(0, text.find_first_of(" \t;"));
}

SassKind kind_of(std::string_view text) {
  const std::string_view whole = opcode(text);
  const std::string_view name = whole.substr(0, whole.find('.'));
  const auto* found =
      std::find_if(std::begin(mnemonics), std::end(mnemonics), [&](const Mnemonic& m) { return m.name == name; });
  if (found != std::end(mnemonics)) return found->kind;
  return multiplies_matrices(name) ? SassKind::matrix_multiply : SassKind::other;
}

std::string_view kind_name(SassKind kind) {
  static_assert(sass_kinds == enum_size<SassKind>);
  constexpr std::string_view names[] = {
      "global load",   "global store", "shared load",  "shared store",    "matrix load",   "matrix store",
      "local load",    "local store",  "generic load", "generic store",   "constant load", "global atomic",
      "shared atomic", "reduction",    "async copy",   "bulk copy",       "texture",       "shuffle",
      "vote",          "barrier",      "fence",        "matrix multiply", "permute",       "select",
      "branch",        "other"};
  return entry_for(names, kind);
}

}  // namespace lanescope::cupti
