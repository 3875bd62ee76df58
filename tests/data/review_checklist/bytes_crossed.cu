/* Bytes of two words are dealt out anew.
[lanescope]
block = 32
[buffers]
p = "u8 n:256"
q = "u8 n:256 = zeros"
*/
__global__ void __launch_bounds__(32) deal(const unsigned char *p, unsigned char *q)
{
    const uint2 both = ((const uint2 *)p)[threadIdx.x];
    const unsigned x0 = both.x, x1 = both.y;
    // x: 8-bit elements, four in a register
    //   simd:      n1 n0
    //   register:  n2
    //   thread:    n7 n6 n5 n4 n3
    const unsigned y0 = __byte_perm(x0, x1, 0x6240);
    const unsigned y1 = __byte_perm(x0, x1, 0x7351);
    // y: the lowest bit of the byte has gone to the register
    //   simd:      n1 n2
    //   register:  n0
    //   thread:    n7 n6 n5 n4 n3
    ((uint2 *)q)[threadIdx.x] = make_uint2(y0, y1);
}
