/*
The 8-bit local transpose of the register assignment notes, its text as it stands there.

[lanescope]
block = 32

[buffers]
p = "u8 k:32 i:8"
q = "u8 k:32 i:8 = zeros"
*/
__global__ void __launch_bounds__(32) notes_bytes(const uint2 *p, uint2 *q)
{
    const uint2 v = p[threadIdx.x];

    // In this example, suppose we have an 8-bit array which has been packed into uint
    // registers (i.e. 4 simd lanes per register), with register assignment:
    //   simd:      i1 i0
    //   register:  i2

    uint x0 = v.x, x1 = v.y;

    // The following "local transpose" operation exchanges physical bits s0 (simd)
    // with r0 (register). Recall that the cuda intrinsic __byte_perm(a, b, sel)
    // treats the concatenation of a (bytes 0-3) and b (bytes 4-7) as an 8-byte
    // array, and selects 4 bytes using the selector sel. Each nibble of sel (from
    // least to most significant) specifies which source byte (0-7) goes to the
    // corresponding output byte position.

    uint y0 = __byte_perm(x0, x1, 0x6240);
    uint y1 = __byte_perm(x0, x1, 0x7351);

    // Now the y-array contains the same data as x, but with a new register assignment:
    //   simd:      i1 i2
    //   register:  i0

    // Note: to exchange s1 (rather than s0) with r0, we would replace the
    // constants (0x6240, 0x7351) with (0x5410, 0x7632).

    q[threadIdx.x] = make_uint2(y0, y1);
}
