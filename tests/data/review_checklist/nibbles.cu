/* Eight 4-bit numbers in a word; even and odd ones are parted.
[lanescope]
block = 32
[buffers]
packed = "u4 n:512"
parted = "u4 n:512 = zeros"
*/
__global__ void __launch_bounds__(32) part(const unsigned *packed, unsigned *parted)
{
    const uint2 in = ((const uint2 *)packed)[threadIdx.x];
    const unsigned even = 0x0f0f0f0fu;
    const unsigned x0 = in.x, x1 = in.y;
    const unsigned y0 = (x0 & even) | ((x1 & even) << 4);
    const unsigned y1 = ((x0 >> 4) & even) | (x1 & ~even);
    // y:
    //   simd:      n2 n1 n3
    //   register:  n0
    //   thread:    n8 n7 n6 n5 n4
    ((uint2 *)parted)[threadIdx.x] = make_uint2(y0, y1);
}
