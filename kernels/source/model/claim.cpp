#include "kernels/source/model/claim.h"

namespace lanescope::source {

std::string stated_words(const Claim& claim) {
  return claim.kind == ClaimKind::registers ? layout::print_line(claim.stated) : claim.written;
}

std::string subject_words(const Claim& claim) {
  switch (claim.kind) {
    case ClaimKind::registers:
      return "register assignment of `" + claim.variable + "`";
    case ClaimKind::memory:
      return "layout of `" + claim.variable + "`";
    case ClaimKind::subarray:
      return "stated part of `" + claim.variable + "`";
  }
  return claim.variable;
}

}  // namespace lanescope::source
