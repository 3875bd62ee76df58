#include "kernels/source/notation/phrases.h"

namespace lanescope::source {

const Phrases& comment_phrases() {
  static const Phrases table(R"(
or          <INT>* (or (else|alternatively|equivalently|this)?|alternatively) <INT>* $

extents     (=|:)? dim3? (\(|{|[) <INT> (, <INT>)* ,? (\)|}|])
extent_one  = <INT> ($|!(\*|\+|/|x) .)
index_names [ <NAME> (, <NAME>)* ]

subarray    (each|every) cuda? (BLOCK:(thread block|block|threadblock|cta)|WARP:warp|THREAD:(thread|lane))
            VERB:(processes|handles|works|owns|covers|accesses)
            (<small>* SHAPE:(shape|shapes|shaped)|SHAPE:(one element|a single element))
small       a|an|the|one|its|own|on|of|with|in|contiguous|sub|subarray|array|tile|part|piece|chunk|slice|region|block

subject     <NAME> (:|has|is|=)
holds       (LANE:lane|thread) (<holding>|NAME:<NAME> <holding>)
holding     holds|owns|has|stores|contains|keeps|gets

called      call (IT:(it|this|them|these|the (result|results|output|outputs|sum|product))|!the OF:<NAME>) NAME:<NAME>
            (INDICES:<indices>)? (END:($|\.|,|:))?
summed      NAME:<NAME> <indices> = (sum|sums|summed|summation|fft|Σ|∑)
indices     [ (!] .)* ]|\( (!\) .)* \)
no_name     with|from|again|once|a|by

letter      <NAME> ('|`|"|\))? (=|:|is|are|for|denotes|denote|means|marks|stands for|stand for) (<of_bits> !<within>)*
            (PART:<part> <within> (the|a|each|one|32|-|bit)* (register|registers|word|words) <ends>|!(<part> <within>) ROW:.
            (index|indices|id|number|bits|bit)* (<within> (the|a|each)* (warp|block|grid|cta|thread)|!<within>) <ends>)
of_bits     the|a|an|bit|bits|number|index
part        bit|bits|byte|bytes|nibble|nibbles|part|parts|position|element
within      within|in|inside|of
ends        $|,|;|\.|\)|and|\||]
counts      (counts|count|counting|runs) (to|over) COUNT:<INT>|COUNT:<INT> values
equation    WHOLE:<NAME> = <term> (\+ <term>)+ <ends>
term        TERM:(<INT> \* <NAME>|<NAME> (\* <INT>)?)
announces   write|writing|let|split|splits|with|where
split       (WHOLE:<NAME> is? (splits|split) into|(split|splitting) WHOLE:<NAME> into) (,|and|\(|\)|PART:<NAME>)* ($|\.|:|;)
axis_count  NAME:<NAME> : COUNT:<INT>
axis_range  NAME:<NAME> (in|=) 0 \. \. \.? LAST:<INT>
axis_set    NAME:<NAME> in ([|{) 0 , (LAST:<INT>|,|\.)* (COUNTED:\)|}|])
axis_bound  0 \< = NAME:<NAME> \< COUNT:<INT>

declared    (SHARED:(shared|smem|__shared__|lds)|GLOBAL:(global|gmem)) memory? :
            TYPE:(!(<NAME> [) (<NAME>|<INT>|\*|:))* NAME:<NAME> &[
space       SHARED:(shared|smem|__shared__|lds)|GLOBAL:(global|gmem)
axes_lead   (,|:|;)* (indexed by|indices|axes|as)?
layout      layout (of OF:<NAME>)? (:|=|is)
swizzle     Swizzle \< BITS:<INT> , BASE:<INT> , SHIFT:<INT> > ({ })? (o|of|over|,)?
transposing <NAME> NAME:<NAME> while (loading|storing|writing|copying) it? $
transposed  NAME:<NAME> is (stored|kept|held|saved|now|written|already)* END:transposed
written     transposed (write|store)
)");
  return table;
}

}  // namespace lanescope::source
