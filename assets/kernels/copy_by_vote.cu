/*
Each lane copies 16 bytes. How wide its loads can be depends on the address: 16 bytes where it is a multiple of 16,
else 8, 4 or 1. The lanes that copy vote, and a path is taken if every one of them can take it: a single misaligned
lane slows its warp down but never divides it. __activemask() gives the voters, which is right here, as any set of
lanes that happen to be together will do; assume_convergence and assume_lockstep are the contrast. The sources of the
four warps are shifted by 0, 8, 4 and 1 bytes; the last four lanes of each warp do not copy.

[lanescope]
block = 128

[buffers]
p = "u8 i:2176"
from = "u32 w:4 = [0, 520, 1028, 1537]"

[buffers.q]
type = "u8"
axes = "i:2048"
init = "zeros"
expect = "sha256 ca1df17f015a52db995d324595e91db0ff5905b19e0ab7b50a28c3b8cb17656a"
*/
template <class T>
__device__ bool aligned(const unsigned char *from)
{
    return (size_t)from % sizeof(T) == 0;
}

template <class T>
__device__ void copy16(const unsigned char *from, unsigned char *to)
{
    #pragma unroll
    for (uint k = 0; k < 16 / sizeof(T); k++) ((T *)to)[k] = ((const T *)from)[k];
}

__global__ void __launch_bounds__(128) copy_by_vote(const unsigned char *p, unsigned char *q, const uint *from)
{
    uint lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // lanescope: expect divergence, partial-lines, narrow-access, pointer-offset-uncommented (four lanes rest; the offsets are data)
    if (lane >= 28) return;
    const unsigned char *source = &p[from[warp] + 16 * lane];
    unsigned char *to = q + 16 * threadIdx.x;

    uint together = __activemask();
    if (__all_sync(together, aligned<uint4>(source))) copy16<uint4>(source, to);
    else if (__all_sync(together, aligned<uint2>(source))) copy16<uint2>(source, to);
    else if (__all_sync(together, aligned<uint>(source))) copy16<uint>(source, to);
    else copy16<unsigned char>(source, to);
}
